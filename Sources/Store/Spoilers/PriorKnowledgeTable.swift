package import Model

/// The table of readers' knowledge of books.
enum PriorKnowledgeTable: ResourceTable {
    static let rows = TableMapping<PriorKnowledge>("knowledge")

    static func scope(of row: PriorKnowledge) -> ChangeScope { .reader(key: row.readerKey) }

    static func derivedID(of row: PriorKnowledge, _: ImportLine) -> ResourceID? {
        PriorKnowledge.id(of: row.reader, book: row.book)
    }

    static func complete(
        _ imported: inout RowImport<PriorKnowledge>, _ state: borrowing WriteState
    ) throws(RequestError) {
        if imported.row.through == nil { imported.row.know(nil, ScaledPosition()) }
        imported.after = try state.marking(readerOf: imported.row)
    }
}

extension StoredTable {
    static let knowledge = StoredTable(
        name: "knowledge", resource: PriorKnowledgeTable.self,
        export: .rows(
            .own("knowledge.reader = ?1"),
            columns: ExportColumn.scaled, wholeOnly: ExportColumn.scaled.map { "\($0.member)" },
            privateIf: "1", isReplaceable: false, hasDerivedID: true),
        changeAudience: .itsReader, ofReader: .rows("reader = ?1"), json: ["through"],
        ofBook: BookUseCondition(byAnybody: "1", byOthers: "0"), rules: IntegrityRules.knowledge)
}

extension ReadConnection {
    /// Returns a reader's knowledge of a book, or `nil`.
    package func knowledge(_ id: ResourceID) throws(RequestError) -> PriorKnowledge? {
        try query(PriorKnowledgeTable.find(id, in: db))
    }
}
