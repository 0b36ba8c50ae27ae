import JSON
import Model
import ObservableModels
import Store
import Testing

@testable import API

/// Ada and Ben in a club that reads a book of a hundred pages, at noon, with a stopped clock.
final class PaceScenario {
    let pipeline = try! TestPipeline()
    let book: String
    let club: String
    let reading: String
    /// The current day in UTC.
    let today: Int64
    /// The club's current run of the book.
    private(set) var run = ""
    private(set) var ids: [String: String] = [:]

    init() throws {
        today = Instant.now.day
        for name in ["ada", "ben", "cem"] {
            try pipeline.enter(name)
            ids[name] = try pipeline.send("GET", "/v1/me", as: name)["id"]?.string
        }
        book = try pipeline.make("/v1/books", #"{"title":"Kindred","pageCount":100}"#, as: "admin")
        club = try pipeline.make("/v1/clubs", #"{"name":"Tuesdays"}"#, as: "ben")
        reading = try pipeline.make("/v1/readings", #"{"book":"\#(book)"}"#, as: "ada")
        try join("ada", club)
        run = try pipeline.make("/v1/clubs/\(club)/runs", #"{"book":"\#(book)","state":"current"}"#, as: "ben")
        stand(at: noon(0))
        try receive()
    }

    func join(_ name: String, _ club: String) throws {
        let invitation = try pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ben")
        let body = #"{"invitation":"\#(invitation["code"]?.string ?? "")"}"#
        #expect(try pipeline.send("POST", "/v1/memberships", body, as: name).status == 201)
    }

    /// Returns noon a number of days from today.
    func noon(_ days: Int64) -> Instant { Instant(milliseconds: (today + days) * 86_400_000 + 43_200_000) }

    /// Returns the first instant of that day, which is past by any time of the day.
    func early(_ days: Int64) -> Instant { Instant(milliseconds: (today + days) * 86_400_000 + 1) }

    func stand(at instant: Instant) { pipeline.pipeline.clock = { instant } }

    @discardableResult
    func receive() throws -> [Change] {
        let changes = pipeline.receive()
        _ = try pipeline.deliver(changes, to: [])
        return changes
    }

    /// Records Ada's position a number of days ago.
    @discardableResult
    func enter(_ place: String, _ day: Int64, in reading: String? = nil) throws -> String {
        let body = #"{\#(place),"happenedAt":"\#(early(day))"}"#
        return try pipeline.make("/v1/readings/\(reading ?? self.reading)/entries", body, as: "ada")
    }

    /// Creates a milestone, or a meeting, of Ben's.
    @discardableResult
    func plan(_ fields: String, _ day: Int64, isMeeting: Bool = false, in club: String? = nil) throws -> String {
        let path = "/v1/clubs/\(club ?? self.club)/\(isMeeting ? "meetings" : "milestones")"
        let due = isMeeting ? "startsAt" : "dueAt"
        return try pipeline.make(path, #"{\#(fields),"\#(due)":"\#(noon(day))"}"#, as: "ben")
    }

    /// Returns the pace of a reading or a run, for Ada or another reader.
    func pace(_ path: String? = nil, as name: String = "ada") throws -> Answer {
        try receive()
        return try pipeline.send("GET", path ?? "/v1/readings/\(reading)/pace", as: name)
    }

    /// Returns some members of a response, as JSON.
    func shown(_ names: String, of answer: Answer) -> String {
        names.split(separator: " ").map { Self.text(answer[String($0)]) }.joined(separator: " ")
    }

    /// Returns some members of each aim, as JSON.
    func aims(_ names: String, of answer: Answer) -> [String] {
        answer["aims"]?.elements.map { aim in
            names.split(separator: " ").map { Self.text(aim[String($0)]) }.joined(separator: " ")
        } ?? []
    }

    static func text(_ value: JSONValue?) -> String {
        value.map { $0.string ?? String(decoding: $0.encoded, as: UTF8.self) } ?? "-"
    }

    /// Returns the date a number of days from today.
    func day(_ days: Int64) -> String { String(noon(days).description.prefix(10)) }
}
