import HTTPServer
import Model
import Store

/// A job that ends with a response: a request to another server, or work with a password. It blocks no event loop.
struct ResponseJob: Sendable {
    enum Kind {
        /// A request to the identity provider.
        case signIn
        /// A cover. The job is cancelled when its client is gone, because only an image is lost.
        case cover
        /// Work of the password thread, which limits the number of jobs.
        case password

        /// The maximum number of running jobs of one loop.
        var max: Int {
            switch self {
            case .signIn: 64
            case .cover: 4096
            case .password: .max
            }
        }
    }

    enum Response: Sendable {
        case document(DocumentResponse)
        case outcome(CommandOutcome, ResponseContext)
    }

    let kind: Kind
    let connection: ConnectionID
    /// A Boolean value indicating whether an error is sent as an HTML page rather than as JSON.
    let isForPeople: Bool
    /// The cookies to set, also with refusals.
    let cookies: [String]
    let run: @Sendable () async throws(RequestError) -> Response

    init(
        _ kind: Kind, _ request: borrowing Request, cookies: [String] = [],
        run: @escaping @Sendable () async throws(RequestError) -> Response
    ) {
        (self.kind, connection, self.cookies, self.run) = (kind, request.connection, cookies, run)
        isForPeople = kind != .password && MediaType.isNamed("text/html", request)
    }
}

extension APIHandler {
    /// Starts a job. The response is written when it ends.
    func run(_ job: ResponseJob) throws(RequestError) {
        guard jobCounts[job.kind, default: 0] < job.kind.max else {
            throw .unavailable(
                job.kind == .cover ? .notReady : .providerUnreachable,
                "Too many requests wait for another server. Try again in a moment.", retryAfterSeconds: 2)
        }
        jobCounts[job.kind, default: 0] += 1
        let task = Task(executorPreference: OutboundExecutor.shared) { [self] in
            let result: Result<ResponseJob.Response, RequestError>
            do throws(RequestError) { result = .success(try await job.run()) } catch {
                result = .failure(error)
            }
            loop.execute { self.finish(job, result) }
        }
        if job.kind == .cover { covers[job.connection] = task }
    }

    private func finish(_ job: ResponseJob, _ result: Result<ResponseJob.Response, RequestError>) {
        jobCounts[job.kind, default: 1] -= 1
        covers[job.connection] = nil
        switch result {
        case .failure(let error): refuse(error, job)
        case .success(.document(let document)): loop.answer(job.connection) { document.write(to: &$0) }
        case .success(.outcome(let outcome, let context)):
            loop.answer(job.connection) { pipeline.write(.success(outcome), context, &$0) }
        }
    }

    private func refuse(_ error: RequestError, _ job: ResponseJob) {
        loop.answer(job.connection) { response in
            guard job.isForPeople else {
                for cookie in job.cookies { response.field("Set-Cookie", cookie) }
                return pipeline.refuse(error, &response)
            }
            EmbeddedPages.refusal(pipeline.problemResponse(to: error, response.trace.id), cookies: job.cookies)
                .write(to: &response)
        }
    }
}
