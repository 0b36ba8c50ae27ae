import HTTPServer
import JSON
import Measures
import SharedByTests
import Store
import Testing

@testable import API

@Suite("Metrics", .ownThreads)
struct MetricsTests {
    @Test("A request is counted by its route and status, for any number of different URLs")
    func bounded() throws {
        let service = try TestService()
        func lines() throws -> Set<Substring> {
            let text = try service.send("GET", "/metrics").text
            return Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } })
        }
        _ = try service.send("GET", "/v1/books/none")
        _ = try service.send("GET", "/nowhere")
        _ = try lines()
        let before = try lines()
        for number in 0..<300 {
            _ = try service.send("GET", "/v1/books/\(number)")
            _ = try service.send("GET", "/nowhere/\(number)?\(number)=\(number)")
        }
        #expect(try lines() == before)
        let ofBooks = ["method=\"GET\"", "route=\"/v1/books/{id}\"", "status=\"404\""]
        #expect(try service.metric("lectern_requests_total", ofBooks[0], ofBooks[1], ofBooks[2]) == 301)
        #expect(try service.metric("lectern_requests_total", "route=\"none\"", "status=\"404\"") == 301)
        #expect(
            try service.metric("lectern_request_duration_seconds_count", "route=\"/v1/books/{id}\"", "status=\"4xx\"")
                == 301)
        #expect(
            try service.metric(
                "lectern_request_duration_seconds_bucket", "route=\"/v1/books/{id}\"", "status=\"4xx\"", "le=\"+Inf\"")
                == 301)
    }

    @Test("Writes, limit refusals, streams and polls are counted by kind")
    func kinds() throws {
        let service = try TestService()
        _ = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        #expect(try service.metric("lectern_requests_total", "method=\"POST\"", "route=\"/v1/books\"", "\"201\"") == 1)
        #expect(try service.metric("lectern_commits_total") > 0)
        #expect(
            try service.metric("lectern_commit_duration_seconds_count") == service.metric("lectern_commits_total"))
        #expect(try service.metric("lectern_commit_commands_count") == service.metric("lectern_commits_total"))
        let poll = try service.send(
            "GET", "/v1/changes?after=\(service.head())", fields: ["Prefer: wait=1"])
        #expect(poll.status == 200)
        // The second request waited at its client's request, which does not count as duration.
        #expect(try service.metric("lectern_requests_total", "route=\"/v1/changes\"", "\"200\"") == 2)
        #expect(try service.metric("lectern_request_duration_seconds_count", "route=\"/v1/changes\"") == 1)
        let long = String(repeating: "x", count: 9000)
        _ = try Wire(service).answer(to: "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try service.metric("lectern_requests_total", "route=\"none\"", "\"414\"") == 1)
        #expect(try service.metric("lectern_limits_hit_total", "limit=\"request-line-too-long\"") == 1)
    }

    @Test("The turns of loops and writer are measured")
    func turns() throws {
        let service = try TestService()
        let before = try service.metric("lectern_loop_turn_duration_seconds_count")
        _ = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        _ = try service.send("GET", "/v1/books")
        #expect(try service.metric("lectern_loop_turn_duration_seconds_count") >= before + 3)
        #expect(try service.metric("lectern_writer_turn_duration_seconds_count") > 0)
        // The values are in seconds, with a decimal point.
        let text = try service.send("GET", "/metrics").text
        #expect(text.contains("\nlectern_loop_turn_longest_seconds 0."))
        #expect(text.contains("\nlectern_writer_turn_longest_seconds 0."))
    }

    @Test("Metrics show the numbers of the writer and the system")
    func levels() throws {
        let service = try TestService()
        _ = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        #expect(try eventually { try service.metric("lectern_log_changes") >= 1 })
        for name in [
            "lectern_database_bytes", "lectern_disk_free_bytes", "lectern_log_head", "process_resident_memory_bytes",
            "process_max_fds", "lectern_connections",
        ] {
            #expect(try eventually { try service.metric(name) > 0 }, "\(name)")
        }
        let text = try service.send("GET", "/metrics").text
        #expect(text.contains("\nlectern_build_info{version=\"\(ProgramRelease.version)\",commit=\""))
        #expect(text.contains("\nlectern_ready 1\n") && text.contains("\nlectern_loop_stalled_seconds{loop=\"1\"} 0"))
    }

    @Test("The metrics address serves metrics and health without a token, and nothing else")
    func apart() throws {
        let service = try TestService { $0.metricsAddress = ("127.0.0.1", 0) }
        let port = try #require(service.metricsPort)
        for path in ["/metrics", "/healthz", "/readyz"] {
            #expect(try Wire(port: port).answer(to: Self.request(path)).hasPrefix("HTTP/1.1 200 OK\r\n"), "\(path)")
        }
        #expect(try Wire(port: port).answer(to: Self.request("/v1/books")).hasPrefix("HTTP/1.1 404 "))
        let text = try Wire(port: port).answer(to: Self.request("/metrics"))
        #expect(text.contains("\nlectern_subscriptions 0\n"))
    }

    private static func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    }

    @Test("A histogram counts each value in the first bucket whose bound is not less, and their sum")
    func histogram() {
        let histogram = Histograms(rows: 2, bounds: [1, 10, 100])
        for value in [0, 1, 2, 10, 11, 101, 1000] { histogram.record(value, row: 1) }
        #expect(histogram[0] == Histograms.Counts(buckets: [0, 0, 0, 0], sum: 0, greatest: 0))
        #expect(histogram[1] == Histograms.Counts(buckets: [2, 2, 1, 2], sum: 1125, greatest: 1000))
        var text = PrometheusText()
        text.histogram("a", labels: "b=\"c\"", histogram[1], bounds: histogram.bounds, unit: .microseconds)
        #expect(
            text.lines == """
                a_bucket{b="c",le="0.000001"} 2
                a_bucket{b="c",le="0.00001"} 4
                a_bucket{b="c",le="0.0001"} 5
                a_bucket{b="c",le="+Inf"} 7
                a_sum{b="c"} 0.001125
                a_count{b="c"} 7

                """)
        #expect(MetricUnit.milliseconds.text(1_763_824_000_123) == "1763824000.123")
        #expect(MetricUnit.microseconds.text(2_000_000) == "2")
    }
}
