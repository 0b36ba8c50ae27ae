import JSON
import Outbound
import Testing

/// What happens in a club, step by step, at a service of its own: each says who asks for what, how that is answered, and what
/// everybody hears of it, who all listen from beginning to end. Whom a step does not name must hear nothing.
final class StoryScript {
    let service: TestService
    /// The ids of what there is, by what the story calls it.
    private(set) var things: [String: String] = [:]
    private var tokens: [String: String] = [:]
    private var ears: [StoryEar] = []
    private let client: HTTPClient
    /// A book that everybody hears of, changed after each step: what has not been heard by then is not said.
    private let mark: String
    private var marks = 0
    /// What everybody hears after each step of a story that is told to see whether that would be noticed, with the book it is of.
    private let noise: String?

    /// Readers with a token each, who hear all that they may.
    init(_ names: String..., hearsNoise: Bool = false) throws {
        (service, client) = (try TestService(), try HTTPClient())
        mark = try service.make("/v1/books", #"{"title":"Mark 0"}"#)
        noise = hearsNoise ? try service.make("/v1/books", #"{"title":"Noise"}"#) : nil
        tokens["admin"] = service.token
        for name in names { try enter(name, service.reader(name)) }
    }

    /// Gives a reader a voice, by their token, and an ear.
    func enter(_ name: String, _ token: String) throws {
        tokens[name] = token
        things[name] = try ask(name, "GET", "/v1/me")["id"]?.string
        ears.append(try StoryEar(name, service, "/v1/changes", token: token))
        try hear()
    }

    /// Hears of something else, too.
    func listen(_ ear: String, _ path: String, as name: String) throws {
        var watch = #""it":{"url":"\#(filled(path))"},"mark":{"url":"/v1/books/\#(mark)"}"#
        if let noise { watch += #","noise":{"url":"/v1/books/\#(noise)"}"# }
        let stream = try ask(name, "POST", "/v1/streams", #"{"watch":{\#(watch)}}"#)
        guard let url = stream["url"]?.string else { throw Surprise(text: stream.text) }
        ears.append(try StoryEar(ear, service, url, token: nil))
        try hear()
    }

    /// A step. `told`: what is heard, by whom, in this order: `entry created`, or
    /// `rope unlocked` of a note that the story calls so, or `snapshot` of what is sent whole. With `notes` what
    /// is made has a note, with `ends` that ear's stream is at its end.
    @discardableResult
    func step(
        _ name: String, _ request: String, _ body: String? = nil, _ status: Int, _ told: [String: String] = [:],
        makes thing: String? = nil, notes note: String? = nil, ends ending: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let parts = request.split(separator: " ", maxSplits: 1)
        let answer = try ask(name, String(parts[0]), String(parts[1]), body)
        #expect(answer.status == status, "\(request): \(answer.text)", sourceLocation: location)
        if let thing { things[thing] = answer["id"]?.string }
        if let note { things[note] = answer["noteId"]?.string }
        if let noise { _ = try ask("admin", "PATCH", "/v1/books/\(noise)", #"{"title":"Noise \#(marks)"}"#) }
        for (ear, words) in try hear(ending: ending) {
            let isAsTold = words == told[ear] ?? ""
            if noise == nil, !isAsTold {
                Issue.record("\(request): \(ear) hears “\(words)”, not “\(told[ear] ?? "")”", sourceLocation: location)
            } else if noise != nil, isAsTold, ear != ending {
                Issue.record("\(request): \(ear) may hear more, and nobody notices", sourceLocation: location)
            }
        }
        for ear in told.keys where ear != ending && !ears.contains(where: { $0.name == ear }) {
            Issue.record("nobody is \(ear)", sourceLocation: location)
        }
        return answer
    }

    /// Calls something that is there by a name.
    func name(_ thing: String, _ id: String?) { things[thing] = id }

    /// Whom a club is closed to is told of nothing in it, nor that it is there.
    func isClosed(to name: String, at location: SourceLocation = #_sourceLocation) throws {
        let lists = ["", "/members", "/runs", "/milestones", "/standings", "/meetings", "/notes"]
        let pace = things["run"] == nil ? [] : ["/runs/{run}/pace"]
        for path in (lists + pace).map({ "/v1/clubs/{club}\($0)" }) {
            let answer = try ask(name, "GET", path)
            let none = try ask(name, "GET", path.replacing("{club}", with: "{book}"))
            #expect(answer.status == 404, "\(name): \(path)", sourceLocation: location)
            #expect(answer.said.replacing(things["club"] ?? "-", with: things["book"] ?? "-") == none.said)
        }
    }

    /// Which of these see a note, in the club's list and by its id alike.
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

    /// A request of somebody's.
    private func ask(_ name: String, _ method: String, _ path: String, _ body: String? = nil) throws -> Answer {
        let fields = [
            "Authorization: Bearer \(tokens[name] ?? "")", "Expect:", "Content-Type: application/json",
        ]
        return Answer(
            try client.send(
                method, "http://127.0.0.1:\(service.port)\(filled(path))", fields: fields,
                body: body.map { Array(filled($0).utf8) }))
    }

    /// A text with the ids of what it names in braces.
    private func filled(_ text: String) -> String {
        things.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// What has been heard since, by whom.
    @discardableResult
    private func hear(ending: String? = nil) throws -> [String: String] {
        var heard = Dictionary(uniqueKeysWithValues: ears.map { ($0.name, [String]()) })
        var listening = ears
        while !listening.isEmpty {
            marks += 1
            let title = "Mark \(marks)"
            let marked = try ask("admin", "PATCH", "/v1/books/\(mark)", #"{"title":"\#(title)"}"#)
            guard marked.status == 200 else { throw Surprise(text: marked.text) }
            // Whoever is still owed something is asked again.
            listening = try listening.filter { ear in
                try !hear(by: ear, upTo: ear.name == ending ? nil : title, &heard[ear.name, default: []])
            }
        }
        ears.removeAll { $0.name == ending }
        return heard.mapValues { $0.joined(separator: ", ") }
    }

    /// What one hears up to a mark, or to the end of the stream; whether that is all.
    private func hear(by ear: StoryEar, upTo title: String?, _ words: inout [String]) throws -> Bool {
        while true {
            guard let event = try ear.next() else { return true }
            guard let data = event.data, event.name != "subscribed" else { continue }
            let isMark =
                data["id"]?.string == mark || data["name"]?.string == "mark"
            if !isMark { words.append(self.words(of: event.name, data)) }
            if let title, data["value"]?["title"]?.string == title { return !event.id.contains(".d") }
        }
    }

    private func words(of event: String, _ data: JSONValue) -> String {
        guard let kind = data["resource"]?.string else { return event }
        let told = data["for"]?.elements.compactMap { $0 }.first
        let change = (told?["event"] ?? data["change"])?.string ?? event
        let reason = (told?["reason"] ?? data["reason"])?.string.map { " (\($0))" } ?? ""
        let note = kind == "note" ? things.first { $0.value == data["id"]?.string }?.key : nil
        return "\(note ?? kind) \(change)\(reason)"
    }
}

/// What is heard, by whom.
extension [String: String] {
    init(_ words: String, by ears: [String]) { self.init(uniqueKeysWithValues: ears.map { ($0, words) }) }

    /// The same, but by those otherwise.
    func but(_ others: [String: String]) -> Self { merging(others) { $1 } }
}
