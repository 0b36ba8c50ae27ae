import JSON
import Model

/// What a note is to be about: where in a book a meeting or a milestone of a club is, and of which run.
struct NoteSubject {
    /// Nil where a meeting is about all of the book.
    let position: PositionDraft?
    let run: ResourceID?
}

extension WriteState {
    func subject(_ id: ResourceID, of club: Club?, on book: Book) throws(LecternError) -> NoteSubject {
        let none = LecternError.invalid([
            Violation(pointer: "/about", detail: "is no meeting or milestone of the club that is about this book")
        ])
        guard let club else { throw none }
        if let meeting = try read(MeetingTable.find(id, of: club.key, in: db)) {
            guard meeting.bookKey == book.key else { throw none }
            let position: PositionDraft? =
                meeting.at.map { .at($0.withoutLocator) } ?? meeting.progress.map { .progress($0) }
            return NoteSubject(position: position, run: meeting.run)
        }
        guard let milestone = try read(MilestoneTable.find(id, of: club.key, in: db)), milestone.book == book.id else {
            throw none
        }
        let run = try read(ClubBookTable.find(key: milestone.clubBookKey, in: db))
        return NoteSubject(
            position: milestone.at.map { .at($0.withoutLocator) } ?? .progress(milestone.progress), run: run?.id)
    }

    /// The run in which a note is written: the one that is named, or that of what it is about, or the one that is meant on its book.
    func run(
        of draft: NoteDraft, about subject: NoteSubject?, in club: Club?, on book: Book
    ) throws(LecternError) -> ResourceID? {
        guard let club else {
            guard draft.run == nil else {
                throw .invalid([Violation(pointer: "/run", detail: "is for notes in a club only")])
            }
            return nil
        }
        if let id = draft.run { return try run(id, of: club, on: book.id).id }
        if let run = subject?.run { return run }
        return try run(on: book.id, of: club)?.id
    }
}
