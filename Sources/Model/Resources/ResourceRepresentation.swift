public import JSON

/// A resource's representation, as it is or as it was before a change.
public struct ResourceRepresentation: Sendable {
    /// The resource's representation after the change, or its only one if there is no change.
    let value: JSONValue
    /// The members that the change replaced; they take precedence.
    private let before: JSONValue?

    /// Parses a representation, with the replaced members of a change over it. Returns `nil` if either is not an
    /// object.
    public init?(_ value: [UInt8], before: [UInt8]? = nil) {
        let replaced = before.flatMap { Self.object($0) }
        guard let object = Self.object(value), before == nil || replaced != nil else { return nil }
        (self.value, self.before) = (object, replaced)
    }

    /// Creates the representation of a JSON value, or returns `nil` if it is not an object.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        (self.value, before) = (value, nil)
    }

    /// The name of the member of `before` that lists the members that did not exist before the change.
    @usableFromInline static let absent: StaticString = "absent"

    /// The member with a name, or `nil` if there is none.
    public subscript(_ name: String) -> JSONValue? {
        guard let before else { return value[name] }
        return before[name] ?? (Self.isAbsent(name, in: before) ? nil : value[name])
    }

    /// Returns the fields of a kind that replaced members contain, or list as absent before.
    public func replacedFields(of kind: ResourceKind) -> FieldSet {
        let names = kind.fieldNames
        var fields = FieldSet()
        func insert(_ name: String) {
            if let index = names.firstIndex(where: { $0.isSame(as: name) }) { fields.insert(FieldSet(index: index)) }
        }
        for member in value.members {
            insert(member.name)
            if Self.absent.isSame(as: member.name) {
                for name in member.value.elements { insert(name.string ?? "") }
            }
        }
        return fields
    }

    private static func isAbsent(_ name: String, in replaced: JSONValue) -> Bool {
        replaced[absent.description]?.elements.contains { $0.string == name } ?? false
    }

    /// Returns the older representation, made of the newer one and the `before` of the change between them. Returns
    /// `nil` if either is not an object.
    ///
    /// Members keep the order of the newer one, and their bytes. A member that the newer one left out comes at its
    /// place among `names`, which are those of the kind, or else last.
    public static func overlay(value: [UInt8], before: [UInt8], names: [StaticString] = []) -> [UInt8]? {
        guard let newer = object(value), let replaced = object(before) else { return nil }
        var members: [(name: String, value: JSONValue)] = []
        for member in newer.members where replaced[member.name] != nil || !isAbsent(member.name, in: replaced) {
            members.append((member.name, replaced[member.name] ?? member.value))
        }
        for member in replaced.members where newer[member.name] == nil && !absent.isSame(as: member.name) {
            let earlier = Set(names.map(\.description).prefix { $0 != member.name })
            let place = earlier.count == names.count ? nil : members.lastIndex { earlier.contains($0.name) }
            members.insert((member.name, member.value), at: place.map { $0 + 1 } ?? members.count)
        }
        return JSONWriter.object(capacity: value.count + before.count) { json in
            for member in members {
                json.name(member.name)
                json.raw(member.value.encoded)
            }
        }
    }

    private static func object(_ bytes: [UInt8]) -> JSONValue? {
        guard let root = try? JSONDocument(bytes).root, root.kind == .object else { return nil }
        return root
    }
}

extension StaticString {
    fileprivate func isSame(as name: String) -> Bool {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).elementsEqual(name.utf8)
    }
}

extension Resource {
    /// Creates a resource from a representation, without row keys. Returns `nil` if it does not describe such a
    /// resource.
    public init?(_ representation: ResourceRepresentation) {
        guard let id = representation["id"].flatMap({ ResourceID(json: $0) }),
            let version = representation["version"]?.integer
        else { return nil }
        func instant(_ name: String) -> Instant? { representation[name].flatMap { Instant(json: $0) } }
        self.init(
            CommonResourceFields(
                id: id, version: version, createdAt: instant("createdAt"), updatedAt: instant("updatedAt"))
        )
        let fields = Self.fields
        for (name, field) in zip(fields.names, fields.named) {
            // An older representation lacks fields that were added later.
            guard let value = representation[name.description] else { continue }
            guard field.parse(&self, value) else { return nil }
        }
    }
}
