package import Model

/// The table of readers' knowledge of books.
enum PriorKnowledgeTable: ResourceTable {
    static let rows = TableMapping<PriorKnowledge>("knowledge")

    static func scope(of row: PriorKnowledge) -> ChangeScope { .reader(key: row.readerKey) }

    /// Decides an imported row. Its id is derived from the reader, who may be another one here.
    static func imported(
        _ row: inout PriorKnowledge, over old: PriorKnowledge?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        guard let reader = try state.read(ReaderTable.find(key: row.readerKey, in: state.db)) else {
            throw .unknown("reader")
        }
        let new = row.taken(by: (reader.id, reader.key), createdAt: row.createdAt ?? line.now)
        if let old = try state.read(find(new.id, in: state.db)) {
            guard new.difference(from: old) == nil else {
                throw .refused(.importDiffers, "You have other knowledge of this book. DELETE it first.")
            }
            return CommandDecision([RowWrite<PriorKnowledgeTable>(before: old, after: old)])
        }
        return CommandDecision(
            [RowWrite<PriorKnowledgeTable>(before: nil, after: new, keepsTimes: true)]
                + (try state.marking(readerOf: new)))
    }
}

extension StoredTable {
    static let knowledge = StoredTable.of(
        PriorKnowledgeTable.self,
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
