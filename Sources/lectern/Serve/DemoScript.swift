import CDemo
import FoundationEssentials
import JSON
import Model

/// The requests of the demo, line by line: `["Ada", "PUT", "/v1/books/@emma", {…}]` names the sender and the request.
///
/// `@emma` is the id with that name, and `@-3d` or `@+2h` a time before or after now, in whole hours. A line's fifth
/// element names the `code` of its response.
struct DemoScript {
    /// The names of the readers; the first one is the administrator.
    let readers: [String]
    /// The lines that fill the database.
    let beginning: [Substring]
    /// The lines that are sent one by one while the demo runs.
    let middle: [Substring]
    /// The lines that follow `middle`, repeated for ever. They name no new ids.
    let ending: [Substring]
    private var ids: [Substring: String] = [:]

    /// Reads the script in the program: the readers, and three parts separated by empty lines.
    init() throws {
        let bytes = UnsafeBufferPointer(start: lectern_demo(), count: lectern_demo_count())
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let parts = lines.split(separator: "")
        guard parts.count == 4, let first = parts[0].first else {
            throw CommandError.failed("The demo has \(parts.count) parts, not four.")
        }
        readers = try JSONDocument(Array(first.utf8)).root.elements.compactMap(\.string)
        (beginning, middle, ending) = (Array(parts[1]), Array(parts[2]), Array(parts[3]))
    }

    /// Stores an id or a code under a name, by which later lines refer to it.
    mutating func name(_ id: String, _ name: String) { ids[name[...]] = id }

    /// Decodes a line.
    mutating func request(_ line: Substring) throws -> DemoRequest {
        let values = try JSONDocument(Array(filled(line).utf8)).root.elements.map { $0 }
        guard values.count > 2, let reader = values[0].string, let method = values[1].string,
            let path = values[2].string
        else { throw CommandError.failed("The demo has a line that is not a request: \(line)") }
        var body = JSONWriter()
        if values.count > 3 { body.value(values[3]) }
        return DemoRequest(
            reader: reader, method: method, path: path, body: body.bytes.isEmpty ? nil : body.bytes,
            code: values.count > 4 ? values[4].string : nil)
    }

    /// Replaces names by ids, and relative times by timestamps.
    private mutating func filled(_ line: Substring) -> String {
        let parts = line.split(separator: "@", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "+" }
            text += value(of: name) + part.dropFirst(name.count)
        }
    }

    private mutating func value(of name: Substring) -> String {
        if let hours = Self.hours(name) {
            let hour: Int64 = 3_600_000
            let now = Instant.now.milliseconds / hour * hour
            return Instant(milliseconds: now + hours * hour).description
        }
        if let known = ids[name] { return known }
        let id = "\(ResourceID(madeAt: .now))"
        ids[name] = id
        return id
    }

    /// Returns the hours of `-3d` or `+2h`, or `nil` for a name.
    private static func hours(_ text: Substring) -> Int64? {
        guard let sign = text.first, sign == "-" || sign == "+", let count = Int64(text.dropLast()) else { return nil }
        return text.last == "d" ? count * 24 : text.last == "h" ? count : nil
    }
}

/// The request of a line.
struct DemoRequest {
    /// The name of the reader who sends it.
    let reader: String
    let method: String
    let path: String
    let body: [UInt8]?
    /// The name for the code in the response.
    let code: String?
}
