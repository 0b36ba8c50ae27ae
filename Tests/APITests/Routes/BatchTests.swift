import API
import Foundation
import JSON
import SharedByTests
import Store
import Synchronization
import Testing

/// Tests of several writes in one request.
@Suite("Batches", .serialized, .ownThreads)
struct BatchTests {
    /// A service with a book, and readers.
    final class Scenario: Sendable {
        let service: TestService
        let ada: String
        let book: String

        init() throws {
            service = try TestService()
            ada = try service.reader("Ada")
            book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        }

        func send(
            _ lines: [String], atomic: Bool = true, token: String? = nil, fields: [String] = []
        ) throws -> Answer {
            let body = "{\"atomic\":\(atomic),\"requests\":[\(lines.joined(separator: ","))]}"
            return try service.send("POST", "/v1/batch", body, token: token ?? ada, fields: fields)
        }

        /// Returns the log after a cursor: each change with its transaction and its kind.
        func log(after cursor: String, token: String? = nil) throws -> [(seq: Int64, transaction: Int64, what: String)]
        {
            let page = try service.send("GET", "/v1/changes?limit=100&after=\(cursor)", token: token ?? ada)
            return page["items"]?.elements.map {
                (
                    $0["seq"]?.integer ?? 0, $0["transaction"]?.integer ?? 0,
                    "\($0["resource"]?.string ?? "") \($0["change"]?.string ?? "")"
                )
            } ?? []
        }
    }

    static func id(_ number: Int) -> String { "0199b7c0-0f00-7001-8000-" + String(format: "%012d", number) }

    static func line(_ method: String, _ path: String, _ body: String? = nil, _ more: String = "") -> String {
        "{\"method\":\"\(method)\",\"path\":\"\(path)\"\(body.map { ",\"body\":\($0)" } ?? "")\(more)}"
    }

    /// Returns a hundred lines: a reading and its entries.
    static func week(_ book: String, wrong: Int? = nil) -> [String] {
        [line("PUT", "/v1/readings/\(id(0))", "{\"book\":\"\(book)\"}")]
            + (1..<100).map { number in
                let progress = number == wrong ? "1.5" : "0.\(number + 100)"
                return line("PUT", "/v1/readings/\(id(0))/entries/\(id(number))", "{\"progress\":\(progress)}")
            }
    }

    private func answers(_ answer: Answer) -> [JSONValue] { answer["answers"]?.elements.map { $0 } ?? [] }
    private func statuses(_ answer: Answer) -> [Int64] { answers(answer).map { $0["status"]?.integer ?? 0 } }

    @Test(
        "All lines are one transaction of the log, in order, and each has the response of a single request"
    )
    func atomic() throws {
        let scenario = try Scenario()
        let start = try scenario.service.head(token: scenario.ada)
        let reading = "/v1/readings/\(Self.id(1))"
        let answer = try scenario.send([
            Self.line("PUT", reading, "{\"book\":\"\(scenario.book)\"}"),
            Self.line("POST", "\(reading)/entries", "{\"progress\":0.25}"),
            Self.line("PATCH", reading, "{\"state\":\"paused\"}"),
            Self.line("PATCH", reading, "{\"state\":\"paused\"}"),
            Self.line("DELETE", reading, nil, ",\"ifNoneMatch\":\"\\\"00000000-1\\\"\""),
            Self.line("POST", "/v1/shelves", "{\"name\":\"x\"}"),
        ])
        #expect(answer.status == 200 && answer.fields["lectern-unchanged"] == nil, "\(answer.text)")
        #expect(statuses(answer) == [201, 201, 200, 200, 204, 201])
        let lines = answers(answer)
        #expect(lines[0]["location"]?.string == reading && lines[0]["body"]?["id"]?.string == Self.id(1))
        let entry = lines[1]["body"]?["id"]?.string ?? "none"
        #expect(lines[1]["location"]?.string == "\(reading)/entries/\(entry)")
        #expect(lines[2]["unchanged"] == nil && lines[3]["unchanged"]?.bool == true)
        #expect(lines[3]["etag"]?.string == lines[2]["etag"]?.string && lines[3]["body"] == lines[2]["body"])
        #expect(lines[4]["body"] == nil && lines[4]["etag"] == nil)
        let log = try scenario.log(after: start)
        #expect(
            log.map(\.what) == [
                "reading created", "entry created", "reading updated", "reading updated", "reading deleted",
                "shelf created",
            ])
        #expect(Set(log.map(\.transaction)) == [log[0].seq])
        let shelf = lines[5]["location"]?.string ?? ""
        let kept = try scenario.service.send("GET", shelf, token: scenario.ada)
        #expect(kept.etag == lines[5]["etag"]?.string && kept.representation == lines[5]["body"])
    }

    @Test("One invalid line of a hundred: an atomic batch changes nothing, uses no seq, and names the line")
    func refused() throws {
        let scenario = try Scenario()
        let start = try scenario.service.head(token: scenario.ada)
        let feed = try Watcher(scenario.service, "/v1/changes", token: scenario.ada)
        for (wrong, status, pointers) in [
            (17, 422, ["/requests/17/body/progress"]), (99, 422, ["/requests/99/body/progress"]),
        ] {
            let answer = try scenario.send(Self.week(scenario.book, wrong: wrong))
            #expect(answer.status == status && answer.pointers == pointers, "\(answer.text)")
            #expect(answer["line"]?.integer == Int64(wrong) && answer["pointer"]?.string == "/requests/\(wrong)")
            #expect(answer["status"]?.integer == Int64(status) && answer["answers"] == nil)
        }
        #expect(try scenario.service.send("GET", "/v1/readings/\(Self.id(0))", token: scenario.ada).status == 404)
        #expect(try scenario.service.head(token: scenario.ada) == start)
        let next = try scenario.service.make("/v1/shelves", "{\"name\":\"x\"}", token: scenario.ada)
        let log = try scenario.log(after: start)
        #expect(log.count == 1 && log[0].what == "shelf created")
        #expect(EventText.seq(start).map { $0 + 1 } == log[0].seq)
        #expect(feed.wait { $0.events.contains { $0.data.contains(next) } })
        #expect(!feed.events.contains { $0.data.contains(Self.id(0)) })
        // The writer's refusals and syntax errors are reported in the same form.
        let taken = try scenario.send(
            [
                Self.line("POST", "/v1/shelves", "{\"name\":\"y\"}"),
                Self.line("PUT", "/v1/shelves/\(next)", "{\"name\":\"y\"}"), Self.line("GET", "/nowhere"),
            ].dropLast())
        #expect(taken.status == 412 && taken["line"]?.integer == 1)
        // The lines before it may have allowed to see it, and are undone.
        #expect(taken["current"] == nil && taken.etag.isEmpty, "\(taken.text)")
        let mistaken = try scenario.send([Self.line("PATCH", "/v1/shelves", "{}")])
        #expect(mistaken.status == 405 && mistaken.fields["allow"] == "GET, HEAD, POST, OPTIONS")
        #expect(try scenario.log(after: start).count == 1)
    }

    @Test("Each line of a batch that is not atomic is independent, and a refused one has its own problem")
    func each() throws {
        let scenario = try Scenario()
        let start = try scenario.service.head(token: scenario.ada)
        let reading = "/v1/readings/\(Self.id(1))"
        let answer = try scenario.send(
            [
                Self.line("PUT", reading, "{\"book\":\"\(scenario.book)\"}"),
                Self.line("PUT", "\(reading)/entries/\(Self.id(2))", "{\"progress\":1.5}"),
                Self.line("PATCH", reading, "{\"state\":\"finished\"}", ",\"ifMatch\":\"\\\"00000000-1\\\"\""),
                Self.line("PUT", "\(reading)/entries/\(Self.id(3))", "{\"progress\":0.5}"),
                Self.line("PUT", "\(reading)/entries/\(Self.id(3))", "{\"progress\":0.5}"),
                Self.line("DELETE", "/v1/shelves/\(Self.id(9))"), Self.line("PUT", "/v1/nowhere", "{}"),
                Self.line("PATCH", "/v1/readings", "{}"), Self.line("POST", "/v1/shelves"),
                Self.line("POST", "/v1/shelves?x=1", "{\"name\":\"x\"}"),
                Self.line("POST", "/v1/readers", "{\"name\":\"x\"}"),
            ], atomic: false)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(statuses(answer) == [201, 422, 412, 201, 200, 404, 404, 405, 400, 400, 403], "\(answer.text)")
        let lines = answers(answer)
        #expect(lines[1]["body"]?["violations"]?.elements.map { $0 }[0]["pointer"]?.string == "/progress")
        #expect(lines[1]["body"]?["line"] == nil)
        #expect(lines[2]["etag"]?.string == lines[0]["etag"]?.string)
        #expect(lines[2]["body"]?["current"]?["id"]?.string == Self.id(1))
        #expect(lines[4]["unchanged"]?.bool == true && lines[4]["location"] == nil)
        let log = try scenario.log(after: start)
        #expect(log.map(\.what) == ["reading created", "entry created", "reading updated"])
        #expect(log[0].transaction == log[0].seq && log[1].transaction == log[1].seq)
        #expect(log[2].transaction == log[1].seq)
        let minimal = try scenario.send(
            [Self.line("POST", "/v1/shelves", "{\"name\":\"x\"}"), Self.line("POST", "/v1/shelves", "{}")],
            atomic: false, fields: ["Prefer: return=minimal"])
        #expect(statuses(minimal) == [201, 422] && minimal.fields["preference-applied"] == "return=minimal")
        #expect(answers(minimal)[0]["body"] == nil && answers(minimal)[1]["body"] != nil)
        // A repeated batch has the bodies of its first response, and does not say otherwise.
        let shelf = [Self.line("POST", "/v1/shelves", "{\"name\":\"y\"}")]
        let first = try scenario.send(shelf, atomic: true, fields: ["Idempotency-Key: k"])
        let again = try scenario.send(shelf, atomic: true, fields: ["Idempotency-Key: k", "Prefer: return=minimal"])
        #expect(again.text == first.text && again.fields["preference-applied"] == nil)
    }

    @Test("An invalid line is refused by itself, and the lines before and after it are applied")
    func noRequests() throws {
        let scenario = try Scenario()
        func shelf(_ name: String) -> String { Self.line("POST", "/v1/shelves", "{\"name\":\"\(name)\"}") }
        let lines = [
            shelf("a"), "7", Self.line("TRACE", "/v1/me"), "{\"method\":\"PUT\",\"path\":\"v1\",\"headers\":{}}",
            shelf("b"),
            Self.line("GET", "/v1/me"),
        ]
        let answer = try scenario.send(lines, atomic: false)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(statuses(answer) == [201, 422, 422, 422, 201, 422], "\(answer.text)")
        let pointers = answers(answer).map { line in
            line["body"]?["violations"]?.elements.compactMap { $0["pointer"]?.string } ?? []
        }
        #expect(
            pointers == [
                [], ["/requests/1"], ["/requests/2/method"], ["/requests/3/path", "/requests/3/headers"], [], [],
            ])
        #expect(answers(answer)[5]["body"]?["type"]?.string == "/problems/not-in-batch")
        let shelves = try scenario.service.send("GET", "/v1/shelves", token: scenario.ada)["items"]?.elements
        #expect(shelves?.compactMap { $0["name"]?.string }.filter { $0.count == 1 }.sorted() == ["a", "b"])
    }

    @Test("A line is decided with the rights that the lines before it left", arguments: [true, false])
    func rights(isAtomic: Bool) throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ada)
        let note =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"position\":{\"progress\":0},\"body\":\"x\"}"
        let lines = [
            Self.line("POST", "/v1/shelves", "{\"name\":\"x\"}"), Self.line("POST", "/v1/notes", note),
            Self.line("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)"), Self.line("POST", "/v1/notes", note),
        ]
        let body = "{\"atomic\":\(isAtomic),\"requests\":[\(lines.joined(separator: ","))]}"
        let answer = try service.send("POST", "/v1/batch", body, token: story.ben)
        if isAtomic {
            #expect(answer.status == 422 && answer["line"]?.integer == 3, "\(answer.text)")
            #expect(answer.pointers == ["/requests/3/body/club"])
            #expect(try service.events(after: start, token: story.ada) == [])
        } else {
            #expect(statuses(answer) == [201, 201, 204, 422], "\(answer.text)")
        }
        let count = try service.send("GET", "/v1/clubs/\(story.club)/members", token: story.ada)["items"]?.elements.map
        { $0 }.count
        #expect(count == (isAtomic ? 2 : 1))
    }

    @Test("A reader who gives up the administrator role in one line has no such rights in the next")
    func roles() throws {
        let scenario = try Scenario()
        let other = try scenario.service.make("/v1/readers", "{\"name\":\"Eve\",\"role\":\"administrator\"}")
        let made = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"x\",\"reader\":\"\(other)\"}")
        let eve = made["token"]?.string ?? ""
        let lines = [
            Self.line("POST", "/v1/readers", "{\"name\":\"One\"}"),
            Self.line("PATCH", "/v1/me", "{\"role\":\"reader\"}"),
            Self.line("POST", "/v1/readers", "{\"name\":\"Two\"}"),
            Self.line("PATCH", "/v1/readers/\(other)", "{\"role\":\"administrator\"}"),
        ]
        let whole = try scenario.send(lines, token: eve)
        #expect(whole.status == 403 && whole["line"]?.integer == 2, "\(whole.text)")
        let each = try scenario.send(lines, atomic: false, token: eve)
        #expect(statuses(each) == [201, 200, 403, 403], "\(each.text)")
        #expect(answers(each)[3]["body"]?["type"]?.string == "/problems/administrators-only")
        #expect(try scenario.service.send("GET", "/v1/me", token: eve)["role"]?.string == "reader")
        let readers = try scenario.service.send("GET", "/v1/readers").text
        #expect(readers.contains("\"One\"") && !readers.contains("\"Two\""))
    }

    @Test("A reader who is suspended in one line can do nothing in the next")
    func suspension() throws {
        let scenario = try Scenario()
        let eve = try scenario.service.make("/v1/readers", "{\"name\":\"Eve\",\"role\":\"administrator\"}")
        let made = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"x\",\"reader\":\"\(eve)\"}")
        let lines = [
            Self.line("PATCH", "/v1/readers/\(eve)", "{\"suspension\":{}}"),
            Self.line("POST", "/v1/books", "{\"title\":\"Afterwards\"}"),
            Self.line("PATCH", "/v1/readers/\(eve)", "{\"suspension\":null}"),
            Self.line("POST", "/v1/books", "{}"),
        ]
        let whole = try scenario.send(lines, token: made["token"]?.string)
        #expect(whole["type"]?.string == "/problems/reader-suspended" && whole["line"]?.integer == 1, "\(whole.text)")
        let each = try scenario.send(lines, atomic: false, token: made["token"]?.string)
        #expect(statuses(each) == [200, 403, 403, 403], "\(each.text)")
        for answer in answers(each).dropFirst() {
            #expect(answer["body"]?["type"]?.string == "/problems/reader-suspended")
        }
        #expect(try scenario.service.send("GET", "/v1/readers/\(eve)")["suspension"] != nil)
    }

    @Test("Invalid lines of a batch are refused with their pointer, and unsuitable requests with not-in-batch")
    func limits() throws {
        let scenario = try Scenario()
        let start = try scenario.service.head(token: scenario.ada)
        let shelf = Self.line("POST", "/v1/shelves", "{\"name\":\"x\"}")
        let many = try scenario.send(Array(repeating: shelf, count: 101))
        #expect(many.status == 413 && many["limit"]?["name"]?.string == "batchLinesMax")
        #expect(many["limit"]?["max"]?.integer == 100)
        for (body, pointers) in [
            ("{\"atomic\":true,\"requests\":[]}", ["/requests"]), ("{\"requests\":[\(shelf)]}", ["/atomic"]),
            ("{\"atomic\":1,\"requests\":{}}", ["/atomic", "/requests"]), ("{\"atomic\":true}", ["/requests"]),
            ("{\"atomic\":true,\"requests\":[\(shelf),7]}", ["/requests/1"]),
            ("{\"atomic\":true,\"requests\":[\(Self.line("TRACE", "/v1/me"))]}", ["/requests/0/method"]),
            (
                "{\"atomic\":true,\"requests\":[{\"method\":\"PUT\",\"path\":\"v1\",\"headers\":{}}]}",
                ["/requests/0/path", "/requests/0/headers"]
            ),
            (
                "{\"atomic\":true,\"requests\":[{\"method\":\"DELETE\",\"path\":\"/v1/me\",\"ifMatch\":\"x\\r\\nHost: y\"}]}",
                ["/requests/0/ifMatch"]
            ),
        ] {
            let answer = try scenario.service.send("POST", "/v1/batch", body, token: scenario.ada)
            #expect(answer.status == 422 && answer.pointers == pointers, "\(body) \(answer.text)")
        }
        let alone = [
            Self.line("POST", "/v1/batch", "{\"atomic\":true,\"requests\":[\(shelf)]}"),
            Self.line("POST", "/v1/streams", "{\"watch\":{}}"),
            Self.line("POST", "/v1/tokens", "{\"name\":\"x\"}"), Self.line("DELETE", "/v1/tokens/\(Self.id(1))"),
            Self.line("DELETE", "/v1/identities/x"),
            Self.line("PUT", "/v1/me/password", "{\"password\":\"a rope of sand\"}"),
            Self.line("POST", "/v1/clubs/\(Self.id(1))/invitations", "{}"),
            Self.line("POST", "/v1/clubs/\(Self.id(1))/calendars"), Self.line("POST", "/v1/shelves HTTP/1.1", "{}"),
            Self.line("POST", "/v1/shelves\u{e9}", "{}"), Self.line("GET", "/v1/me"), Self.line("HEAD", "/nowhere"),
            Self.line("DELETE", "/v1/readers/\(Self.id(1))?confirm=x"),
            Self.line("DELETE", "/v1/books/\(Self.id(1))/cover"),
            Self.line("DELETE", "http://other/v1/me"),
        ]
        let answer = try scenario.send(Array(alone.dropLast()), atomic: false)
        #expect(statuses(answer) == Array(repeating: 422, count: 14), "\(answer.text)")
        for line in answers(answer) { #expect(line["body"]?["type"]?.string == "/problems/not-in-batch") }
        #expect(answers(answer)[12]["body"]?["detail"]?.string?.contains("deletions of accounts") == true)
        #expect(try scenario.send([alone[10]])["type"]?.string == "/problems/not-in-batch")
        #expect(try scenario.send([alone[14]]).pointers == ["/requests/0/path"])
        let deep = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        #expect(try scenario.send([Self.line("POST", "/v1/shelves", deep)]).status == 400)
        let large = "{\"name\":\"\(String(repeating: "x", count: 262_144))\"}"
        let tooLarge = try scenario.send([Self.line("POST", "/v1/shelves", large)])
        #expect(tooLarge.status == 413 && tooLarge["limit"]?["name"]?.string == "batchBytesMax")
        #expect(tooLarge["limit"]?["max"]?.integer == 262_144)
        let long = "{\"name\":\"\(String(repeating: "x", count: 1 << 20))\"}"
        #expect(try scenario.send([Self.line("POST", "/v1/shelves", long)]).status == 413)
        let read = try scenario.service.reader("Cem", scope: "read")
        #expect(try scenario.send([shelf], token: read).status == 403)
        #expect(try scenario.send([shelf], token: "nonsense").status == 401)
        #expect(try scenario.log(after: start).isEmpty)
    }

    @Test(
        "A batch with an Idempotency-Key gets its first response again, also across a restart; a refused one leaves its key free"
    )
    func keys() throws {
        let scenario = try Scenario()
        let key = ["Idempotency-Key: k"]
        let shelf = Self.line("POST", "/v1/shelves", "{\"name\":\"x\"}")
        #expect(try scenario.send([shelf, Self.line("POST", "/v1/shelves", "{}")], fields: key).status == 422)
        let lines = [shelf, Self.line("PUT", "/v1/shelves/\(Self.id(1))", "{\"name\":\"y\"}")]
        let first = try scenario.send(lines, fields: key)
        #expect(first.status == 200 && statuses(first) == [201, 201] && first.fields["idempotency-replayed"] == nil)
        let start = try scenario.service.head(token: scenario.ada)
        func again() throws {
            let answer = try scenario.send(lines, fields: key)
            #expect(answer.status == 200 && answer.text == first.text)
            #expect(answer.fields["idempotency-replayed"] == "true")
        }
        try again()
        try scenario.service.restart()
        try again()
        #expect(try scenario.send([shelf], fields: key).status == 422)
        #expect(try scenario.send(lines, atomic: false, fields: key).status == 422)
        let mixed = [shelf, Self.line("POST", "/v1/shelves", "{}")]
        let each = try scenario.send(mixed, atomic: false, fields: ["Idempotency-Key: l"])
        #expect(try scenario.send(mixed, atomic: false, fields: ["Idempotency-Key: l"]).text == each.text)
        #expect(try scenario.log(after: start).map(\.what) == ["shelf created"])
    }

    @Test(
        "A batch of a hundred, repeated after two restarts and the end of its key, changes nothing",
        arguments: [true, false])
    func late(isAtomic: Bool) throws {
        let scenario = try Scenario()
        let lines = Self.week(scenario.book)
        let key = ["Idempotency-Key: k"]
        let first = try scenario.send(lines, atomic: isAtomic, fields: key)
        #expect(first.status == 200 && statuses(first) == Array(repeating: 201, count: 100), "\(first.text)")
        // Later changes of the entry stay.
        let entry = "/v1/readings/\(Self.id(0))/entries/\(Self.id(7))"
        if !isAtomic { #expect(try scenario.service.send("DELETE", entry, token: scenario.ada).status == 204) }
        _ = try scenario.service.send(
            "PATCH", "/v1/readings/\(Self.id(0))", "{\"state\":\"paused\"}", token: scenario.ada)
        let start = try scenario.service.head(token: scenario.ada)
        for _ in 0..<2 { try scenario.service.restart { $0.store.idempotencyHours = 0 } }
        let again = try scenario.send(lines, atomic: isAtomic, fields: key)
        #expect(again.status == 200 && again.fields["idempotency-replayed"] == nil, "\(again.text)")
        #expect(again.fields["lectern-unchanged"] == "true")
        var wanted = Array(repeating: Int64(200), count: 100)
        if !isAtomic { wanted[7] = 410 }
        #expect(statuses(again) == wanted)
        #expect(answers(again)[0]["body"]?["state"]?.string == "paused")
        #expect(try scenario.service.head(token: scenario.ada) == start)
    }

    @Test("Beside other writers the changes of each batch stay together, and refused ones leave no gap")
    func together() throws {
        let scenario = try Scenario()
        let start = try scenario.service.head(token: scenario.ada)
        let done = DispatchSemaphore(value: 0)
        let failures = Failures()
        for writer in 0..<8 {
            Thread {
                defer { done.signal() }
                for round in 0..<10 {
                    let name = "{\"name\":\"\(writer)-\(round)\"}"
                    let shelf = Self.line("POST", "/v1/shelves", name)
                    let wrong = round % 3 == 0 ? [Self.line("POST", "/v1/shelves/\(round)", name)] : []
                    do {
                        let answer =
                            writer < 2
                            ? try scenario.service.send("PATCH", "/v1/me", name, token: scenario.ada)
                            : try scenario.send(
                                [
                                    Self.line(
                                        "PUT", "/v1/notes/\(Self.id(writer * 100 + round))",
                                        "{\"book\":\"\(scenario.book)\",\"body\":\"x\"}"),
                                    Self.line(
                                        "PATCH", "/v1/notes/\(Self.id(writer * 100 + round))", "{\"body\":\"y\"}"),
                                    Self.line("DELETE", "/v1/notes/\(Self.id(writer * 100 + round))"),
                                ] + (wrong.isEmpty ? [] : [shelf] + wrong))
                        if writer > 1, answer.status != (wrong.isEmpty ? 200 : 405) { failures.note(answer.text) }
                    } catch {
                        failures.note("\(error)")
                    }
                }
            }.start()
        }
        for _ in 0..<8 { done.wait() }
        #expect(failures.all == [])
        var log: [(seq: Int64, transaction: Int64, what: String)] = []
        var cursor = start
        while case let page = try scenario.log(after: cursor), let last = page.last {
            log += page
            cursor = "\(start.prefix(9))\(last.seq)"
        }
        let (first, last): (Int64, Int64) = (log.first?.seq ?? 0, log.last?.seq ?? 0)
        #expect(log.map(\.seq) == Array(first...last))
        let notes = log.filter { $0.what.hasPrefix("note") }
        #expect(notes.count == 6 * 6 * 3)
        for index in stride(from: 0, to: notes.count, by: 3) {
            let three = notes[index..<index + 3]
            #expect(three.map(\.what) == ["note created", "note updated", "note deleted"])
            #expect(
                three.allSatisfy { $0.transaction == three[index].seq } && three[index + 2].seq == three[index].seq + 2)
        }
        #expect(log.filter { $0.what.hasPrefix("shelf") }.isEmpty)
    }

    @Test("A subscriber gets the changes of a batch together, and the last event ends the transaction")
    func watched() throws {
        let scenario = try Scenario()
        let feed = try Watcher(scenario.service, "/v1/changes", token: scenario.ada)
        let shelves = try Watcher(scenario.service, "/v1/shelves", token: scenario.ada)
        #expect(shelves.wait { $0.names == ["snapshot"] } && feed.wait { !$0.head.isEmpty })
        let made = Self.line("PUT", "/v1/shelves/\(Self.id(1))", "{\"name\":\"x\"}")
        let read = Self.line("PUT", "/v1/readings/\(Self.id(2))", "{\"book\":\"\(scenario.book)\"}")
        #expect(
            try scenario.send([made, read, Self.line("PATCH", "/v1/shelves/\(Self.id(1))", "{\"name\":\"y\"}"), read])
                .status == 200)
        let each = try scenario.send(
            [Self.line("DELETE", "/v1/shelves/\(Self.id(1))"), Self.line("DELETE", "/v1/readings/\(Self.id(2))")],
            atomic: false)
        #expect(each.status == 200)
        func received(_ watcher: Watcher) throws -> [String] {
            try watcher.events.filter { $0.data.contains("\"transaction\"") }.map {
                let data = try JSONDocument(Array($0.data.utf8)).root
                let what = "\(data["resource"]?.string ?? "") \(data["change"]?.string ?? "")"
                return what + (data["isLast"]?.bool == true ? ", the last" : "")
            }
        }
        #expect(feed.wait { (try? received($0).count) == 5 })
        #expect(
            try received(feed) == [
                "shelf created", "reading created", "shelf updated, the last", "shelf deleted, the last",
                "reading deleted, the last",
            ])
        #expect(shelves.wait { (try? received($0).count) == 3 })
        #expect(try received(shelves) == ["shelf created", "shelf updated, the last", "shelf deleted, the last"])
    }

    @Test("Each line of a batch counts as a request")
    func counted() throws {
        let scenario = try Scenario()
        func batched() throws -> Int { try scenario.service.metric("lectern_batched_requests_total") }
        let before = try batched()
        _ = try scenario.send(Self.week(scenario.book))
        #expect(try batched() - before == 100)
    }
}

/// The failures on other threads.
final class Failures: Sendable {
    private let noted = Mutex<[String]>([])
    func note(_ text: String) { noted.withLock { $0.append(text) } }
    var all: [String] { noted.withLock { $0 } }
}

enum EventText {
    /// Returns the number in a cursor.
    static func seq(_ cursor: String) -> Int64? { Int64(cursor.dropFirst(9)) }
}
