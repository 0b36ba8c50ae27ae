import HTTPServer
import Model
import Store

/// A job that requests something from another server before there is a response. It blocks no event loop.
struct Errand: Sendable {
    /// The next step after the job.
    enum Step: Sendable {
        case land(Landing)
        /// A command of the server itself, the response once it is on disk, and a function that gets its outcome.
        case commit(Command, Landing, then: @Sendable (_ isDone: Bool) -> Void)
    }

    /// The maximum number of running jobs of one loop for the identity provider.
    static let signInsMax = 64
    /// The maximum number of requests of one loop that wait for covers.
    static let coversMax = 4096

    let connection: ConnectionID
    /// A Boolean value indicating whether refusals are pages for a person.
    let isForPeople: Bool
    /// The cookies to set, also with refusals.
    let cookies: [String]
    /// A Boolean value indicating whether the job is for a cover. It is then cancelled when its client is gone, because
    /// only an image is lost.
    let isForCover: Bool
    let run: @Sendable () async throws(LecternError) -> Step

    init(
        _ request: borrowing Request, cookies: [String] = [], isForCover: Bool = false,
        run: @escaping @Sendable () async throws(LecternError) -> Step
    ) {
        connection = request.connection
        isForPeople = MediaType.isNamed("text/html", request)
        self.cookies = cookies
        self.isForCover = isForCover
        self.run = run
    }
}

extension APIHandler {
    /// Starts a job. The response is written when it ends.
    func run(_ errand: Errand) throws(LecternError) {
        guard errand.isForCover || signIns < Errand.signInsMax else {
            throw .unavailable(
                .providerUnreachable, "Too many sign-ins wait for the identity provider.", retryAfterSeconds: 2)
        }
        guard !errand.isForCover || covers.count < Errand.coversMax else {
            throw .unavailable(.notReady, "Too many requests wait for covers.", retryAfterSeconds: 2)
        }
        let task = Task(executorPreference: ErrandQueue.shared) { [self] in
            let step: Result<Errand.Step, LecternError>
            do throws(LecternError) { step = .success(try await errand.run()) } catch { step = .failure(error) }
            loop.execute { self.follow(step, errand) }
        }
        if errand.isForCover { covers[errand.connection] = task } else { signIns += 1 }
    }

    private func follow(_ step: Result<Errand.Step, LecternError>, _ errand: Errand) {
        if errand.isForCover { covers[errand.connection] = nil } else { signIns -= 1 }
        switch step {
        case .failure(let error): refuse(error, errand)
        case .success(.land(let landing)): loop.answer(errand.connection) { landing.write(to: &$0) }
        case .success(.commit(let command, let landing, let then)):
            let submission = Submission(command: command, asker: .house(at: .now)) { [self] result in
                if case .success = result { then(true) } else { then(false) }
                loop.execute {
                    switch result {
                    case .failure(let error): self.refuse(error, errand)
                    case .success: self.loop.answer(errand.connection) { landing.write(to: &$0) }
                    }
                }
            }
            guard service.store.submit(submission) else {
                let error = LecternError.unavailable(
                    .tooManyWrites, "Too many writes are waiting.", retryAfterSeconds: 1)
                return refuse(error, errand)
            }
        }
    }

    private func refuse(_ error: LecternError, _ errand: Errand) {
        loop.answer(errand.connection) { response in
            guard errand.isForPeople else {
                for cookie in errand.cookies { response.field("Set-Cookie", cookie) }
                return desk.refuse(error, &response)
            }
            Pages.refusal(desk.told(error, response.trace.id), cookies: errand.cookies).write(to: &response)
        }
    }
}
