import JSON
import Model

/// The resolution of references in a line to the keys of rows, by the columns that store them.
enum ImportReferenceResolver {
    /// Returns the columns of a row that follow from a reference, by name. The key is under `column`.
    static func cells(
        _ column: String, _ name: StaticString, _ id: ResourceID, in line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> [String: DatabaseValue] {
        func there<Row: Resource>(_ row: Row?) throws(RequestError) -> Row {
            guard let row else { throw .unknown(name) }
            return row
        }
        switch column {
        case "reader", "blocked": return [column: .integer(try state.readerKey(id, of: name, line))]
        case "author":
            // Notes in clubs keep their place after their author has left.
            let isOfClub = line["club"].map { !$0.isNull } ?? false
            // A nameless note still has an author.
            let author = id == .zero ? line.id("writtenBy") : nil
            let member = author == nil ? name : "writtenBy"
            let key = try state.readerKey(author ?? id, of: member, line, mayHaveLeft: isOfClub)
            try state.demandWords(ofAuthor: key, in: line)
            guard let author else { return [column: .integer(key)] }
            return [column: .integer(key), "readers.id": .id(author), "is_nameless": .integer(1)]
        case "book": return [column: .integer(try there(state.query(BookTable.find(id, in: state.db))).key)]
        case "club": return [column: .integer(try there(state.query(ClubTable.find(id, in: state.db))).key)]
        case "meeting":
            let meeting = try there(state.query(MeetingTable.find(id, in: state.db)))
            return [column: .integer(meeting.key), "meetings.club": .integer(meeting.clubKey)]
        case "shelf":
            let shelf = try there(state.query(ShelfTable.find(line.context.here(id), in: state.db)))
            try state.demandOwn(shelf.readerKey, name, line)
            return [column: .integer(shelf.key), "shelves.reader": .integer(shelf.readerKey)]
        case "reading":
            let reading = try there(state.query(ReadingTable.find(id, in: state.db)))
            try state.demandOwn(reading.readerKey, name, line)
            return [column: .integer(reading.key), "readings.reader": .integer(reading.readerKey)]
        case "run":
            let club = try there(state.club(given: line))
            let run = try there(state.query(ClubRunTable.find(id, of: club.key, in: state.db)))
            return [
                column: .integer(run.key), "runs.club": .integer(club.key), "books.id": .id(run.book),
                "runs.state = 'current'": (run.state == .current).cell,
            ]
        case "proposer":
            return [column: .integer(try state.readerKey(id, of: name, line, mayHaveLeft: true))]
        case "member":
            let reader = try state.readerKey(id, of: name, line)
            guard let club = try state.clubKey(of: line) else { throw .unknown(name) }
            return [
                column: .integer(try there(state.query(MemberTable.find(reader: reader, club: club, in: state.db))).key)
            ]
        default: throw .internalError("no link is kept in \(column)")
        }
    }
}

extension WriteState {
    fileprivate func club(given line: ImportLine) throws(RequestError) -> Club? {
        guard let id = line.id("club") else { return nil }
        return try query(ClubTable.find(id, in: db))
    }

    /// Returns the key of the club of a line that contains a club or a meeting.
    fileprivate func clubKey(of line: ImportLine) throws(RequestError) -> Int64? {
        if let club = try club(given: line) { return club.key }
        guard let id = line.id("meeting") else { return nil }
        return try query(MeetingTable.find(id, in: db))?.clubKey
    }

    /// Throws if a note's line has no words, unless its author has left. Another server's export has none for readers
    /// who have left there, and an existing note must keep its words here.
    fileprivate func demandWords(ofAuthor author: Int64, in line: ImportLine) throws(RequestError) {
        let hasWords = ["body", "quote"].contains { line[$0]?.string?.isEmpty == false }
        let isThere = try query(ReaderTable.find(key: author, in: db)) != nil
        guard hasWords != isThere else { return }
        let detail = isThere ? "must be 1 to 10000 characters" : "must be empty for a reader who has left"
        throw .violation("/body", detail)
    }

    /// Throws if an account's line refers to another reader's row. The error does not reveal that the row exists.
    fileprivate func demandOwn(_ reader: Int64, _ name: StaticString, _ line: ImportLine) throws(RequestError) {
        guard let own = try accountKey(line), own != reader else { return }
        throw .unknown(name)
    }
}
