public import JSON

/// The parts of a resource that an export contains and an import reads.
extension ResourceFields {
    /// The stored fields. An import computes the others again.
    public var stored: FieldSet { those { !$0.columns.isEmpty } }

    /// The fields that can change.
    public var changing: FieldSet { those { $0.columns.contains { $0.use == .changing } } }

    /// The references to other resources: the name, the column from which the id is read, and the column of the row
    /// key.
    public var links: [(name: StaticString, id: DatabaseColumn<Owner>, key: DatabaseColumn<Owner>)] {
        named.compactMap { field in
            guard let name = field.name, field.columns.count == 2, field.columns[0].use == .joined else { return nil }
            return (name, field.columns[0], field.columns[1])
        }
    }

    private func those(_ condition: (ResourceField<Owner>) -> Bool) -> FieldSet {
        named.indices.reduce(into: []) { if condition(named[$1]) { $0.insert(FieldSet(index: $1)) } }
    }
}

extension Resource {
    /// Writes the given fields.
    public func write(_ some: FieldSet, to json: inout JSONWriter) {
        let fields = Self.fields
        for index in some.indices where !fields.leavesOut(index, self) {
            json.name(fields.names[index])
            fields.writers[index](self, &json)
        }
    }

    /// Sets the given fields from a record of an export, by the rules that apply to requests, and notes violations.
    /// Fields that the record lacks, such as one of an older server, keep their values.
    public mutating func take(_ some: FieldSet, from decoder: inout ObjectDecoder, _ line: JSONValue) {
        for index in some.indices {
            let (field, name) = (Self.fields.named[index], Self.fields.names[index])
            if let rule = field.rule {
                rule.decode(&decoder, .whole)?(&self)
                continue
            }
            if field.isText {
                let text = decoder.string(name, length: field.lengthMin...10_000, multiline: true)
                if case .invalid = text { continue }
            } else {
                _ = decoder.value(name)
            }
            guard let value = line[name.description] else {
                if field.isNeeded { decoder.missing(name) }
                continue
            }
            if !field.parse(&self, value) { decoder.refuse(name, "has an invalid value") }
        }
    }

    /// Sets the times of creation and of the last change, if asked for. A time in the future becomes now.
    public mutating func takeTimes(
        created: Bool, updated: Bool, now: Instant, from decoder: inout ObjectDecoder
    ) {
        if created {
            createdAt = decoder.required("createdAt", decoder.instant("createdAt"), .whole).map { min($0, now) }
        }
        if updated {
            updatedAt = decoder.required("updatedAt", decoder.instant("updatedAt"), .whole).map { min($0, now) }
        }
    }
}
