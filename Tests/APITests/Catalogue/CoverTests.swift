import Foundation
import JSON
import Model
import Outbound
import SharedByTests
import Testing

@testable import API

@Suite("Covers")
struct CoverTests {
    private static func service(mebibytes: Int = 16, secondsMax: Int = patienceSeconds) throws -> TestService {
        try TestService {
            $0.coversFromLoopback = true
            $0.coverSecondsMax = secondsMax
            $0.coverMebibytesMax = mebibytes
        }
    }

    private static func book(_ cover: String?, _ service: TestService) throws -> String {
        try service.make("/v1/books", "{\"title\":\"Emma\"\(cover.map { ",\"coverURL\":\"\($0)\"" } ?? "")}")
    }

    static func upload(
        _ image: [UInt8], _ book: String, _ service: TestService, token: String? = nil, fields: [String] = []
    ) throws -> Answer {
        Answer(
            try HTTPClient(secondsMax: patienceSeconds).send(
                "PUT", "http://127.0.0.1:\(service.port)/v1/books/\(book)/cover",
                fields: ["Authorization: Bearer \(token ?? service.token)", "Content-Type: image/png"] + fields,
                body: image))
    }

    private static func request(_ book: String, _ service: TestService) -> HTTPRequest {
        HTTPRequest(
            "GET", "http://127.0.0.1:\(service.port)/v1/books/\(book)/cover",
            fields: ["Authorization: Bearer \(service.token)"])
    }

    private static func type(_ answer: Answer) -> String { answer.fields["content-type"] ?? "" }

    @Test(
        "A cover's type follows from its first bytes; other files give a generated cover of title and authors",
        arguments: [
            ("/image", "image/png"), ("/redirect", "image/png"), ("/loop", "image/svg+xml"), ("/lie", "image/svg+xml"),
            ("/endless", "image/svg+xml"), ("/missing", "image/svg+xml"),
        ])
    func kinds(_ path: String, _ type: String) throws {
        let (service, images) = (try Self.service(), try ImageServer())
        let book = try Self.book(images.url + path, service)
        let first = try service.send("GET", "/v1/books/\(book)/cover")
        let count = images.requests.count
        let second = try service.send("GET", "/v1/books/\(book)/cover")
        #expect(first.status == 200 && Self.type(first) == type && second.text == first.text)
        #expect(images.requests.count == count, "neither an image nor a failure is asked for twice")
        #expect(first.fields["content-security-policy"] == "default-src 'none'; sandbox")
        #expect(first.fields["cache-control"]?.hasPrefix("private, max-age=") == true)
        guard type == "image/png" else { return }
        let known = try service.send("GET", "/v1/books/\(book)/cover", fields: ["If-None-Match: \(first.etag)"])
        #expect(known.status == 304 && known.text.isEmpty)
        try service.restart { $0.coversFromLoopback = true }
        #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover")) == "image/png")
        #expect(images.requests.count == count, "a fetched image is on disk")
    }

    @Test("A server that does not respond in time gives no cover, and is not asked again for a while")
    func timeout() throws {
        let (service, images) = (try Self.service(secondsMax: 1), try ImageServer())
        let book = try Self.book(images.url + "/held", service)
        for _ in 0..<2 {
            #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover")) == "image/svg+xml")
        }
        #expect(images.requests == ["/held"])
        #expect(try service.metric("lectern_cover_fetch_failures_total") == 1)
    }

    @Test("A hundred requests for one cover cause one fetch, and block no event loop")
    func singleFlight() async throws {
        let (service, images) = (try Self.service(), try ImageServer())
        let book = try Self.book(images.url + "/held", service)
        let request = Self.request(book, service)
        let transport = try HTTPTransport()
        try await withThrowingTaskGroup(of: String?.self) { group in
            // With some 1,360 descriptors in the process, Foundation's `Process`, which other tests use, can crash: it
            // reads past the end of the list of descriptors.
            for _ in 0..<100 {
                group.addTask {
                    let response = try await transport.send(request, secondsMax: patienceSeconds)
                    return response.fields["content-type"]
                }
            }
            #expect(await comesTrue { images.requests == ["/held"] })
            // The server has received all requests, and still answers others.
            #expect(try await comesTrue { try service.metric("lectern_cover_requests_waiting") == 100 })
            images.release()
            for try await type in group { #expect(type == "image/png") }
        }
        #expect(images.requests == ["/held"])
    }

    @Test("Sign-in by the identity provider works while many requests wait for covers")
    func signInMeanwhile() async throws {
        let (trial, images) = (try SignInTrial(loops: 1), try ImageServer())
        let request = Self.request(try Self.book(images.url + "/held", trial.service), trial.service)
        let transport = try HTTPTransport()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<(ResponseJob.Kind.signIn.max + 6) {
                group.addTask { try await transport.send(request, secondsMax: patienceSeconds).status }
            }
            #expect(
                try await comesTrue {
                    try trial.service.metric("lectern_cover_requests_waiting") == ResponseJob.Kind.signIn.max + 6
                })
            #expect(try trial.signIn().session != nil)
            images.release()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test("Slow servers named by one reader do not delay other readers' covers")
    func manyServers() async throws {
        let (service, images) = (try Self.service(), try ImageServer())
        let ben = try service.reader("Ben")
        let most = CoverLoader.fetchesPerReaderMax
        let requests = try (0..<(most + 5)).map {
            Self.request(try Self.book("\(images.url)/held?\($0)", service), service)
        }
        let transport = try HTTPTransport()
        try await withThrowingTaskGroup(of: String?.self) { group in
            for request in requests {
                group.addTask {
                    try await transport.send(request, secondsMax: patienceSeconds).fields["content-type"]
                }
            }
            // Requests beyond the maximum are answered at once.
            for _ in 0..<5 { #expect(try await group.next() == "image/svg+xml") }
            #expect(await comesTrue { images.requests.count == most })
            let book = try Self.book(images.url + "/image", service)
            #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover", token: ben)) == "image/png")
            images.release()
            for try await type in group { #expect(type == "image/png") }
        }
    }

    @Test("A cover's fetch continues while a request waits for it, and is cancelled with the last one")
    func cancelled() async throws {
        let (service, images) = (try Self.service(), try ImageServer())
        let book = try Self.book(images.url + "/held", service)
        let request = Self.request(book, service)
        let transport = try HTTPTransport()
        let waiting = (0..<2).map { _ in
            Task { try await transport.send(request, secondsMax: patienceSeconds).status }
        }
        #expect(try await comesTrue { try service.metric("lectern_cover_requests_waiting") == 2 })
        waiting[0].cancel()
        #expect(try await comesTrue { try service.metric("lectern_cover_requests_waiting") == 1 })
        #expect(images.closed == 0)
        waiting[1].cancel()
        #expect(await comesTrue { images.closed == 1 })
        // A cancellation is not a failure: the next request fetches the cover again.
        let next = Task { try await transport.send(request, secondsMax: patienceSeconds).fields["content-type"] }
        #expect(await comesTrue { images.requests.count == 2 })
        images.release()
        #expect(try await next.value == "image/png")
    }

    @Test("A reader who turned covers off causes no fetch, and still gets stored images")
    func unwanted() throws {
        let (service, images) = (try Self.service(), try ImageServer())
        let ben = try service.reader("Ben")
        let book = try Self.book(images.url + "/image", service)
        let other = try Self.book(images.url + "/missing", service)
        #expect(try service.send("PATCH", "/v1/settings", "{\"updateArtwork\":false}", token: ben).status == 200)
        for id in [book, other] {
            #expect(Self.type(try service.send("GET", "/v1/books/\(id)/cover", token: ben)) == "image/svg+xml")
        }
        #expect(images.requests.isEmpty)
        #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover")) == "image/png")
        #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover", token: ben)) == "image/png")
    }

    @Test("An uploaded cover is stored, changes the book's coverDigest, and is removed by DELETE")
    func uploaded() throws {
        let service = try Self.service()
        let book = try Self.book(nil, service)
        let ben = try service.reader("Ben")
        let start = try service.head()
        #expect(try Self.upload(ImageServer.png, book, service, token: ben).status == 403)
        #expect(try Self.upload(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), book, service).status == 415)
        #expect(try Self.upload(ImageServer.png + [UInt8](repeating: 0, count: 512 << 10), book, service).status == 413)
        let stale = ["If-Match: \"00000000-1\""]
        #expect(try Self.upload(ImageServer.png, book, service, fields: stale).status == 412)
        #expect(try service.events(after: start).isEmpty)
        let put = try Self.upload(ImageServer.png, book, service)
        #expect(put.status == 200 && put["coverDigest"]?.string == CoverImage(ImageServer.png)?.digest)
        let again = try Self.upload(ImageServer.png, book, service)
        #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true" && again.etag == put.etag)
        #expect(try service.events(after: start) == ["book updated"])
        try service.restart()
        let cover = try service.send("GET", "/v1/books/\(book)/cover", token: ben)
        #expect(cover.status == 200 && Self.type(cover) == "image/png" && cover.text.hasSuffix("pixels"))
        // A PUT of the whole book does not remove the cover.
        #expect(
            try service.send(
                "PUT", "/v1/books/\(book)", "{\"title\":\"Emma II\"}", fields: ["If-Match: \(put.etag)"])[
                    "coverDigest"]?
                .string == CoverImage(ImageServer.png)?.digest)
        let deleted = try service.send("DELETE", "/v1/books/\(book)/cover")
        #expect(deleted.status == 200 && deleted["coverDigest"] == nil)
        #expect(Self.type(try service.send("GET", "/v1/books/\(book)/cover")) == "image/svg+xml")
        #expect(try Self.upload(ImageServer.png, book, service).status == 200)
        #expect(try service.send("DELETE", "/v1/books/\(book)").status == 204)
        #expect(try service.send("GET", "/v1/books/\(book)/cover").status == 404)
    }

    @Test("Markup in a title is text in its cover, and a long title ends in an ellipsis")
    func typographic() {
        var book = Book(
            id: ResourceID(high: 1, low: 2), title: "<script>alert(1)</script> & \"so\" on", createdAt: .now)
        book.authors = ["A <b>", "B"]
        let svg = String(decoding: TypographicCover.svg(of: book), as: UTF8.self)
        #expect(!svg.contains("<script") && !svg.contains("<b>") && svg.contains("&lt;script"))
        #expect(TypographicCover.lines(of: "To the Lighthouse") == ["To the", "Lighthouse"])
        #expect(TypographicCover.lines(of: "one two three", length: 5, max: 2) == ["one", "two…"])
        #expect(TypographicCover.lines(of: "incomprehensibilities", length: 8) == ["incompr…"])
        #expect(TypographicCover.lines(of: "").isEmpty)
    }

    @Test("The cover cache stays within its budget and deletes the least recently used images first")
    func budget() throws {
        let directory = TestDirectory.memory.path("covers")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        func image(_ number: Int) -> CoverImage? {
            CoverImage(ImageServer.png + [UInt8](repeating: UInt8(number), count: 1000))
        }
        func key(_ number: Int) -> String { String(repeating: "\(number)", count: 43) }
        var cache = CoverCache(directory: directory, bytesMax: 3200)
        for number in 1...3 {
            cache.write(try #require(image(number)), key(number))
            // Files that are written together have equal times, so this makes one older.
            let age = Date(timeIntervalSinceNow: Double(number * 100 - 100_000))
            try FileManager.default.setAttributes(
                [.modificationDate: age], ofItemAtPath: directory + "/" + key(number))
        }
        try Data([1]).write(to: URL(filePath: directory + "/" + key(9) + ".part"))
        cache = CoverCache(directory: directory, bytesMax: 3200)
        #expect(cache.bytes == 3042 && cache.read(key(9)) == nil)
        #expect(cache.read(key(1))?.bytes == image(1)?.bytes, "and so it is the most recently used")
        cache.write(try #require(image(4)), key(4))
        #expect(cache.bytes <= 3200)
        #expect(cache.read(key(2)) == nil && cache.read(key(1)) != nil && cache.read(key(4)) != nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(files.count * 1014 == cache.bytes)
        try Data("no image".utf8).write(to: URL(filePath: directory + "/" + key(4)))
        #expect(cache.read(key(4)) == nil)
    }
}
