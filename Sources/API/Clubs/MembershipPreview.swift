import JSON
import Model

/// A preview for a reader with an invitation code: the club, and the sharing that applies to the new member.
struct MembershipPreview {
    private let club: Club
    private let member: Member

    /// Creates the preview for a member, with their current sharing.
    init(of club: Club, _ member: Member) { (self.club, self.member) = (club, member) }

    /// Creates the preview for a reader who would join, from the request's sharing and their settings.
    init(_ draft: JoinDraft, of club: Club, settings: Member.Sharing) {
        var member = Member(Identity(id: .zero))
        draft.sharing.apply(to: &member, in: club, settings: settings)
        (self.club, self.member) = (club, member)
    }

    /// Returns the JSON `{"club": …, "name": …, "description": …, "isArchived": …, "shares": …, "sharesWithModerators":
    /// …}`.
    func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.name("club")
        json.id(club.id)
        json.name("name")
        json.string(club.name)
        json.name("description")
        json.value(club.description)
        json.name("isArchived")
        json.bool(club.isArchived)
        json.name("shares")
        json.value(member.shares)
        json.name("sharesWithModerators")
        json.value(member.sharesWithModerators)
        json.endObject()
        return json.bytes
    }
}
