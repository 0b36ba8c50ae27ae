import HTTPServer
import JSON
import Model

/// The format of log lines. Of a request, both formats show only id, method, route, status, duration, outcome and
/// reader. They show no path, since some paths are secret, and no query, body or field.
package enum ServerLogFormat: String, Sendable, CaseIterable {
    /// Lines for people: a time, a level, and a message.
    case text
    /// Lines for programs: one JSON object a line.
    case json

    func append(_ record: ServerLogRecord, to bytes: inout [UInt8]) {
        switch self {
        case .text: bytes += record.text.utf8
        case .json: bytes += JSONWriter.object(record.write)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension ServerLogRecord {
    /// The record as a line for people.
    fileprivate var text: String {
        let front = "\(time) \(level) "
        switch event {
        case .message(let message, let request):
            return front + Self.line(message) + (request.map { " id=\($0)" } ?? "")
        case .request(let end):
            let parts = [
                "\(end.status) \(end.methodName) \(end.routeName) ms=\(end.milliseconds)", end.word,
                end.reader.map { "reader=\($0)" }, end.trace.id.map { "id=\($0)" },
            ]
            return front + parts.compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Returns a message without control characters, so that each record is one line.
    private static func line(_ message: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in message.unicodeScalars {
            switch scalar.value {
            case 0x0A: line += "\\n".unicodeScalars
            case 0..<0x20, 0x7F: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// Writes the members of the record's JSON object.
    func write(to json: inout JSONWriter) {
        json.member("time", time)
        json.member("level", "\(level)")
        switch event {
        case .message(let message, let request):
            json.member("message", message)
            json.member("requestId", ifAny: request?.description)
        case .request(let end):
            json.member("status", end.status)
            json.member("method", end.methodName)
            json.member("route", end.routeName)
            json.member("milliseconds", raw: Array(end.milliseconds.utf8))
            json.member("outcome", ifAny: end.word)
            json.member("reader", ifAny: end.reader)
            json.member("requestId", ifAny: end.trace.id?.description)
        }
    }
}

extension RequestEnd {
    fileprivate var methodName: String { trace.method == .other ? "-" : "\(trace.method.text)" }
    fileprivate var routeName: String { trace.route < 0 ? "-" : "\(Route.all[Int(trace.route)].path)" }
    fileprivate var reader: ResourceID? {
        trace.subject == (0, 0) ? nil : ResourceID(high: trace.subject.high, low: trace.subject.low)
    }

    /// The duration in milliseconds with three decimals.
    fileprivate var milliseconds: String {
        let microseconds = nanoseconds / 1000
        return "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())"
    }

    /// The outcome of a request, or `nil` for a plain response.
    fileprivate var word: String? {
        switch outcome {
        case .answer: trace.hasWaited ? "waited" : nil
        case .stream: "stream"
        case .streamEnd: "stream-end"
        case .refusal: "refused"
        case .abandoned: "abandoned"
        }
    }
}
