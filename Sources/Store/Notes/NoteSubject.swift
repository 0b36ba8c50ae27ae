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
        return NoteSubject(
            position: milestone.at.map { .at($0.withoutLocator) } ?? .progress(milestone.progress), run: milestone.run)
    }
}
