public import JSON

/// What an export has of a resource, and an import takes.
extension Fields {
    /// The fields that are kept: what follows from others an import finds anew.
    public var stored: FieldSet { those { !$0.columns.isEmpty } }

    /// Those that can become another.
    public var changing: FieldSet { those { $0.columns.contains { $0.use == .changing } } }

    /// Those that name another resource: each with where its id is read from, and where the key of its row is kept.
    public var links: [(name: StaticString, id: Column<Owner>, key: Column<Owner>)] {
        named.compactMap { field in
            guard let name = field.name, field.columns.count == 2, field.columns[0].use == .joined else { return nil }
            return (name, field.columns[0], field.columns[1])
        }
    }

    private func those(_ condition: (Field<Owner>) -> Bool) -> FieldSet {
        named.indices.reduce(into: []) { if condition(named[$1]) { $0.insert(FieldSet(index: $1)) } }
    }
}

extension Resource {
    /// Writes some of its fields.
    public func write(_ some: FieldSet, to json: inout JSONWriter) {
        for index in some.indices {
            let field = Self.fields.named[index]
            if let isLeftOut = field.isLeftOut, isLeftOut(self) { continue }
            json.name(Self.fields.names[index])
            field.write(self, &json)
        }
    }

    /// Takes over what an export says of some of its fields, by the same rules by which requests say it; what is wrong is noted.
    /// What it does not say, as one of an older house does not, stays.
    public mutating func take(_ some: FieldSet, from decoder: inout ObjectDecoder, _ line: JSONValue) {
        for index in some.indices {
            let (field, name) = (Self.fields.named[index], Self.fields.names[index])
            if let rule = field.rule {
                rule.decode(&decoder, .whole)?(&self)
                continue
            }
            if field.isText {
                guard case .invalid = decoder.string(name, length: field.lengthMin...10_000, multiline: true) else {
                    take(field, name, from: &decoder, line)
                    continue
                }
            } else {
                _ = decoder.value(name)
                take(field, name, from: &decoder, line)
            }
        }
    }

    private mutating func take(
        _ field: Field<Self>, _ name: StaticString, from decoder: inout ObjectDecoder, _ line: JSONValue
    ) {
        guard let value = line[name.description] else {
            if field.isNeeded { decoder.missing(name) }
            return
        }
        if !field.parse(&self, value) { decoder.refuse(name, "is nothing that it can be") }
    }

    /// Takes over when it was made and changed, where it says so.
    /// Where the clock was ahead, it was now.
    public mutating func takeTimes(
        created: Bool, updated: Bool, now: Instant, from decoder: inout ObjectDecoder
    ) {
        if created { createdAt = decoder.moment("createdAt").map { min($0, now) } }
        if updated { updatedAt = decoder.moment("updatedAt").map { min($0, now) } }
    }
}

extension ObjectDecoder {
    /// A time that must be there.
    fileprivate mutating func moment(_ name: StaticString) -> Instant? {
        required(name, instant(name), .whole).said
    }
}
