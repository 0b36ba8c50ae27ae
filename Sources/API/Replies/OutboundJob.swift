import HTTPServer
import Model
import Store

/// A job that requests something from another server before there is a response. It blocks no event loop.
struct OutboundJob: Sendable {
    /// The maximum number of running jobs of one loop for the identity provider.
    static let signInsMax = 64
    /// The maximum number of requests of one loop that wait for covers.
    static let coversMax = 4096

    let connection: ConnectionID
    /// A Boolean value indicating whether an error is sent as an HTML page rather than as JSON.
    let isForPeople: Bool
    /// The cookies to set, also with refusals.
    let cookies: [String]
    /// A Boolean value indicating whether the job is for a cover. It is then cancelled when its client is gone, because
    /// only an image is lost.
    let isForCover: Bool
    let run: @Sendable () async throws(RequestError) -> DocumentResponse

    init(
        _ request: borrowing Request, cookies: [String] = [], isForCover: Bool = false,
        run: @escaping @Sendable () async throws(RequestError) -> DocumentResponse
    ) {
        connection = request.connection
        isForPeople = MediaType.isNamed("text/html", request)
        self.cookies = cookies
        self.isForCover = isForCover
        self.run = run
    }
}

extension Store {
    /// Executes a command of the server itself, and returns when it is on disk.
    func perform(_ command: Command) async throws(RequestError) {
        let result = await withCheckedContinuation { continuation in
            let submission = SubmittedCommand(command: command, actor: .server(at: .now)) {
                continuation.resume(returning: $0)
            }
            do throws(RequestError) { try enqueue(submission) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        _ = try result.get()
    }
}

extension APIHandler {
    /// Starts a job. The response is written when it ends.
    func run(_ outboundJob: OutboundJob) throws(RequestError) {
        guard outboundJob.isForCover || signIns < OutboundJob.signInsMax else {
            throw .unavailable(
                .providerUnreachable, "Too many sign-ins wait for the identity provider. Try again in a moment.",
                retryAfterSeconds: 2)
        }
        guard !outboundJob.isForCover || covers.count < OutboundJob.coversMax else {
            throw .unavailable(
                .notReady, "Too many requests wait for covers. Try again in a moment.", retryAfterSeconds: 2)
        }
        let task = Task(executorPreference: OutboundExecutor.shared) { [self] in
            let result: Result<DocumentResponse, RequestError>
            do throws(RequestError) { result = .success(try await outboundJob.run()) } catch {
                result = .failure(error)
            }
            loop.execute { self.finish(outboundJob, result) }
        }
        if outboundJob.isForCover { covers[outboundJob.connection] = task } else { signIns += 1 }
    }

    private func finish(_ outboundJob: OutboundJob, _ result: Result<DocumentResponse, RequestError>) {
        if outboundJob.isForCover { covers[outboundJob.connection] = nil } else { signIns -= 1 }
        switch result {
        case .failure(let error): refuse(error, outboundJob)
        case .success(let document): loop.answer(outboundJob.connection) { document.write(to: &$0) }
        }
    }

    private func refuse(_ error: RequestError, _ outboundJob: OutboundJob) {
        loop.answer(outboundJob.connection) { response in
            guard outboundJob.isForPeople else {
                for cookie in outboundJob.cookies { response.field("Set-Cookie", cookie) }
                return pipeline.refuse(error, &response)
            }
            EmbeddedPages.refusal(pipeline.problemResponse(to: error, response.trace.id), cookies: outboundJob.cookies)
                .write(to: &response)
        }
    }
}
