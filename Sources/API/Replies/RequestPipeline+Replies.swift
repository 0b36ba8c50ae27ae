import HTTPServer
import Model
import ObservableModels
import Store

/// The single place that writes replies.
extension RequestPipeline {
    /// Writes a page of a list, which is read in one snapshot of the database.
    func write(
        _ page: () throws(RequestError) -> EncodedListPage, _ query: RequestQuery, _ request: borrowing Request,
        sharing: Bool,
        _ response: inout ResponseWriter
    ) throws(RequestError) {
        try requireJSON(request)
        let page = try reads.read(page)
        let link = page.next.map { query.link(to: $0, path: bytes(of: request.path)) }
        let document = DocumentResponse.own(page.body, link: link)
        if sharing { pages.hold(document, at: page.seq, for: request.target) }
        document.write(request, to: &response)
    }

    /// Writes the response to a command.
    func write(
        _ result: Result<CommandOutcome, RequestError>, _ context: ResponseContext, _ response: inout ResponseWriter
    ) {
        switch result {
        case .failure(let error): refuse(error, &response)
        case .success(let outcome): context.write(outcome, epoch: epoch, to: &response)
        }
    }

    /// Throws if the client accepts no JSON.
    func requireJSON(_ request: borrowing Request) throws(RequestError) {
        guard MediaType.quality("application/json", request) > 0 else {
            throw .refused(
                .notAcceptable,
                "The server can send application/json; also text/event-stream where the path can be watched and Accept names exactly that type."
            )
        }
    }

    /// Responds with a problem. An EventSource gives up after any error, so it gets an empty stream if a retry may
    /// succeed.
    func refuse(_ error: RequestError, toEventSource: Bool = false, _ response: inout ResponseWriter) {
        let problem = problemResponse(to: error, response.trace.id)
        guard toEventSource, let seconds = error.secondsToWait else {
            return problem.write(to: &response, epoch: epoch)
        }
        EmptyEventStream.write(after: seconds, reason: problem.encoded(to: response.trace.id), to: &response)
    }

    /// Returns the problem that a client gets for an error. Faults of the server are logged, and the client gets no
    /// details.
    func problemResponse(to error: RequestError, _ id: RequestID?) -> ProblemResponse {
        switch error {
        case .internalError(let what), .inBatch(_, .internalError(let what)):
            service.log.error(what, of: id)
        case .exceeded(_, let name, _, _, _): service.count(limit: name)
        default: break
        }
        return ProblemResponse(error)
    }

    /// Responds to a method that the path does not have.
    func allowed(
        _ allow: [UInt8], _ request: borrowing Request, _ response: inout ResponseWriter
    ) throws(RequestError) {
        guard request.method == .options else {
            throw .methodNotAllowed(allow: String(decoding: allow, as: UTF8.self))
        }
        response.status(204)
        response.field("Allow", allow)
        if response.crossesOrigins { CrossOriginRules.answer(preflight: request, methods: allow, &response) }
        response.empty()
    }
}

extension RequestError {
    static let noSuchRoute = RequestError.refused(
        .noSuchRoute, "The path does not exist. /openapi.yaml lists all paths.")

    /// The time in seconds after which the same request may succeed, or `nil` if waiting does not help.
    fileprivate var secondsToWait: Int? {
        switch self {
        case .exceeded(_, _, _, _, let seconds): seconds
        case .unavailable(_, _, let seconds): seconds
        case .outOfSpace, .internalError: 10
        default: nil
        }
    }
}
