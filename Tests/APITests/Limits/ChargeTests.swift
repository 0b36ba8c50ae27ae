import JSON
import Testing

@testable import API

@Suite("Work that is charged by its duration")
struct ChargeTests {
    /// Returns a stream of a hundred lists, which takes a loop far longer to begin than a request.
    private func stream() throws -> (service: TestService, stream: TestStream) {
        let service = try TestService { $0.rates.token = RateLimit(perSecond: 1, burst: 400) }
        let ben = try service.reader("Ben")
        let watch = (0..<100).map { "\"n\($0)\":\"/v1/books?q=a\"" }.joined(separator: ",")
        return (service, try TestStream(service, "{\(watch)}", token: ben))
    }

    /// Returns how many times a URL can be opened as a stream before it is refused.
    private func opened(_ service: TestService, _ target: String) throws -> Int {
        let request = "HEAD \(target) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n"
        for number in 0..<100 where try Wire(service).head(request).hasPrefix("HTTP/1.1 429") { return number }
        return 100
    }

    @Test("A reader who reopens a stream of many names again and again is refused")
    func streams() throws {
        let (service, stream) = try stream()
        // Counted as ten requests only, the stream could be opened 40 times.
        let opened = try opened(service, stream.url)
        #expect((1..<40).contains(opened), "\(opened)")
    }
}
