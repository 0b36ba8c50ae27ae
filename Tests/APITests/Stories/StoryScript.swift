import JSON
import Outbound
import SharedByTests
import Testing

/// A sequence of steps in a club, at a separate service. Each step has a request, its response, and the events that
/// every reader receives. All readers listen from beginning to end, and readers not named in a step must receive
/// nothing.
final class StoryScript {
    let service: TestService
    /// The ids of resources, by their names in the story.
    private(set) var things: [String: String] = [:]
    private var tokens: [String: String] = [:]
    private var watchers: [StoryWatcher] = []
    private let client: HTTPClient
    /// A book that everybody watches, and that changes after each step. Events that have not arrived before it are
    /// missing.
    private let mark: String
    private var marks = 0
    /// A book whose change everybody receives after each step, if the story is to test that unexpected events are
    /// noticed.
    private let noise: String?

    /// Creates readers with a token each, who listen to all their changes.
    init(_ names: String..., hearsNoise: Bool = false) throws {
        (service, client) = (try TestService(), try HTTPClient())
        mark = try service.make("/v1/books", #"{"title":"Mark 0"}"#)
        noise = hearsNoise ? try service.make("/v1/books", #"{"title":"Noise"}"#) : nil
        tokens["admin"] = service.token
        for name in names { try enter(name, service.reader(name)) }
    }

    /// Adds a reader by their token, and opens their feed.
    func enter(_ name: String, _ token: String) throws {
        tokens[name] = token
        things[name] = try ask(name, "GET", "/v1/me")["id"]?.string
        watchers.append(try StoryWatcher(name, service, "/v1/changes", token: token))
        try receive()
    }

    /// Adds a listener to another URL.
    func listen(_ watcher: String, _ path: String, as name: String) throws {
        var watch = #""it":{"url":"\#(filled(path))"},"mark":{"url":"/v1/books/\#(mark)"}"#
        if let noise { watch += #","noise":{"url":"/v1/books/\#(noise)"}"# }
        let stream = try ask(name, "POST", "/v1/streams", #"{"watch":{\#(watch)}}"#)
        guard let url = stream["url"]?.string else { throw UnexpectedResponse(text: stream.text) }
        watchers.append(try StoryWatcher(watcher, service, url, token: nil))
        try receive()
    }

    /// Performs a step. `received` contains the expected events by listener, in order: `entry created`, `rope unlocked` for
    /// a note with that name, or `snapshot`. With `notes` the created resource has a note; with `ends` that listener's
    /// stream ends.
    @discardableResult
    func step(
        _ name: String, _ request: String, _ body: String? = nil, _ status: Int, _ received: [String: String] = [:],
        makes thing: String? = nil, notes note: String? = nil, ends ending: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let parts = request.split(separator: " ", maxSplits: 1)
        let answer = try ask(name, String(parts[0]), String(parts[1]), body)
        #expect(answer.status == status, "\(request): \(answer.text)", sourceLocation: location)
        if let thing { things[thing] = answer["id"]?.string }
        if let note { things[note] = answer["noteId"]?.string }
        if let noise { _ = try ask("admin", "PATCH", "/v1/books/\(noise)", #"{"title":"Noise \#(marks)"}"#) }
        for (watcher, words) in try receive(ending: ending) {
            let isAsTold = words == received[watcher] ?? ""
            if noise == nil, !isAsTold {
                Issue.record(
                    "\(request): \(watcher) hears “\(words)”, not “\(received[watcher] ?? "")”",
                    sourceLocation: location)
            } else if noise != nil, isAsTold, watcher != ending {
                Issue.record("\(request): \(watcher) may hear more, and nobody notices", sourceLocation: location)
            }
        }
        for watcher in received.keys where watcher != ending && !watchers.contains(where: { $0.name == watcher }) {
            Issue.record("nobody is \(watcher)", sourceLocation: location)
        }
        return answer
    }

    /// Names an existing resource.
    func name(_ thing: String, _ id: String?) { things[thing] = id }

    /// Checks that a reader outside a club cannot see anything in it, nor that it exists.
    func isClosed(to name: String, at location: SourceLocation = #_sourceLocation) throws {
        let lists = ["", "/members", "/runs", "/milestones", "/standings", "/meetings", "/notes"]
        let pace = things["run"] == nil ? [] : ["/runs/{run}/pace"]
        for path in (lists + pace).map({ "/v1/clubs/{club}\($0)" }) {
            let answer = try ask(name, "GET", path)
            let none = try ask(name, "GET", path.replacing("{club}", with: "{book}"))
            #expect(answer.status == 404, "\(name): \(path)", sourceLocation: location)
            #expect(answer.given.replacing(things["club"] ?? "-", with: things["book"] ?? "-") == none.given)
        }
    }

    /// Returns the readers who see a note. The club's list and the note's own URL must agree.
    func who(of names: String..., sees note: String) throws -> String { try who(of: names, sees: note) }

    func who(of names: [String], sees note: String) throws -> String {
        try names.filter { name in
            let list = try ask(name, "GET", "/v1/clubs/{club}/notes?limit=100")
            let isListed = list["items"]?.elements.contains { $0["id"]?.string == things[note] } ?? false
            let status = try ask(name, "GET", "/v1/notes/{\(note)}").status
            #expect(status == (isListed ? 200 : 404), "\(name) and \(note)")
            return isListed
        }.joined(separator: " ")
    }

    /// Sends a request as a reader.
    private func ask(_ name: String, _ method: String, _ path: String, _ body: String? = nil) throws -> Answer {
        let fields = [
            "Authorization: Bearer \(tokens[name] ?? "")", "Expect:", "Content-Type: application/json",
        ]
        return Answer(
            try client.send(
                method, "http://127.0.0.1:\(service.port)\(filled(path))", fields: fields,
                body: body.map { Array(filled($0).utf8) }))
    }

    /// Returns a text with the names in braces replaced by ids.
    private func filled(_ text: String) -> String {
        things.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// Returns the events since the last call, by listener.
    @discardableResult
    private func receive(ending: String? = nil) throws -> [String: String] {
        var received = Dictionary(uniqueKeysWithValues: watchers.map { ($0.name, [String]()) })
        var listening = watchers
        while !listening.isEmpty {
            marks += 1
            let title = "Mark \(marks)"
            let marked = try ask("admin", "PATCH", "/v1/books/\(mark)", #"{"title":"\#(title)"}"#)
            guard marked.status == 200 else { throw UnexpectedResponse(text: marked.text) }
            // Listeners with missing events are read again.
            listening = try listening.filter { watcher in
                try !receive(
                    by: watcher, upTo: watcher.name == ending ? nil : title, &received[watcher.name, default: []])
            }
        }
        watchers.removeAll { $0.name == ending }
        return received.mapValues { $0.joined(separator: ", ") }
    }

    /// Reads one listener's events up to a mark, or to the end of the stream. Returns whether the stream ended.
    private func receive(by watcher: StoryWatcher, upTo title: String?, _ words: inout [String]) throws -> Bool {
        while true {
            guard let event = try watcher.next() else { return true }
            // A bookmark brings an id that was withheld, or that of a heartbeat, and tells of no change.
            guard let data = event.data, event.name != "subscribed", event.name != "bookmark" else { continue }
            let isMark =
                data["id"]?.string == mark || data["name"]?.string == "mark"
            if !isMark { words.append(self.words(of: event.name, data)) }
            if let title, data["value"]?["title"]?.string == title { return !event.id.contains(".d") }
        }
    }

    private func words(of event: String, _ data: JSONValue) -> String {
        guard let kind = data["resource"]?.string else { return event }
        let received = data["for"]?.elements.compactMap { $0 }.first
        let change = (received?["event"] ?? data["change"])?.string ?? event
        let reason = (received?["reason"] ?? data["reason"])?.string.map { " (\($0))" } ?? ""
        let note = kind == "note" ? things.first { $0.value == data["id"]?.string }?.key : nil
        return "\(note ?? kind) \(change)\(reason)"
    }
}

/// Events by listener.
extension [String: String] {
    init(_ words: String, by watchers: [String]) { self.init(uniqueKeysWithValues: watchers.map { ($0, words) }) }

    /// Returns the same events, with those of some listeners replaced.
    func but(_ others: [String: String]) -> Self { merging(others) { $1 } }
}
