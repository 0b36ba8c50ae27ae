package import Model

/// The table of readers' knowledge of books.
enum PriorKnowledgeTable: ExportedTable {
    static let rows = TableMapping<PriorKnowledge>("knowledge")

    static func scope(of row: PriorKnowledge) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings: [ResourceEnding] = []

    static func derivedID(of row: PriorKnowledge, _: ImportLine) -> ResourceID? {
        PriorKnowledge.id(of: row.reader, book: row.book)
    }

    static func complete(
        _ imported: inout RowImport<PriorKnowledge>, _ state: borrowing WriteState
    ) throws(RequestError) {
        if imported.row.through == nil { imported.row.know(nil, ScaledPosition()) }
        imported.after = try state.marking(from: imported.old, to: imported.row)
    }
}

extension StoredTable {
    static let knowledge = StoredTable(
        PriorKnowledgeTable.self, audience: .itsReader,
        exported: .init(
            inAccounts: .own("knowledge.reader = ?1", privateIf: "1"), columns: ExportColumn.scaled,
            wholeOnly: ExportColumn.scaled.map { "\($0.member)" }, isReplaceable: false, hasDerivedID: true),
        ofReader: .rows("reader = ?1"),
        ofClubOrBook: .book(BookUseCondition(byAnybody: "1", byOthers: "0")), rules: IntegrityRules.knowledge)
}

extension ReadConnection {
    /// Returns a reader's knowledge of a book, or `nil`.
    package func knowledge(_ id: ResourceID) throws(RequestError) -> PriorKnowledge? {
        try query(PriorKnowledgeTable.find(id, in: db))
    }
}
