import HTTPServer
import Model
import ObservableModels
import Store

/// What a club reads, by when, and where its members are.
extension APIHandler {
    func listClubBooks(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: Query.ofPages + Query.ofStreams)
        let limit = try query.limit()
        let club = try club(id, viewer, .see)
        return try answer(list: ClubBook.self, of: club, query, viewer, request, &response) {
            () throws(LecternError) in
            try self.reads.books(ofClub: club.key, after: query.text("cursor"), limit: limit)
        }
    }

    func putClubBook(
        _ id: ResourceID, _ book: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ClubBookPatch(Body.json(request))
        let precondition = Precondition(request, epoch: epoch)
        let now = Instant.now
        return try commit(
            PutClubBook(
                id: ResourceID(madeAt: now), club: id, book: book, patch: patch, precondition: precondition,
                viewer: viewer, now: now), request, viewer, &response)
    }

    func patchClubBook(
        _ id: ResourceID, _ book: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ClubBookPatch(Body.json(request, mergePatch: true))
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchClubBook(club: id, book: book, patch: patch, precondition: precondition, viewer: viewer), request,
            viewer, &response)
    }

    func deleteClubBook(
        _ id: ResourceID, _ book: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteClubBook(club: id, book: book, precondition: precondition, viewer: viewer), request, viewer,
            &response)
    }

    func listMilestones(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: ["book"] + Query.ofPages + Query.ofStreams)
        let limit = try query.limit()
        let book = try query.id("book")
        let club = try club(id, viewer, .see)
        let filter = book.map { ListFilter.having("book", $0) } ?? .all
        return try answer(list: Milestone.self, of: club, filter: filter, query, viewer, request, &response) {
            () throws(LecternError) in
            try self.reads.milestones(ofClub: club.key, book: book, after: query.text("cursor"), limit: limit)
        }
    }

    func createMilestone(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MilestonePatch(Body.json(request), form: .whole)
        let now = Instant.now
        return try commit(
            SetMilestone(id: ResourceID(madeAt: now), club: id, patch: patch, viewer: viewer, now: now), request,
            viewer, &response)
    }

    func patchMilestone(
        _ id: ResourceID, _ milestone: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MilestonePatch(Body.json(request, mergePatch: true), form: .patch)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchMilestone(
                id: milestone, club: id, patch: patch, precondition: precondition, viewer: viewer, now: .now),
            request, viewer, &response)
    }

    func deleteMilestone(
        _ id: ResourceID, _ milestone: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteMilestone(id: milestone, club: id, precondition: precondition, viewer: viewer), request, viewer,
            &response)
    }

    /// Standings that one page shows: as many as most clubs have.
    static let standingsDefault = 200
    static let standingsMax = 1000

    func listStandings(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let query = try Query(request, known: ["book"] + Query.ofPages + Query.ofStreams)
        let limit = try query.limit(default: Self.standingsDefault, max: Self.standingsMax)
        let book = try query.id("book")
        let club = try club(id, viewer, .see)
        let filter = book.map { ListFilter.having("book", $0) } ?? .current
        return try answer(
            list: Standing.self, of: club, filter: filter, skips: true, query, viewer, request, &response
        ) { () throws(LecternError) in
            try self.reads.standings(ofClub: club.key, book: book, after: query.text("cursor"), limit: limit)
        }
    }

    func createStanding(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try StandingDraft(Body.json(request))
        let now = Instant.now
        return try commit(
            ReadAlong(id: ResourceID(madeAt: now), club: id, draft: draft, viewer: viewer, now: now), request, viewer,
            &response)
    }

    func deleteStanding(
        _ id: ResourceID, _ standing: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            DeleteStanding(id: standing, club: id, precondition: precondition, viewer: viewer), request, viewer,
            &response)
    }
}
