import HTTPServer
import Model
import ObservableModels
import Store

extension APIHandler {
    /// A club that the viewer is in, when they may do that in it. Any other is not found, whether it is there or not.
    func club(_ id: ResourceID, _ viewer: Viewer, _ action: ClubAction) throws(LecternError) -> Club {
        guard let (club, member) = try reads.club(id, of: viewer.readerKey) else { throw .notFound }
        try Rights.demand(action, of: member.role)
        return club
    }

    func listClubs(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["limit", "cursor"])
        let limit = try query.limit()
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.clubs(of: viewer.readerKey, after: query.text("cursor"), limit: limit).encoded(
                    epoch, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func createClub(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            CreateClub(id: ResourceID(madeAt: now), patch: patch, viewer: viewer, now: now), request, viewer, &response)
    }

    func getClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let key = try club(id, viewer, .see).key
        return try answer(one: Club.self, id, of: key, request, viewer, &response) { () throws(LecternError) in
            try self.club(id, viewer, .see)
        }
    }

    func patchClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ClubPatch(Body.json(request, mergePatch: true), form: .patch)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchClub(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }

    func deleteClub(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteClub(id: id, precondition: precondition, viewer: viewer), request, viewer, &response)
    }
}
