import JSON
import Model
import ObservableModels
import Testing

@testable import API

/// What happens in a club, step by step: each says who asks for what, how that is answered, and what everybody hears of it. Whom a step
/// does not name must hear nothing.
final class StoryScript {
    let desk = try! TestDesk()
    /// The ids of what there is, by what the story calls it.
    private(set) var things: [String: String] = [:]
    private var ears: [(name: String, stream: OpenStream)] = []

    /// Readers with a token each, who hear all that they may.
    init(_ names: String...) throws {
        for name in names {
            try desk.enter(name)
            things[name] = try desk.send("GET", "/v1/me", as: name)["id"]?.string
        }
        try hear()
        for name in names { try listen(name, "/v1/changes", as: name) }
    }

    /// Hears of something else, too.
    func listen(_ ear: String, _ path: String, as name: String) throws {
        try hear()
        ears.append((ear, try desk.open(filled(path), as: name)))
    }

    /// A step. `told`: what is heard, by whom, in this order: `note unlocked`, or `snapshot` of what is sent whole.
    @discardableResult
    func step(
        _ name: String, _ request: String, _ body: String? = nil, _ status: Int, _ told: [String: String] = [:],
        makes thing: String? = nil, at location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let parts = request.split(separator: " ", maxSplits: 1)
        let answer = try desk.send(String(parts[0]), filled(String(parts[1])), body.map(filled), as: name)
        #expect(answer.status == status, "\(request): \(answer.text)", sourceLocation: location)
        if let thing { things[thing] = answer["id"]?.string }
        let heard = try hear()
        for (ear, words) in heard where words != told[ear] ?? "" {
            Issue.record("\(request): \(ear) hears “\(words)”, not “\(told[ear] ?? "")”", sourceLocation: location)
        }
        for ear in told.keys where heard[ear] == nil { Issue.record("nobody is \(ear)", sourceLocation: location) }
        return answer
    }

    /// Calls something that is there by a name.
    func name(_ thing: String, _ id: String?) { things[thing] = id }

    /// Which of these see a note, in the club's list and by its id alike.
    func who(of names: String..., sees note: String) throws -> String {
        try names.filter { name in
            let list = try desk.send("GET", filled("/v1/clubs/{club}/notes?limit=100"), as: name)
            let isListed = list["items"]?.elements.contains { $0["id"]?.string == things[note] } ?? false
            let status = try desk.send("GET", filled("/v1/notes/{\(note)}"), as: name).status
            #expect(status == (isListed ? 200 : 404), "\(name) and \(note)")
            return isListed
        }.joined(separator: " ")
    }

    /// A text with the ids of what it names in braces.
    private func filled(_ text: String) -> String {
        things.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// What has been heard since, by whom.
    @discardableResult
    private func hear() throws -> [String: String] {
        let told = try desk.frames(of: desk.hear(), for: ears.map(\.stream))
        var heard: [String: String] = [:]
        for (ear, frames) in zip(ears, told) { heard[ear.name] = frames.map(Self.words).joined(separator: ", ") }
        return heard
    }

    private static func words(of frame: [UInt8]) -> String {
        guard let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root, let kind = data["resource"]?.string
        else {
            return TestDesk.name(of: frame)
        }
        return "\(kind) \(data["change"]?.string ?? "")"
    }
}
