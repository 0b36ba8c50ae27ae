import Model

/// What follows from a row that comes from another house.
struct Brought {
    var proposals: [any Proposal]
    var subject = 0
}

extension Table {
    /// Whether everybody may see such rows, whoever made them.
    static var isShared: Bool { false }

    /// Whether what is there may be written over by what another house says.
    static var isReplaceable: Bool { true }

    /// Whether a line has anything to say of a row that is there.
    static func isBrought(over old: Row, _ bringing: Bringing) -> Bool { true }

    static func brought(
        _ row: Row, over old: Row?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        Brought(proposals: [Write<Self>(before: old, after: row, keepsTimes: true)])
    }

    /// A row as its line of an export has it.
    static func exported(_ row: Row) -> Row { row }

    static func separate(
        _ row: inout Row, _ state: borrowing WriteState, _ bringing: Bringing
    ) throws(LecternError) -> [any Proposal] { [] }
}
