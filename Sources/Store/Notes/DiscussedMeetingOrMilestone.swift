import Model

/// The subject of a note: the position of a club's meeting or milestone, and its run.
struct DiscussedMeetingOrMilestone {
    /// The position, or `nil` for a meeting about the whole book.
    let position: Position?
    let run: ResourceID?
}

extension WriteState {
    func subject(_ id: ResourceID, of club: Club?, on book: Book) throws(RequestError) -> DiscussedMeetingOrMilestone {
        let none = RequestError.violation("/about", "is not a meeting or milestone of the club for this book")
        guard let club else { throw none }
        if let meeting = try read(MeetingTable.find(id, of: club.key, in: db)) {
            guard meeting.bookKey == book.key else { throw none }
            return DiscussedMeetingOrMilestone(position: meeting.position?.withoutLocator, run: meeting.run)
        }
        guard let milestone = try read(MilestoneTable.find(id, of: club.key, in: db)), milestone.book == book.id else {
            throw none
        }
        return DiscussedMeetingOrMilestone(position: milestone.position?.withoutLocator, run: milestone.run)
    }
}
