import Model

/// A cache of the provider's metadata. One caller requests it, and concurrent callers wait for that response. It is
/// kept for an hour, and a failure for five seconds, so that not every sign-in requests it from a provider that is
/// down.
actor ProviderMetadataCache {
    private static let keptSeconds: Int64 = 3600
    static let pauseSeconds: Int64 = 5

    private typealias Answer = Result<ProviderMetadata, OpenIDError>

    /// The last request, and the end of its answer's validity, which is unknown while it is in progress.
    private var last: (request: Task<Answer, Never>, until: Instant?)?

    func metadata(
        now: Instant, _ ask: @escaping @Sendable () async throws(OpenIDError) -> ProviderMetadata
    ) async throws(OpenIDError) -> ProviderMetadata {
        if let last, last.until.map({ $0 > now }) ?? true { return try await last.request.value.get() }
        let request = Task { () async -> Answer in
            do throws(OpenIDError) { return .success(try await ask()) } catch { return .failure(error) }
        }
        last = (request, nil)
        let answer = await request.value
        let seconds = if case .success = answer { Self.keptSeconds } else { Self.pauseSeconds }
        last?.until = Instant.now.adding(seconds: seconds)
        return try answer.get()
    }
}
