package import Model

/// What a command wants to be true of one resource. Nothing before: it is made. Nothing after: it is taken away.
package enum Proposal: Sendable {
    case book(before: Book?, after: Book?)
    case reading(before: Reading?, after: Reading?)
    case entry(before: Entry?, after: Entry?)
    case reader(before: Reader?, after: Reader?)
    case club(before: Club?, after: Club?)
    case member(before: Member?, after: Member?)
    case invitation(before: Invitation?, after: Invitation?)
    case note(before: Note?, after: Note?)
    case clubBook(before: ClubBook?, after: ClubBook?)
    case milestone(before: Milestone?, after: Milestone?)
    case standing(before: Standing?, after: Standing?)
    case meeting(before: Meeting?, after: Meeting?)
    case attendance(before: Attendance?, after: Attendance?)
    case calendar(before: Calendar?, after: Calendar?)
    case listing(before: Listing?, after: Listing?)
    case joinRequest(before: JoinRequest?, after: JoinRequest?)
    case removal(before: Removal?, after: Removal?)
    /// A reader is told that they have come to a club, or gone from it.
    case membership(ChangeOperation, club: ResourceID, reader: Int64)
    /// Notes of a club, by key, come into a member's sight, in this order.
    case unlock([Int64], club: Int64, reader: Int64)
    /// How far a reader is at a place (see the table `reach`): kept, but no change that anybody watches.
    case reach(reader: Int64, place: Int64, Progress)
    /// A reader who asked to be let in is told what became of it; right after the change itself.
    case tell(before: JoinRequest?, after: JoinRequest?)
    /// A reader has a reaction to a note, or has it no longer: the note's counts are a change of the note.
    case react(Reaction, Bool, note: Int64, reader: Int64)
    /// A new token, with the digest of its secret.
    case issue(Token, Digest)
    /// A token that holds no longer.
    case revoke(Token)
    /// The day a token was used: kept, but no change that anybody watches.
    case touch(ResourceID, day: Int64)
}

/// What a command decided: its proposals, in the order in which they are to be logged.
package struct Decision: Sendable {
    /// In order. A proposal whose two sides are equal changes nothing.
    package let proposals: [Proposal]
    /// Which of them the answer is about.
    package let subject: Int

    /// A decision whose answer is about the proposal at `subject`.
    package init(_ proposals: [Proposal], subject: Int = 0) {
        self.proposals = proposals
        self.subject = subject
    }
}
