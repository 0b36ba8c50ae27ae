import HTTPServer
import Model
import Store

extension APIHandler {
    func listReaders(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let query = try Query(request, known: ["limit", "cursor"])
        let limit = try query.limit()
        try requireJSON(request)
        return try answer(
            list: { () throws(LecternError) in
                try self.reads.readers(after: query.text("cursor"), limit: limit).encoded(
                    epoch, seq: self.reads.lastSeq(of: viewer.scope))
            }, request, &response)
    }

    func getReader(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        _ = try Query(request, known: [])
        try requireJSON(request)
        guard let reader = try reads.reader(id) else { throw .notFound }
        return answer(representation: reader.encoded(), version: reader.version, request, &response)
    }

    func createReader(_ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(Body.json(request), form: .whole, roleMayChange: true)
        let now = Instant.now
        return try commit(
            CreateReader(id: ResourceID(madeAt: now), patch: patch, viewer: viewer, now: now), request, viewer,
            &response)
    }

    func patchReader(_ id: ResourceID, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter)
        throws(LecternError) -> Disposition
    {
        let patch = try ReaderPatch(
            Body.json(request, mergePatch: true), form: .patch, roleMayChange: viewer.role == .administrator)
        let precondition = Precondition(request, epoch: epoch)
        return try commit(
            PatchReader(id: id, patch: patch, precondition: precondition, viewer: viewer, now: .now), request, viewer,
            &response)
    }
}
