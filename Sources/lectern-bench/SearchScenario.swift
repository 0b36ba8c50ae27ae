import Foundation
import Synchronization

/// Searches among very many books, and the latency that they cause for other clients of the same event loop. No two
/// requests are equal, so no cached page is used.
struct SearchScenario: Sendable {
    let port: UInt16
    let token: String
    let books: GeneratedBooks
    let connections: Int
    let seconds: Double

    private typealias Random = GeneratedBooks.Generator

    private static let kinds: [(name: String, query: @Sendable (inout Random) -> String)] = [
        ("rare word", { "q=" + GeneratedBooks.word(.random(in: 100_000..<GeneratedBooks.wordCount, using: &$0)) }),
        ("common word", { "q=" + common(&$0) }),
        ("two letters", { "q=" + GeneratedBooks.word(.random(in: 0..<105, using: &$0)) }),
        ("one letter", { "q=" + common(&$0).prefix(1) }),
        ("three words", { "q=\(word(&$0))+\(word(&$0))+\(word(&$0))" }),
        ("no hit", { "q=" + word(&$0) + "xqzk" }),
        ("in a language", { "q=\(common(&$0))&language=da" }),
        (
            "of a year",
            { random in
                let year = Int.random(in: 1500...2025, using: &random)
                return "q=\(common(&random))&publishedFrom=\(year)&publishedTo=\(year)"
            }
        ),
        ("by title", { "q=\(word(&$0))&sort=title" }),
    ]

    private static func word(_ random: inout Random) -> String { GeneratedBooks.word(GeneratedBooks.rank(&random)) }

    private static func common(_ random: inout Random) -> String {
        GeneratedBooks.word(.random(in: 0..<60, using: &random))
    }

    func run() {
        fill()
        for (name, query) in Self.kinds {
            let isOver = Mutex(false)
            let waits = Mutex<[UInt32]>([])
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                wait(until: { isOver.withLock { $0 } }) { wait in waits.withLock { $0.append(wait) } }
                done.signal()
            }
            let result = RequestLoad.run(port: port, connections: 1, seconds: seconds, expecting: 200) {
                [token] _, number in
                var random = Random(state: UInt64(number))
                let path = "/v1/books?\(query(&random))&limit=\(20 + number % 80)"
                return BenchServer.request("GET", path, as: token)
            }
            isOver.withLock { $0 = true }
            done.wait()
            let other = LoadResult(latencies: waits.withLock { $0.sorted() })
            print(
                String(
                    format: "%@ p50 %.2f p99 %.2f max %.2f ms; others wait p50 %.2f p99 %.2f max %.2f ms; %d failures",
                    "  \(name)".padding(toLength: 18, withPad: " ", startingAt: 0), result.percentile(0.5),
                    result.percentile(0.99), result.percentile(1), other.percentile(0.5), other.percentile(0.99),
                    other.percentile(1), result.failures))
        }
    }

    /// Measures another client's latency in microseconds, with some hundred requests a second on a separate connection.
    private func wait(until isOver: () -> Bool, each: (UInt32) -> Void) {
        guard let connection = BenchConnection(port: port) else { return }
        let request = BenchServer.request("GET", "/healthz", as: token)
        while !isOver() {
            let start = DispatchTime.now().uptimeNanoseconds
            guard connection.exchange(request) != nil else { return }
            each(UInt32(clamping: (DispatchTime.now().uptimeNanoseconds - start) / 1000))
            usleep(2000)
        }
    }

    /// Creates the books, over many connections at once.
    private func fill() {
        let start = Date.now
        let next = Mutex(0)
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<connections {
            Thread.detachNewThread {
                defer { done.signal() }
                guard let connection = BenchConnection(port: port) else { return }
                while true {
                    let number = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard number < books.count else { return }
                    let request = BenchServer.request(
                        "POST", "/v1/books", books.body(number), fields: "Prefer: return=minimal\r\n", as: token)
                    _ = connection.exchange(request)
                }
            }
        }
        for _ in 0..<connections { done.wait() }
        print(String(format: "search              %d books posted in %.1f s", books.count, -start.timeIntervalSinceNow))
    }
}
