import JSON
import ObservableModels

/// A client's copy of the notes of a list, of a note's own URL, or of the feed of all changes: by id, as they were
/// sent.
struct OracleCopy {
    let path: String
    let reader: Int
    private(set) var values: [String: String] = [:]

    private var isFeed: Bool { path == "/v1/changes" }
    private var isOne: Bool { path.hasPrefix("/v1/notes/") }

    /// Creates a copy of what `GET` returns now; for the feed, of all notes in the reader's clubs.
    init(of path: String, by reader: Int, in scenario: OracleHistory) throws {
        (self.path, self.reader) = (path, reader)
        if isFeed {
            for club in scenario.clubs(of: reader) {
                values.merge(try scenario.fetch("/v1/clubs/\(scenario.clubIDs[club])/notes", reader)) { $1 }
            }
        } else if isOne {
            let answer = try scenario.pipeline.send("GET", path, as: scenario.tokens[reader])
            if answer.status == 200, let id = answer["id"]?.string { values[id] = answer.text }
        } else {
            values = try scenario.fetch(path, reader)
        }
    }

    /// Applies a frame of a stream.
    mutating func take(_ frame: [UInt8], _ scenario: OracleHistory) throws {
        let name = TestPipeline.name(of: frame)
        guard let data = try? JSONDocument(Array(EventFrame.data(of: frame))).root else { return }
        switch name {
        case "reset": values = [:]
        case "snapshot":
            values = [:]
            for item in data["items"]?.elements.map({ $0 }) ?? (isOne ? [data] : []) { keep(item["id"]?.string, item) }
        case _ where isFeed: try takeOfFeed(data, scenario)
        default: keep(data["id"]?.string, name == "leave" || name == "deleted" ? nil : data["value"])
        }
    }

    private mutating func keep(_ id: String?, _ value: JSONValue?) {
        guard let id else { return }
        values[id] = value.map { String(decoding: $0.encoded, as: UTF8.self) }
    }

    /// Applies an event of the feed. Joining a club fetches its notes; later changes come from events only.
    private mutating func takeOfFeed(_ data: JSONValue, _ scenario: OracleHistory) throws {
        let id = data["id"]?.string
        switch data["resource"]?.string ?? "" {
        case "membership":
            guard let id else { return }
            let isComing = data["value"].map { !$0.isNull } ?? false
            values = values.filter { !$0.value.contains("\"club\":\"\(id)\"") }
            if isComing { values.merge(try scenario.fetch("/v1/clubs/\(id)/notes", reader)) { $1 } }
        case "note":
            // The reader's own notes outside of clubs are in none of the clubs' lists.
            let isOfClub = data["value"]?["club"]?.string.map { club in
                scenario.clubs(of: reader).contains { scenario.clubIDs[$0] == club }
            }
            keep(id, isOfClub ?? false ? data["value"] : nil)
        default: break
        }
    }

    func compare(_ now: OracleCopy, _ scenario: OracleHistory, _ what: String) throws {
        guard values != now.values else { return }
        let id = Set(values.keys).union(now.values.keys).sorted().first { values[$0] != now.values[$0] } ?? ""
        throw scenario.finding(
            "stream: \(scenario.log.named(what)): has \(values[id] ?? "nothing"), there is \(now.values[id] ?? "nothing")",
            reader,
            scenario.rules.index[id])
    }
}
