import JSON
import Model

/// What somebody who has the code of an invitation is shown before they come: into which club it lets, and what they are to share
/// there.
struct MembershipPreview {
    private let club: Club
    private let member: Member

    /// For who is there already: what they share now.
    init(of club: Club, _ member: Member) { (self.club, self.member) = (club, member) }

    /// For a reader of whom it is known what they share by their settings, and what they say to share here.
    init(_ draft: JoinDraft, of club: Club, settings: Member.Sharing) {
        var member = Member(Identity(id: .zero))
        draft.sharing.apply(to: &member, in: club, settings: settings)
        (self.club, self.member) = (club, member)
    }

    /// `{"club": …, "name": …, "description": …, "isArchived": …, "shares": …, "sharesWithModerators": …}`
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
