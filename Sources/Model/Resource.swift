public import JSON

/// A thing with an id, a version and fields: what rows hold, events carry and `GET` returns.
///
/// Its representation is `id`, `version`, the fields in order, `createdAt` and `updatedAt` where it has them.
public protocol Resource: Sendable {
    /// Its kind.
    static var kind: ResourceKind { get }
    /// The names of its fields, in the order in which they are written.
    static var fieldNames: [StaticString] { get }
    /// The key of its row; 0 before it is stored, and never sent.
    var key: Int64 { get }
    /// The public id.
    var id: ResourceID { get }
    /// The `seq` of the change that made it what it is.
    var version: Int64 { get set }
    /// Set to the commit's time by each change that changes something.
    var updatedAt: Instant? { get set }
    /// When it was made; nil for what does not say so.
    var createdAt: Instant? { get }
    /// The value of the field at an index.
    func write(field index: Int, to json: inout JSONWriter)
    /// Whether the field at an index has another value than in `other`.
    func differs(from other: Self, field index: Int) -> Bool
}

extension Resource {
    /// Its representation, a JSON object.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        write(to: &json)
        return json.bytes
    }

    /// Writes its representation.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("id")
        json.id(id)
        json.name("version")
        json.integer(version)
        for (index, name) in Self.fieldNames.enumerated() {
            json.name(name)
            write(field: index, to: &json)
        }
        writeTimes(to: &json)
        json.endObject()
    }

    private func writeTimes(to json: inout JSONWriter) {
        if let createdAt {
            json.name("createdAt")
            json.instant(createdAt)
        }
        if let updatedAt {
            json.name("updatedAt")
            json.instant(updatedAt)
        }
    }

    /// The fields whose values differ from those in `other`; empty when a write of one over the other changes nothing.
    public func changedFields(from other: Self) -> FieldSet {
        var set = FieldSet()
        for index in Self.fieldNames.indices where differs(from: other, field: index) {
            set.insert(FieldSet(index: index))
        }
        return set
    }

    /// The members of this, the older value, that a change of `fields` replaced: laid over the newer
    /// representation they give the older one back.
    public func encoded(only fields: FieldSet) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.name("version")
        json.integer(version)
        for index in fields.indices {
            json.name(Self.fieldNames[index])
            write(field: index, to: &json)
        }
        if let updatedAt {
            json.name("updatedAt")
            json.instant(updatedAt)
        }
        json.endObject()
        return json.bytes
    }
}
