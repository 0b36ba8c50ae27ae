import HTTPServer
import Model
import Store

extension RequestPipeline {
    /// Returns a line of a batch, parsed as a request of its own would be.
    func line(
        _ given: Result<InternalRequest, RequestError>, of batch: borrowing Request, by viewer: Viewer, now: Instant
    ) -> Result<PendingWrite, RequestError> {
        do throws(RequestError) {
            let line = try given.get().read(for: batch.connection, batch.transport) { request throws(RequestError) in
                try self.line(request, by: viewer, now: now)
            }
            guard let line else {
                throw .refused(
                    .notInBatch, "This is not a valid request: its path or an entity tag has invalid characters.")
            }
            return .success(line)
        } catch {
            return .failure(error)
        }
    }

    private func line(
        _ request: borrowing Request, by viewer: Viewer, now: Instant
    ) throws(RequestError) -> PendingWrite {
        switch Route.router.lookup(path: request.path, method: request.method) {
        case .notFound: throw .noSuchRoute
        case .methodNotAllowed(let allow): throw .methodNotAllowed(allow: String(decoding: allow, as: UTF8.self))
        case .found(let number, let captures):
            let route = Route.all[number]
            guard route.inBatches else { throw .notInBatch }
            try demand(route, of: viewer, request)
            let query = try RequestQuery(request, known: route.parameters)
            let call = RouteCall(copy request, captures, query, viewer, now: now, isWatched: false, self)
            guard case .commit(let command, let location, nil, nil) = try route.answer(call) else { throw .notInBatch }
            let actor = CommandActor(viewer, at: now, precondition: Precondition(request, epoch: epoch))
            return PendingWrite(
                command: route.admission == .administrators ? command.forAdministrators() : command, actor: actor,
                idempotency: nil, context: ResponseContext(request, location, nil))
        }
    }
}

extension RequestError {
    static let notInBatch = RequestError.refused(
        .notInBatch,
        "Send this on its own. A batch takes no reads, batches, streams, presence, covers, imports, backups, credentials, deletions of accounts, or requests that show a secret."
    )
}
