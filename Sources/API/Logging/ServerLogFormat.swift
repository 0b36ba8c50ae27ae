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
        case .text: Self.appendText(record, to: &bytes)
        case .json: Self.appendJSON(record, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func appendText(_ record: ServerLogRecord, to bytes: inout [UInt8]) {
        record.time.append(to: &bytes)
        bytes.append(record.level.spaced)
        switch record.event {
        case .message(let message, let request):
            for byte in message.utf8 {
                // Control characters are replaced, so that each record is one line.
                if byte == 0x0A { bytes.append("\\n") } else { bytes.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
            }
            if let request { append(request, after: " id=", to: &bytes) }
        case .request(let end):
            bytes.append(decimal: end.status)
            bytes.append(" ")
            bytes.append(end.methodName)
            bytes.append(" ")
            bytes.append(end.routeName)
            bytes.append(" ms=")
            bytes.append(milliseconds: end.nanoseconds)
            if let word = end.word {
                bytes.append(" ")
                bytes.append(word)
            }
            if let reader = end.reader {
                bytes.append(" reader=")
                reader.append(to: &bytes)
            }
            if let request = end.trace.id { append(request, after: " id=", to: &bytes) }
        }
    }

    static func appendJSON(_ record: ServerLogRecord, to bytes: inout [UInt8]) {
        bytes.append("{\"time\":\"")
        record.time.append(to: &bytes)
        bytes.append("\",\"level\":\"")
        bytes.append(record.level.name)
        bytes.append("\"")
        switch record.event {
        case .message(let message, let request):
            var json = JSONWriter(capacity: message.utf8.count + 2)
            json.string(message)
            bytes.append(",\"message\":")
            bytes += json.bytes
            if let request { append(request, after: ",\"requestId\":\"", to: &bytes, before: "\"") }
        case .request(let end):
            bytes.append(",\"status\":")
            bytes.append(decimal: end.status)
            bytes.append(",\"method\":\"")
            bytes.append(end.methodName)
            bytes.append("\",\"route\":\"")
            bytes.append(end.routeName)
            bytes.append("\",\"milliseconds\":")
            bytes.append(milliseconds: end.nanoseconds)
            if let word = end.word {
                bytes.append(",\"outcome\":\"")
                bytes.append(word)
                bytes.append("\"")
            }
            if let reader = end.reader {
                bytes.append(",\"reader\":\"")
                reader.append(to: &bytes)
                bytes.append("\"")
            }
            if let request = end.trace.id { append(request, after: ",\"requestId\":\"", to: &bytes, before: "\"") }
        }
        bytes.append("}")
    }

    private static func append(
        _ request: RequestID, after front: StaticString, to bytes: inout [UInt8], before back: StaticString = ""
    ) {
        bytes.append(front)
        bytes += request.bytes
        bytes.append(back)
    }
}

extension RequestEnd {
    fileprivate var route: Route? { trace.route < 0 ? nil : Route.all[Int(trace.route)] }
    fileprivate var methodName: StaticString { trace.method == .other ? "-" : trace.method.text }
    fileprivate var routeName: StaticString { route?.path ?? "-" }
    fileprivate var reader: ResourceID? {
        trace.subject == (0, 0) ? nil : ResourceID(high: trace.subject.high, low: trace.subject.low)
    }

    /// The outcome of a request, or `nil` for a plain response.
    fileprivate var word: StaticString? {
        switch outcome {
        case .answer: trace.hasWaited ? "waited" : nil
        case .stream: "stream"
        case .streamEnd: "stream-end"
        case .refusal: "refused"
        case .abandoned: "abandoned"
        }
    }
}

extension ServerLogLevel {
    var name: StaticString {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }

    fileprivate var spaced: StaticString {
        switch self {
        case .error: " error "
        case .warning: " warning "
        case .info: " info "
        case .debug: " debug "
        }
    }
}
