import HTTPServer
import Model
import Store

/// The routes of a club's members, and of removed members.
extension Route {
    static let members: [Route] = [
        Route(.get, "/v1/clubs/{id}/members", "listMembers", parameters: paged()) { call throws(RequestError) in
            try call.list(ReadConnection.members, in: call.club(.see).scope)
        },
        Route(.get, "/v1/clubs/{id}/removals", "listRemovals", parameters: paged(), watching: .whole) {
            call throws(RequestError) in
            try call.list(ReadConnection.removals, whoMay: .removeMembers)
        },
        Route(.post, "/v1/memberships", "createMembership", inBatches: true) { call throws(RequestError) in
            let draft = try JoinClubDraft(call.json())
            return .commit(.createMembership(code: draft.code, sharing: draft.sharing), location: .inClub)
        },
        Route(.get, "/v1/clubs/{id}/members/{readerId}", "getMember") { call throws(RequestError) in
            let (club, reader) = (try call.club(.see), try call.id(1))
            return try call.one(Member.id(of: reader, in: club.id), of: club.key) { reads throws(RequestError) in
                try reads.member(reader, of: club.key)
            }
        },
        writing(.patch, "/v1/clubs/{id}/members/{readerId}", "updateMember") { .updateMember($0[1], of: $0[0], $1) },
        Route(
            .delete, "/v1/clubs/{id}/members/{readerId}", "deleteMember", inBatches: true, parameters: ["ban", "notes"]
        ) { call throws(RequestError) in
            let (reader, isBanned) = (try call.id(1), try call.query.bool("ban") ?? false)
            let noteDisposition: NotesOnLeaving? = try call.query.choice("notes")
            guard !isBanned || reader != call.viewer.reader else {
                throw call.query.refusal("ban", "must not be given when you leave yourself")
            }
            guard noteDisposition == nil || reader == call.viewer.reader else {
                throw call.query.refusal(
                    "notes", "must not be given for another member: only the author decides about their notes")
            }
            return .commit(.deleteMember(reader, of: try call.id(0), isBanned: isBanned, leaving: noteDisposition))
        },
        deleting("/v1/clubs/{id}/removals/{removalId}", "deleteRemoval") { .deleteRemoval($0[1], from: $0[0]) },
    ]
}
