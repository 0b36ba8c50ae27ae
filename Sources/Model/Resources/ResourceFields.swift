public import JSON

/// The fields of a kind of resource, in the order in which they are written. The indices in a `FieldSet` refer to
/// `named`.
///
/// A class, with separate arrays for the parts that encoding reads, so that taking one costs one retain.
public final class ResourceFields<Owner>: Sendable {
    /// The fields that are sent.
    public let named: [ResourceField<Owner>]
    public let names: [StaticString]
    /// The functions that write the values, by the same indices.
    @usableFromInline
    let writers: [@Sendable (Owner, inout JSONWriter) -> Void]
    /// The number of fields that are always sent. `omissions` has the conditions of the others, in their order.
    @usableFromInline
    let denseCount: Int
    @usableFromInline
    let omissions: [@Sendable (Owner) -> Bool]
    /// The rules for requests.
    @usableFromInline
    let rules: [ResourceFieldRule<Owner>]
    public let columns: [DatabaseColumn<Owner>]
    /// The index of the field to which each column belongs, or `nil` for a column that is always written.
    public let fieldOfColumn: [Int?]

    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ fields: [ResourceField<Owner>]) {
        named = fields.filter { $0.name != nil }
        names = fields.compactMap(\.name)
        writers = named.map(\.write)
        rules = named.compactMap(\.rule)
        omissions = named.compactMap(\.isLeftOut)
        denseCount = named.count - omissions.count
        precondition(named.prefix(denseCount).allSatisfy { $0.isLeftOut == nil }, "optional fields come last")
        columns = fields.flatMap(\.columns)
        var index = -1
        fieldOfColumn = fields.flatMap { field -> [Int?] in
            if field.name != nil { index += 1 }
            return field.columns.map { _ in field.name == nil ? nil : index }
        }
    }

    /// Returns whether a representation leaves out the field at an index. Inlined, because a call would copy the owner.
    @inlinable
    @inline(__always)
    func leavesOut(_ index: Int, _ owner: Owner) -> Bool {
        index >= denseCount && omissions[index - denseCount](owner)
    }

    /// The set of the fields with these names. An unknown name is a programming error.
    public subscript(_ names: StaticString...) -> FieldSet {
        guard let set = FieldSet(names.map { $0.description[...] }, of: self.names) else {
            preconditionFailure("no field has that name")
        }
        return set
    }
}

extension FieldSet {
    /// Creates the set of the fields with these names, or returns `nil` if one of them is not in the list.
    public init?(_ names: [Substring], of all: [StaticString]) {
        self.init()
        for name in names {
            guard let index = all.firstIndex(where: { $0.description == name }) else { return nil }
            insert(FieldSet(index: index))
        }
    }
}
