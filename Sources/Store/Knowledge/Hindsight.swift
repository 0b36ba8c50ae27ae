import Model

extension WriteState {
    /// Where a note opens whose author may know the book beforehand: where it would, or, where the club has it so, no earlier than
    /// at what they know. What opens later anyhow stays as it is.
    func inHindsight(
        _ opening: Opening, of author: Int64, on book: Int64, in club: Club?
    ) throws(LecternError) -> Opening {
        guard let club, club.hindsight == .known,
            let known = try known(to: author, of: book, slack: club.slack ?? Club.usualSlack),
            known.share > opening.nearest
        else { return opening }
        return opening.noEarlier(than: known)
    }

    /// Where a note opens that is as far in a book as a reader knows it: all of it, where they have finished it once. Nil where
    /// they do not know it beforehand; what they have read of it this time is not asked.
    private func known(to reader: Int64, of book: Int64, slack: Progress) throws(LecternError) -> Opening? {
        if try read(ReadingTable.isFinished(reader: reader, book: book, in: db)) { return .finished }
        guard let known = try read(KnowledgeTable.find(reader: reader, book: book, in: db)) else { return nil }
        guard !known.isWhole else { return .finished }
        let share = known.opensAt(slack: slack)
        guard let frame = known.frame, let inFrame = known.inFrame, inFrame > 0 else {
            return Opening(at: known.progress, in: book, forOthers: share)
        }
        guard frame != Place.chapters(ofBook: book) else {
            return Opening(kept: nil, in: frame, byChapters: inFrame, forOthers: share)
        }
        // What was held true of the edition since counts, too; by chapters nothing where it has no anchors any more.
        let now = try scale(ofFrame: frame, inBook: book)?.placed(part: inFrame)
        return Opening(
            kept: inFrame, in: frame,
            byChapters: known.leastByChapters.flatMap { least in now?.most.map { max(least, $0) } },
            forOthers: max(share, now?.opensAt(slack: slack) ?? share))
    }
}

extension KnowledgeTable {
    private static let ofBoth = rows.sql("WHERE knowledge.reader = ?1 AND knowledge.book = ?2")

    fileprivate static func find(
        reader: Int64, book: Int64, in connection: Connection
    ) throws(SQLiteError) -> Knowledge? {
        try connection.statement(ofBoth).bind(1, reader).bind(2, book).first(row)
    }
}

extension ReadingTable {
    /// Whether a reader has a finished reading of a book.
    fileprivate static func isFinished(
        reader: Int64, book: Int64, in connection: Connection
    ) throws(SQLiteError) -> Bool {
        try connection.statement(
            "SELECT 1 FROM readings WHERE reader = ?1 AND book = ?2 AND state = 'finished' LIMIT 1"
        ).bind(1, reader).bind(2, book).first { _ in true } ?? false
    }
}
