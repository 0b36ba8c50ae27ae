import Model
import Synchronization

/// A cache of the provider's metadata. One caller requests it, and concurrent callers wait for that response. It is
/// kept for an hour, and a failure for five seconds, so that not every sign-in requests it from a provider that is
/// down.
final class ProviderMetadataCache: Sendable {
    private static let keptSeconds: Int64 = 3600
    static let pauseSeconds: Int64 = 5

    private typealias Answer = Result<ProviderMetadata, OpenIDError>

    private struct State {
        var last: (answer: Answer, until: Instant)?
        /// The callers that wait for the request in progress, or `nil` if there is none.
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
            // The request ended in between.
            if let last { waiter.resume(returning: last) }
        }
    }
}
