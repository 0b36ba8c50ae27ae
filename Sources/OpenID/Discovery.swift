import Model
import Synchronization

/// What the provider says of itself. One asks, and all who need it meanwhile wait for that one's answer; it is kept for an hour, and a
/// failure for some seconds: a provider that is away is not asked by everybody who would like to sign in.
final class Discovery: Sendable {
    private static let keptSeconds: Int64 = 3600
    static let pauseSeconds: Int64 = 5

    private typealias Answer = Result<ProviderMetadata, OpenIDError>

    private struct State {
        var last: (answer: Answer, until: Instant)?
        /// Who waits for the one that asks; nil while nobody does.
        var waiting: [CheckedContinuation<Answer, Never>]?
    }

    private let state = Mutex(State())

    func metadata(
        now: Instant, _ ask: () async throws(OpenIDError) -> ProviderMetadata
    ) async throws(OpenIDError) -> ProviderMetadata {
        if let last = state.withLock({ $0.last }), last.until > now { return try last.answer.get() }
        let isFirst = state.withLock { state in
            if state.waiting != nil { return false }
            state.waiting = []
            return true
        }
        guard isFirst else { return try await answerOfOther().get() }
        let answer: Answer
        do throws(OpenIDError) { answer = .success(try await ask()) } catch { answer = .failure(error) }
        let seconds = if case .success = answer { Self.keptSeconds } else { Self.pauseSeconds }
        let waiting = state.withLock { state in
            state.last = (answer, Instant.now.adding(seconds: seconds))
            defer { state.waiting = nil }
            return state.waiting ?? []
        }
        for waiter in waiting { waiter.resume(returning: answer) }
        return try answer.get()
    }

    private func answerOfOther() async -> Answer {
        await withCheckedContinuation { waiter in
            let last: Answer? = state.withLock { state in
                state.waiting?.append(waiter)
                return state.waiting == nil ? state.last?.answer : nil
            }
            // It came in between.
            if let last { waiter.resume(returning: last) }
        }
    }
}
