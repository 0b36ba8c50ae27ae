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
    let run: @Sendable () async throws(RequestError) -> OutboundJobResult

    init(
        _ request: borrowing Request, cookies: [String] = [], isForCover: Bool = false,
        run: @escaping @Sendable () async throws(RequestError) -> OutboundJobResult
    ) {
        connection = request.connection
        isForPeople = MediaType.isNamed("text/html", request)
        self.cookies = cookies
        self.isForCover = isForCover
        self.run = run
    }
}

/// The next step after the job.
enum OutboundJobResult: Sendable {
    case respond(DocumentResponse)
    /// A command of the server itself, the response once it is on disk, and a function that gets its outcome.
    case commit(Command, DocumentResponse, then: @Sendable (_ isDone: Bool) -> Void)
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
            let step: Result<OutboundJobResult, RequestError>
            do throws(RequestError) { step = .success(try await outboundJob.run()) } catch { step = .failure(error) }
            loop.execute { self.follow(step, outboundJob) }
        }
        if outboundJob.isForCover { covers[outboundJob.connection] = task } else { signIns += 1 }
    }

    private func follow(_ step: Result<OutboundJobResult, RequestError>, _ outboundJob: OutboundJob) {
        if outboundJob.isForCover { covers[outboundJob.connection] = nil } else { signIns -= 1 }
        switch step {
        case .failure(let error): refuse(error, outboundJob)
        case .success(.respond(let document)): loop.answer(outboundJob.connection) { document.write(to: &$0) }
        case .success(.commit(let command, let document, let then)):
            let submission = SubmittedCommand(command: command, actor: .server(at: .now)) { [self] result in
                if case .success = result { then(true) } else { then(false) }
                loop.execute {
                    switch result {
                    case .failure(let error): self.refuse(error, outboundJob)
                    case .success: self.loop.answer(outboundJob.connection) { document.write(to: &$0) }
                    }
                }
            }
            do throws(RequestError) { try service.store.enqueue(submission) } catch { refuse(error, outboundJob) }
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
