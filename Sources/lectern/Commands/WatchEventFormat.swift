import JSON
import LecternClient

/// The format in which `lectern watch` prints an event.
enum WatchEventFormat {
    /// The data, one line each.
    case json
    /// Text for people.
    case text

    func bytes(of event: Event) throws -> [UInt8] {
        switch self {
        // The event with the start of the log's stream is not a change.
        case .json: try Self.isPlace(event) ? [] : event.data + [UInt8(ascii: "\n")]
        case .text: Array(escapedForTerminal(try Self.text(event.name, event.json())).utf8)
        }
    }

    private static func isPlace(_ event: Event) throws -> Bool {
        guard event.name == "snapshot" else { return false }
        let json = try event.json()
        return json["floor"] != nil && json["items"] == nil && json["id"] == nil
    }

    /// Returns an event as lines of text, each with its line end.
    static func text(_ name: String, _ json: JSONValue) -> String {
        switch name {
        case "snapshot":
            // Each of several watched URLs has its own snapshot.
            guard let name = json["name"]?.string, let value = json["value"] else { return snapshot(json) }
            return snapshot(value, "\(name): ")
        case _ where json["resource"] != nil: return change(name, json)
        default:
            let rest = json["name"] == nil ? json["reason"]?.string : nil
            return padded("", 10) + padded(name, 10) + (rest ?? fields(of: json)) + "\n"
        }
    }

    private static func change(_ name: String, _ json: JSONValue) -> String {
        let told = json["for"]?.elements.map { "\($0["name"]?.string ?? "") \($0["event"]?.string ?? "")" }
        let word = told.map { $0.joined(separator: ", ") } ?? name
        // The time 09:30:00 of 2026-01-21T09:30:00.000Z.
        let time = (json["at"]?.string ?? "").dropFirst(11).prefix(8)
        let what = "\(json["resource"]?.string ?? "") \(json["id"]?.string ?? "")"
        let changed = json["changed"].map { $0.elements.compactMap(\.string) }
        let rest = json["value"].map { fields(of: $0, changed) } ?? json["reason"]?.string ?? ""
        return padded(String(time), 10) + padded(word, 10) + what + (rest.isEmpty ? "" : ": \(rest)") + "\n"
    }

    private static func snapshot(_ json: JSONValue, _ name: String = "") -> String {
        guard let items = json["items"] else { return padded("now", 10) + name + fields(of: json) + "\n" }
        var text = padded("now", 10) + name + "\(items.elements.count) in the list\n"
        for item in items.elements { text += padded("", 10) + fields(of: item) + "\n" }
        return text
    }

    /// Formats members as `title "Kindred", pageCount 264`: the named ones, or all with a value.
    private static func fields(of json: JSONValue, _ names: [String]? = nil) -> String {
        json.members.compactMap { name, value in
            let isSaid =
                names?.contains(name) ?? (!["version", "createdAt", "updatedAt"].contains(name) && !value.isNull)
            guard isSaid else { return nil }
            var writer = JSONWriter()
            writer.value(value)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            return "\(name) " + (text.count > 60 ? text.prefix(59) + "…" : text)
        }.joined(separator: ", ")
    }
}
