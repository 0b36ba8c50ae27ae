import HTTPServer
import Model
import ObservableModels
import Store

/// Clubs that can be found, and who asks them to be let in.
extension APIHandler {
    func listListings(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: Query.ofPages + Query.ofStreams)
        let limit = try query.limit()
        _ = try query.fields(of: .listing)
        let page = { [reads, epoch] () throws(LecternError) in
            try reads.listings(after: query.text("cursor"), limit: limit).encoded(
                epoch, seq: reads.lastSeq(of: .everyone))
        }
        guard watches(request) else { return try answer(list: page, request, &response) }
        let watch = Watch(topics: [.list(.listing, .everyone)], kind: .listing, filter: .all)
        return try stream(watch, query, viewer, request, &response, snapshot: page)
    }

    func getListing(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        try get(Listing.self, id, .everyone, request, viewer, &response) { () throws(LecternError) in
            try self.reads.listing(id)
        }
    }

    func createJoinRequest(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try JoinRequestDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            AskToJoin(id: ResourceID(madeAt: now), club: id, draft: draft, viewer: viewer, now: now), request, viewer,
            &response, location: "/v1/requests")
    }

    /// The viewer's own requests.
    func listOwnRequests(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: Query.ofPages)
        let limit = try query.limit()
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.joinRequests(of: viewer.readerKey, after: query.text("cursor"), limit: limit)
                    .encoded(epoch, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func deleteOwnRequest(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        try commit(DeleteJoinRequest(id: id, viewer: viewer), request, viewer, &response)
    }

    /// Those who wait to be let into a club.
    func listJoinRequests(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: Query.ofPages)
        let limit = try query.limit()
        let club = try club(id, viewer, .invite)
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.joinRequests(toClub: club.key, after: query.text("cursor"), limit: limit)
                    .encoded(epoch, seq: self.reads.lastSeq(ofClub: club.key, seenBy: viewer.readerKey))
            }, request, &response)
    }

    func patchJoinRequest(
        _ id: ResourceID, _ joinRequest: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try JoinRequestPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            AnswerJoinRequest(
                id: joinRequest, club: id, patch: patch, precondition: precondition, viewer: viewer, now: .now),
            request, viewer, &response)
    }
}
