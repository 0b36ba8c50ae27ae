import JSON
import Model

// The import of books, chapters and editions.

extension BookTable {
    static func complete(_ imported: inout RowImport<Book>, _ state: borrowing WriteState) throws(RequestError) {
        // A reader is recorded as the one who added the imported books.
        if imported.old == nil, let reader = try state.accountKey(imported.line) { imported.row.adderKey = reader }
        imported.after = try state.titleChanges(imported.old, as: imported.row)
    }
}

extension EditionTable {
    static func complete(_ imported: inout RowImport<Edition>, _ state: borrowing WriteState) throws(RequestError) {
        guard imported.row.violations.isEmpty else { throw .invalid(imported.row.violations) }
        let chapters = try state.query(ChaptersTable.find(key: imported.row.bookKey, in: state.db))?.chapters.count ?? 0
        guard chapters > 0 || imported.row.anchors == nil else { throw .unknown("anchors") }
        // The book may have other chapters here, which an account does not change.
        if imported.line.context.isOfAccount, imported.row.anchors?.count != chapters { imported.row.anchors = nil }
        try imported.row.demandAnchors(for: chapters)
        if imported.old == nil {
            let others = try state.query(EditionTable.all(of: "book", imported.row.bookKey, in: state.db))
            try Command.editionsMax.demandRoom(beside: others.count)
        }
        if imported.old == nil, let reader = try state.accountKey(imported.line) { imported.row.adderKey = reader }
    }
}

extension ChaptersTable {
    static func complete(_ imported: inout RowImport<Chapters>, _ state: borrowing WriteState) throws(RequestError) {
        guard imported.row.areSound else { throw .violation("/chapters", "are not valid chapters") }
        guard let book = try state.query(BookTable.find(imported.row.id, in: state.db)) else { throw .unknown("id") }
        imported.row.key = book.key
    }
}

extension ExportRecordCodec {
    /// The codec for anchors as development versions exported them. Now an edition's record contains them.
    static let developmentAnchors = ExportRecordCodec(
        kind: "anchors",
        read: { line, state throws(RequestError) in
            guard let id = line["id"]?.string.flatMap({ ResourceID($0) }),
                let old = try state.query(EditionTable.find(line.context.here(id), in: state.db))
            else { throw .unknown("id") }
            var new = old
            if old.anchors == nil { new.anchors = line["begins"]?.elements.compactMap { EditionAmount(json: $0) } }
            try new.demandAnchors(
                for: state.query(ChaptersTable.find(key: old.bookKey, in: state.db))?.chapters.count ?? 0)
            return CommandDecision([RowWrite<EditionTable>(before: old, after: new)])
        })
}
