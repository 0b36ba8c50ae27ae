import JSON
import Model

extension WriteState {
    /// The run of a club that a body names, which has been decided on: what is planned in it, and who reads it along, is of one that the
    /// club reads.
    func run(named: NamedRun, of club: Club) throws(LecternError) -> ClubBook {
        let run: ClubBook
        if named.run == nil, named.book == nil {
            guard let current = try read(ClubBookTable.current(of: club.key, in: db).first) else {
                throw .refused(
                    .noCurrentBook, "The club has no current book: say which one it is about, or make one current.")
            }
            run = current
        } else if let id = named.run {
            run = try self.run(id, of: club, on: named.book)
        } else {
            guard let book = named.book, let meant = try read(ClubBookTable.meant(by: book, in: club.key, in: db))
            else {
                throw .invalid([Violation(pointer: "/book", detail: "is not on the club's reading list")])
            }
            run = meant
        }
        guard run.state != .proposed else {
            throw .invalid([
                Violation(pointer: named.run == nil ? "/book" : "/run", detail: "is only proposed to the club")
            ])
        }
        return run
    }

    /// A run of a club, and of that book, where one is said.
    func run(_ id: ResourceID, of club: Club, on book: ResourceID?) throws(LecternError) -> ClubBook {
        guard let run = try read(ClubBookTable.find(run: id, of: club.key, in: db)) else {
            throw .invalid([Violation(pointer: "/run", detail: "is no run of this club")])
        }
        guard book == nil || run.book == book else {
            throw .invalid([Violation(pointer: "/run", detail: "is a run of another book")])
        }
        return run
    }

    /// The run of a club's book that is meant where none is named; nil where the club has decided on none.
    func run(on book: ResourceID, of club: Club) throws(LecternError) -> ClubBook? {
        let meant = try read(ClubBookTable.meant(by: book, in: club.key, in: db))
        return meant?.state == .proposed ? nil : meant
    }
}
