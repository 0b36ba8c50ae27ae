import JSON
import Model

extension WriteState {
    /// Returns the run of a club that a request is about.
    ///
    /// A request that names no run means the only current run: of its book, or of the club where it names no book either. Where the
    /// book has no current run, it means the latest one that the club has decided on.
    ///
    /// - Returns: The run; `nil` where the request names none and there is none.
    /// - Throws: `LecternError.invalid` for a run that the club does not have or that is of another book, and where several runs are
    ///   current: the violation then lists their ids.
    func run(_ named: NamedRun, of club: Club, at pointer: String = "") throws(LecternError) -> Run? {
        if let id = named.run {
            guard let run = try read(RunTable.find(run: id, of: club.key, in: db)) else {
                throw .invalid([Violation(pointer: pointer + "/run", detail: "is no run of this club")])
            }
            guard named.book == nil || run.book == named.book else {
                throw .invalid([Violation(pointer: pointer + "/run", detail: "is a run of another book")])
            }
            return run
        }
        let current = try read(RunTable.current(of: club.key, in: db)).filter {
            named.book == nil || $0.book == named.book
        }
        guard current.count < 2 else {
            let ids = current.prefix(Self.listedRunsMax).map(\.id.description).joined(separator: ", ")
            throw .invalid([
                Violation(
                    pointer: pointer + "/run",
                    detail: "is required, because \(current.count) runs are current: \(ids)")
            ])
        }
        if let only = current.first { return only }
        guard let book = named.book else { return nil }
        return try read(RunTable.latestDecided(of: book, in: club.key, in: db))
    }

    /// Returns the run of a note on a book: as `run(_:of:at:)`; `nil` for a private note.
    func run(
        _ id: ResourceID?, on book: ResourceID, of club: Club?, at pointer: String = ""
    ) throws(LecternError) -> ResourceID? {
        guard let club else {
            guard id == nil else {
                throw .invalid([Violation(pointer: pointer + "/run", detail: "is for notes in a club only")])
            }
            return nil
        }
        return try run(NamedRun(run: id, book: book), of: club, at: pointer)?.id
    }

    /// The maximum number of runs that a violation lists.
    private static var listedRunsMax: Int { 20 }

    /// Returns the run in which a milestone is set or that a member reads along: as `run(_:of:at:)`, but there must be one, and the club
    /// must have decided on it.
    func decidedRun(_ named: NamedRun, of club: Club) throws(LecternError) -> Run {
        guard let run = try run(named, of: club) else {
            guard named.book == nil else {
                throw .invalid([Violation(pointer: "/book", detail: "is not on the club's reading list")])
            }
            throw .refused(
                .noCurrentBook, "The club has no current book: say which one it is about, or make one current.")
        }
        guard run.state != .proposed else {
            throw .invalid([Violation(pointer: "/run", detail: "is only proposed to the club")])
        }
        return run
    }
}
