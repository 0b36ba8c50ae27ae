import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createMembership(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try JoinDraft(Body.json(request))
        return try commit(.joinClub(code: draft.code), request, viewer, &response, location: "")
    }

    func patchMember(
        _ id: ResourceID, _ reader: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MemberPatch(Body.json(request, mergePatch: true))
        return try commit(.patchMember(reader, of: id, patch), request, viewer, &response)
    }

    func deleteMember(
        _ id: ResourceID, _ reader: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: FormerRoute.deleteMember.parametersOfWrite)
        let isBanned = try query.bool("ban") ?? false
        guard !isBanned || reader != viewer.reader else {
            throw query.refusal("ban", "is for members whom you take out, not for yourself")
        }
        return try commit(.deleteMember(reader, of: id, isBanned: isBanned), request, viewer, &response)
    }

    func createInvitation(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let now = Instant.now
        let draft = try InvitationDraft(Body.json(request), now: now)
        let code = TokenSecret(prefix: "").text
        return try commit(
            .createInvitation(to: id, draft, code: code), request, viewer, &response,
            secret: Secret(name: "code", text: code))
    }

    func deleteInvitation(
        _ id: ResourceID, _ invitation: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(.deleteInvitation(invitation, to: id), request, viewer, &response)
    }
}
