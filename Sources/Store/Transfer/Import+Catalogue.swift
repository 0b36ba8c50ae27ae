import JSON
import Model

// The import of books, chapters and editions.

extension BookTable {
    static func complete(
        _ row: inout Book, over old: Book?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        // A reader is recorded as the one who added the imported books.
        if old == nil, let reader = try state.accountKey(line) { row.adderKey = reader }
        others.after = try state.titleChanges(old, as: row)
    }
}

extension EditionTable {
    static func complete(
        _ row: inout Edition, over old: Edition?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard row.violations.isEmpty else { throw .invalid(row.violations) }
        let chapters = try state.read(ChaptersTable.find(key: row.bookKey, in: state.db))?.chapters.count ?? 0
        guard chapters > 0 || row.anchors == nil else { throw .unknown("anchors") }
        // The book may have other chapters here, which an account does not change.
        if line.context.isOfAccount, row.anchors?.count != chapters { row.anchors = nil }
        try row.demandAnchors(for: chapters)
        if old == nil {
            let others = try state.read(EditionTable.all(of: "book", row.bookKey, in: state.db))
            try Command.editionsMax.demandRoom(beside: others.count)
        }
        if old == nil, let reader = try state.accountKey(line) { row.adderKey = reader }
    }
}

extension ChaptersTable {
    static func complete(
        _ row: inout Chapters, over old: Chapters?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard row.areSound else { throw .violation("/chapters", "are not valid chapters") }
        guard let book = try state.read(BookTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        row.key = book.key
    }
}

extension ExportRecordCodec {
    /// The codec for anchors as development versions exported them. Now an edition's record contains them.
    static let developmentAnchors = ExportRecordCodec(
        kind: "anchors",
        read: { line, state throws(RequestError) in
            guard let id = line["id"]?.string.flatMap({ ResourceID($0) }),
                let old = try state.read(EditionTable.find(line.context.here(id), in: state.db))
            else { throw .unknown("id") }
            var new = old
            if old.anchors == nil { new.anchors = line["begins"]?.elements.compactMap { EditionAmount(json: $0) } }
            try new.demandAnchors(
                for: state.read(ChaptersTable.find(key: old.bookKey, in: state.db))?.chapters.count ?? 0)
            return CommandDecision([RowWrite<EditionTable>(before: old, after: new)])
        })
}
