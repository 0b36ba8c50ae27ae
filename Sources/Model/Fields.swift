public import JSON

/// The fields of a kind of resource, in the order in which they are written; a `FieldSet` has the indices of `named`.
///
/// A class, and what is asked at each encoding in arrays of its own: taking it costs one count.
public final class Fields<Owner>: Sendable {
    /// Those that are sent.
    public let named: [Field<Owner>]
    public let names: [StaticString]
    /// By the same indices, what writes their values.
    @usableFromInline
    let writers: [@Sendable (Owner, inout JSONWriter) -> Void]
    /// How many are always sent; of the others, in their order, whether one is left out.
    @usableFromInline
    let denseCount: Int
    @usableFromInline
    let omissions: [@Sendable (Owner) -> Bool]
    /// What requests may say of them.
    @usableFromInline
    let rules: [MergeRule<Owner>]
    public let columns: [Column<Owner>]
    /// Of the columns that change with a field, which one; nil for what is always written.
    public let fieldOfColumn: [Int?]

    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ fields: [Field<Owner>]) {
        named = fields.filter { $0.name != nil }
        names = fields.compactMap(\.name)
        writers = named.map(\.write)
        rules = named.compactMap(\.rule)
        omissions = named.compactMap(\.isLeftOut)
        denseCount = named.count - omissions.count
        precondition(named.prefix(denseCount).allSatisfy { $0.isLeftOut == nil }, "what may be left out comes last")
        columns = fields.flatMap(\.columns)
        var index = -1
        fieldOfColumn = fields.flatMap { field -> [Int?] in
            if field.name != nil { index += 1 }
            return field.columns.map { _ in field.name == nil ? nil : index }
        }
    }

    /// The set of a field that is there: a name that is none is a mistake in the program.
    public subscript(_ names: StaticString...) -> FieldSet {
        guard let set = FieldSet(names.map { $0.description[...] }, of: self.names) else {
            preconditionFailure("no field has that name")
        }
        return set
    }
}

extension FieldSet {
    /// The fields with these names, out of those; nil when one is not among them.
    public init?(_ names: [Substring], of all: [StaticString]) {
        self.init()
        for name in names {
            guard let index = all.firstIndex(where: { $0.description == name }) else { return nil }
            insert(FieldSet(index: index))
        }
    }
}
