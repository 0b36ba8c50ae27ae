public import JSON

/// A resource as its JSON says it, or as it was before a change said otherwise.
public struct Representation: Sendable {
    /// The newer object.
    private let value: JSONValue
    /// The newer object as it is written.
    var root: JSONValue { value }
    /// The members that the change replaced; they win.
    private let before: JSONValue?

    /// The representation that some bytes encode, with the replaced members of a change laid over it; nil when either
    /// is not an object.
    public init?(_ value: [UInt8], before: [UInt8]? = nil) {
        guard let object = Self.object(value) else { return nil }
        self.value = object
        guard let before else {
            self.before = nil
            return
        }
        guard let replaced = Self.object(before) else { return nil }
        self.before = replaced
    }

    /// The representation that a value is; nil when it is no object.
    public init?(_ value: JSONValue) {
        guard value.kind == .object else { return nil }
        (self.value, before) = (value, nil)
    }

    /// Of what a change replaced, the member that names those that were not there.
    @usableFromInline static let absent: StaticString = "absent"

    /// The member of that name; nil when there is none.
    public subscript(_ name: String) -> JSONValue? {
        guard let before else { return value[name] }
        return before[name] ?? (Self.isAbsent(name, in: before) ? nil : value[name])
    }

    /// Whether what a change replaced has a member, or says that it was not there.
    public func replaces(_ name: String) -> Bool { value[name] != nil || Self.isAbsent(name, in: value) }

    private static func isAbsent(_ name: String, in replaced: JSONValue) -> Bool {
        replaced["absent"]?.elements.contains { $0.string?.utf8.elementsEqual(name.utf8) ?? false } ?? false
    }

    /// The older representation that a newer one and the `before` of the change between them give; nil when either is
    /// not an object.
    ///
    /// The members keep the newer one's order, and their bytes stay as they were written. What the newer one left out comes where it
    /// stands among these `names`, which are the kind's, or else last.
    public static func overlay(value: [UInt8], before: [UInt8], names: [StaticString] = []) -> [UInt8]? {
        guard let newer = object(value), let replaced = object(before) else { return nil }
        var members: [(name: String, value: JSONValue)] = []
        for member in newer.members where replaced[member.name] != nil || !isAbsent(member.name, in: replaced) {
            members.append((member.name, replaced[member.name] ?? member.value))
        }
        for member in replaced.members where newer[member.name] == nil && member.name != "absent" {
            let earlier = Set(names.map(\.description).prefix { $0 != member.name })
            let place = earlier.count == names.count ? nil : members.lastIndex { earlier.contains($0.name) }
            members.insert((member.name, member.value), at: place.map { $0 + 1 } ?? members.count)
        }
        var json = JSONWriter(capacity: value.count + before.count)
        json.beginObject()
        for member in members {
            json.name(member.name)
            json.raw(member.value.encoded)
        }
        json.endObject()
        return json.bytes
    }

    private static func object(_ bytes: [UInt8]) -> JSONValue? {
        guard let root = try? JSONDocument(bytes).root, root.kind == .object else { return nil }
        return root
    }
}

extension Resource {
    /// What a representation speaks of, without the keys of rows; nil when it speaks of no such resource.
    public init?(_ representation: Representation) {
        guard let id = representation["id"].flatMap({ ResourceID(json: $0) }),
            let version = representation["version"]?.integer
        else { return nil }
        func instant(_ name: String) -> Instant? { representation[name].flatMap { Instant(json: $0) } }
        self.init(
            Identity(id: id, version: version, createdAt: instant("createdAt"), updatedAt: instant("updatedAt")))
        let fields = Self.fields
        for (name, field) in zip(fields.names, fields.named) {
            // What came to be a field later is not in it.
            guard let value = representation[name.description] else { continue }
            guard field.parse(&self, value) else { return nil }
        }
    }
}
