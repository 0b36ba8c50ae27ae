import Model
import Synchronization
import Testing

@testable import OpenID

@Suite("The provider's metadata")
struct DiscoveryTests {
    /// A provider that counts its requests.
    private final class Asked: Sendable {
        private let state = Mutex((count: 0, isAway: false))

        var count: Int { state.withLock { $0.count } }

        func goAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

        func answer() async throws(OpenIDError) -> ProviderMetadata {
            let isAway = state.withLock { state in
                state.count += 1
                return state.isAway
            }
            for _ in 0..<1000 { await Task.yield() }
            if isAway { throw .unreachable("away \(count)") }
            let document =
                #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"}"#
            return try ProviderMetadata(
                Array(document.utf8), of: EndpointURL("https://id.example", allowsPlain: false)!)
        }
    }

    @Test("Provider metadata is requested once for all who need it, and cached", arguments: [false, true])
    func once(isAway: Bool) async throws {
        let (discovery, asked) = (ProviderMetadataCache(), Asked())
        asked.goAway(isAway)
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    do throws(OpenIDError) {
                        let metadata = try await discovery.metadata(now: .now, asked.answer)
                        #expect(!isAway && metadata.token.text == "https://id.example/t")
                    } catch {
                        #expect(isAway && error == .unreachable("away 1"))
                    }
                }
            }
        }
        #expect(asked.count == 1)
    }

    @Test("Provider metadata is requested again some time after a failure, not at once")
    func again() async throws {
        let (discovery, asked) = (ProviderMetadataCache(), Asked())
        asked.goAway(true)
        let now = Instant.now
        func fails(after seconds: Int64) async -> Bool {
            do throws(OpenIDError) {
                _ = try await discovery.metadata(now: now.adding(seconds: seconds), asked.answer)
                return false
            } catch {
                return true
            }
        }
        #expect(await fails(after: 0))
        asked.goAway(false)
        #expect(await fails(after: 1) && asked.count == 1)
        // This holds on slow machines: the cache's time counts from the response.
        #expect(await !fails(after: 3000) && asked.count == 2)
        #expect(await !fails(after: 3000) && asked.count == 2)
    }
}
