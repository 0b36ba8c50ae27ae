import JSON
import Model

// What follows from editions, chapters and anchors that come from another house.

extension EditionTable {
    static var isShared: Bool { true }

    static func isBrought(over old: Edition, _ bringing: Bringing) -> Bool { !bringing.isOfAccount }

    static func brought(
        _ row: Edition, over old: Edition?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var edition = row
        guard row.violations.isEmpty else { throw .invalid(row.violations) }
        if old == nil {
            let count = try state.read(EditionTable.all(of: row.bookKey, in: state.db)).count
            guard count < Command.editionsMax else { throw .tooManyEditions }
        }
        // Whoever brings an edition answers for it.
        if old == nil, bringing.isOfAccount, asker.viewer.role == .reader { edition.adderKey = asker.reader.key }
        return Brought(proposals: [Write<EditionTable>(before: old, after: edition, keepsTimes: true)])
    }
}

extension ChaptersTable {
    static var isShared: Bool { true }

    static func isBrought(over old: Chapters, _ bringing: Bringing) -> Bool { !bringing.isOfAccount }

    static func brought(
        _ row: Chapters, over old: Chapters?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var chapters = row
        guard row.areSound else {
            throw .invalid([Violation(pointer: "/chapters", detail: "are nothing that chapters can be")])
        }
        guard let book = try state.read(BookTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        chapters.key = book.key
        return Brought(proposals: [Write<ChaptersTable>(before: old, after: chapters, keepsTimes: true)])
    }
}

extension AnchorsTable {
    static var isShared: Bool { true }

    static func isBrought(over old: Anchors, _ bringing: Bringing) -> Bool { !bringing.isOfAccount }

    static func brought(
        _ row: Anchors, over old: Anchors?, _ state: borrowing WriteState, _ asker: Asker, _ bringing: Bringing
    ) throws(LecternError) -> Brought {
        var anchors = row
        guard let edition = try state.read(EditionTable.find(row.id, in: state.db)),
            let chapters = try state.read(ChaptersTable.find(key: edition.bookKey, in: state.db))
        else { throw .unknown("id") }
        try AnchorsDraft(row).demand(chapters.chapters.count, in: edition)
        anchors.key = edition.key
        return Brought(proposals: [Write<AnchorsTable>(before: old, after: anchors, keepsTimes: true)])
    }
}
