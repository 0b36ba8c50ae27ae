import Model

extension WriteState {
    /// Returns the run of a club that a request refers to.
    ///
    /// Without an id this is the only current run of the book, or of the club if no book is given either. If the book
    /// has no current run, it is the latest run that the club has decided on.
    ///
    /// - Returns: The run, or `nil` if the request contains no id and there is no such run.
    /// - Throws: `RequestError.invalid` if the club does not have the run, if it is a run of another book, or if
    ///   several runs are current. The violation then lists their ids.
    func run(_ named: RunReference, of club: Club, at pointer: String = "") throws(RequestError) -> ClubRun? {
        if let id = named.run {
            guard let run = try query(ClubRunTable.find(id, of: club.key, in: db)) else {
                throw .violation(pointer + "/run", "is not a run of this club")
            }
            guard named.book == nil || run.book == named.book else {
                throw .violation(pointer + "/run", "is a run of another book")
            }
            return run
        }
        let current = try query(ClubRunTable.current(of: club.key, in: db)).filter {
            named.book == nil || $0.book == named.book
        }
        guard current.count < 2 else {
            let ids = current.prefix(Self.listedRunsMax).map(\.id.description).joined(separator: ", ")
            throw .violation(pointer + "/run", "is required, because \(current.count) runs are current: \(ids)")
        }
        if let only = current.first { return only }
        guard let book = named.book else { return nil }
        return try query(ClubRunTable.latestDecided(of: book, in: club.key, in: db))
    }

    /// Returns the run of a note on a book as `run(_:of:at:)` does, or `nil` for a private note.
    func run(
        _ id: ResourceID?, on book: ResourceID, of club: Club?, at pointer: String = ""
    ) throws(RequestError) -> ResourceID? {
        guard let club else {
            guard id == nil else {
                throw .violation(pointer + "/run", "applies only to notes in a club")
            }
            return nil
        }
        return try run(RunReference(run: id, book: book), of: club, at: pointer)?.id
    }

    /// The maximum number of runs that a violation lists.
    private static var listedRunsMax: Int { 20 }

    /// Returns the run of a new milestone or standing as `run(_:of:at:)` does. Throws if there is none, or if the club
    /// has not decided on it.
    func decidedRun(_ named: RunReference, of club: Club) throws(RequestError) -> ClubRun {
        guard let run = try run(named, of: club) else {
            guard named.book == nil else {
                throw .violation("/book", "is not on the club's reading list")
            }
            throw .refused(
                .noCurrentBook, "The club has no current book. Name a book, or make one current.")
        }
        guard run.state != .proposed else {
            throw .violation("/run", "is only a proposal")
        }
        return run
    }
}
