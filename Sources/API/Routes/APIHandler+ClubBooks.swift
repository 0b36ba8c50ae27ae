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
        return try commit(.putClubBook(book, of: id, patch), request, viewer, &response)
    }

    func patchClubBook(
        _ id: ResourceID, _ book: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try ClubBookPatch(Body.json(request, mergePatch: true))
        return try commit(.patchClubBook(book, of: id, patch), request, viewer, &response)
    }

    func deleteClubBook(
        _ id: ResourceID, _ book: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteClubBook(book, of: id), request, viewer, &response)
    }

    func createMilestone(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MilestonePatch(Body.json(request), form: .whole)
        return try commit(.setMilestone(of: id, patch), request, viewer, &response)
    }

    func patchMilestone(
        _ id: ResourceID, _ milestone: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let patch = try MilestonePatch(Body.json(request, mergePatch: true), form: .patch)
        return try commit(.patchMilestone(milestone, of: id, patch), request, viewer, &response)
    }

    func deleteMilestone(
        _ id: ResourceID, _ milestone: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteMilestone(milestone, of: id), request, viewer, &response)
    }

    func createStanding(
        _ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        let draft = try StandingDraft(Body.json(request))
        return try commit(.readAlong(id, draft), request, viewer, &response)
    }

    func deleteStanding(
        _ id: ResourceID, _ standing: ResourceID, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        return try commit(.deleteStanding(standing, of: id), request, viewer, &response)
    }
}
