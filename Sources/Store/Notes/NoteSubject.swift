import JSON
import Model

extension WriteState {
    /// Where in a book a meeting or a milestone of a club is, about which a note is to be; nil where a meeting is about all of it.
    func subject(_ id: ResourceID, of club: Club?, on book: Book) throws(LecternError) -> PositionDraft? {
        let none = LecternError.invalid([
            Violation(pointer: "/about", detail: "is no meeting or milestone of the club that is about this book")
        ])
        guard let club else { throw none }
        if let meeting = try read(MeetingTable.find(id, of: club.key, in: db)) {
            guard meeting.bookKey == book.key else { throw none }
            return meeting.at.map { .at($0) } ?? meeting.progress.map { .progress($0) }
        }
        guard let milestone = try read(MilestoneTable.find(id, of: club.key, in: db)), milestone.book == book.id else {
            throw none
        }
        return milestone.at.map { .at($0) } ?? .progress(milestone.progress)
    }
}
