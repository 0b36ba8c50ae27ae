import HTTPServer
import Model
import ObservableModels
import Store

/// What a club reads, by when, and where its members are.
extension APIHandler {
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
