import JSON
package import Model

extension ReadConnection {
    /// Tells all that goes along, line by line, as it was at one moment: in the order of the tables, and in each in an order that a
    /// house which takes it in keeps. The same things are the same bytes in every house.
    package func export(_ scope: ExportScope, to sink: ExportSink) throws(LecternError) {
        try read { () throws(LecternError) in
            if case .everything = scope, try query({ db throws(SQLiteError) in try Departure.isTelling(in: db) }) {
                throw .unavailable(
                    .notReady, "A reader is leaving, and some of what they had is there still. Try again in a moment.",
                    retryAfterSeconds: 2)
            }
            var pieces = ExportPieces()
            pieces.begin(scope)
            for table in StoredTable.all {
                guard let portable = table.portable else { continue }
                switch scope {
                case .everything: try export(all: portable, &pieces, to: sink)
                case .account(_, let key): try export(portable, of: key, &pieces, to: sink)
                case .ward(_, let key): try export(portable, of: key, isWard: true, &pieces, to: sink)
                }
            }
            try pieces.end(sink)
        }
    }

    private func export(all portable: Portable, _ pieces: inout ExportPieces, to sink: ExportSink) throws(LecternError)
    {
        let rows = try query { db throws(SQLiteError) in try db.statement(portable.whole) }
        defer { rows.reset() }
        while try step(rows) {
            pieces.beginLine(portable.kind)
            portable.write(rows, false, &pieces.json)
            pieces.endLine()
            try pieces.send(to: sink)
        }
    }

    private func export(
        _ portable: Portable, of reader: Int64, isWard: Bool = false, _ pieces: inout ExportPieces,
        to sink: ExportSink
    ) throws(LecternError) {
        guard let sql = isWard ? portable.ofWard ?? portable.ofReader : portable.ofReader else { return }
        let rows = try query { db throws(SQLiteError) in try db.statement(sql).bind(1, reader) }
        defer { rows.reset() }
        let isOfFacts = if case .facts = portable.account { true } else { false }
        let kept = try query { db throws(SQLiteError) in
            try db.statement(
                "SELECT id, part, value FROM keepsakes WHERE reader = ?1 AND kind = ?2 ORDER BY id, part"
            ).bind(1, reader).bind(2, portable.kind)
        }
        defer { kept.reset() }
        // What is kept of an own thing is laid over it; what is kept of other things stands between them, by their ids, unless some of
        // the kind are the reader's alone.
        let isTold = isOfFacts && (!isWard || portable.ofWard == nil)
        var hasKept = isTold ? try step(kept) : false
        while try step(rows) {
            let place = portable.place(rows)
            while hasKept, Self.isBefore(kept, place) {
                try export(kept: kept, &pieces, to: sink)
                hasKept = try step(kept)
            }
            pieces.beginLine(portable.kind)
            portable.write(rows, true, &pieces.json)
            // What an entry says is its reader's alone.
            let isSilent = isWard && portable.kind == Entry.kind.name
            let over = isOfFacts || isSilent ? nil : try keepsake(of: place, portable.kind, reader)
            pieces.endLine(laidOver: isSilent ? Self.silence : over, names: Note.fields.names)
            try pieces.send(to: sink)
        }
        while hasKept {
            try export(kept: kept, &pieces, to: sink)
            hasKept = try step(kept)
        }
    }

    private static let silence = Array("{\"note\":null}".utf8)

    private func export(kept: Statement, _ pieces: inout ExportPieces, to sink: ExportSink) throws(LecternError) {
        pieces.line(kept.bytes(2) ?? [])
        try pieces.send(to: sink)
    }

    private func keepsake(
        of place: Portable.Place, _ kind: String, _ reader: Int64
    ) throws(LecternError) -> [UInt8]? {
        guard kind == Note.kind.name || kind == Shelf.kind.name else { return nil }
        return try query { db throws(SQLiteError) in
            try Keepsake.value(reader: reader, kind: kind, place, in: db)
        }
    }

    private static func isBefore(_ kept: Statement, _ place: Portable.Place) -> Bool {
        let id = kept.id(0)
        return (id.high, id.low) < (place.id.high, place.id.low)
            || id == place.id && kept.text(1).utf8.lexicographicallyPrecedes(place.part.utf8)
    }

    private func step(_ statement: Statement) throws(LecternError) -> Bool {
        try query { _ throws(SQLiteError) in try statement.step() }
    }
}
