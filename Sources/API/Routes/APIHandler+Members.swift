import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    func createMembership(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let draft = try JoinDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            JoinClub(id: ResourceID(madeAt: now), code: draft.code, viewer: viewer, now: now), request, viewer,
            &response, location: "")
    }

    func patchMember(
        _ id: ResourceID, _ reader: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MemberPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchMember(club: id, reader: reader, patch: patch, precondition: precondition, viewer: viewer), request,
            viewer, &response)
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
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteMember(
                club: id, reader: reader, isBanned: isBanned, precondition: precondition, viewer: viewer, now: .now),
            request, viewer, &response)
    }

    func createInvitation(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let now = Instant.now
        let draft = try InvitationDraft(Body.json(request), now: now)
        let code = TokenSecret(prefix: "").text
        return try commit(
            CreateInvitation(
                id: ResourceID(madeAt: now), club: id, code: code, draft: draft, viewer: viewer, now: now), request,
            viewer, &response, secret: Secret(name: "code", text: code))
    }

    func deleteInvitation(
        _ id: ResourceID, _ invitation: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(DeleteInvitation(id: invitation, club: id, viewer: viewer), request, viewer, &response)
    }
}
