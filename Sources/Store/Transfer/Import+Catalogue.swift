import JSON
import Model

// The import of books, editions, chapters and anchors.

extension BookTable {
    static func imported(
        _ row: Book, over old: Book?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var book = row
        // A reader answers for the books that they bring.
        if old == nil, let reader = try state.accountKey(context) { book.adderKey = reader }
        return Decision(
            [Write<BookTable>(before: old, after: book, keepsTimes: true)] + (try state.retitling(old, as: book)))
    }
}

extension EditionTable {
    static func imported(
        _ row: Edition, over old: Edition?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var edition = row
        guard row.violations.isEmpty else { throw .invalid(row.violations) }
        if old == nil {
            let count = try state.read(EditionTable.all(of: row.bookKey, in: state.db)).count
            guard count < Command.editionsMax else { throw .tooManyEditions }
        }
        if old == nil, let reader = try state.accountKey(context) { edition.adderKey = reader }
        return Decision([Write<EditionTable>(before: old, after: edition, keepsTimes: true)])
    }
}

extension ChaptersTable {
    static func imported(
        _ row: Chapters, over old: Chapters?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var chapters = row
        guard row.areSound else {
            throw .invalid([Violation(pointer: "/chapters", detail: "are nothing that chapters can be")])
        }
        guard let book = try state.read(BookTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        chapters.key = book.key
        return Decision([Write<ChaptersTable>(before: old, after: chapters, keepsTimes: true)])
    }
}

extension AnchorsTable {
    static func imported(
        _ row: Anchors, over old: Anchors?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var anchors = row
        guard let edition = try state.read(EditionTable.find(row.id, in: state.db)),
            let chapters = try state.read(ChaptersTable.find(key: edition.bookKey, in: state.db))
        else { throw .unknown("id") }
        try AnchorsDraft(row).demand(chapters.chapters.count, in: edition)
        anchors.key = edition.key
        return Decision([Write<AnchorsTable>(before: old, after: anchors, keepsTimes: true)])
    }
}
