import HTTPServer
import JSON
import Model

/// A batch as a request describes it.
struct BatchDraft {
    /// The maximum number of lines in a batch.
    static let linesMax = 100
    /// The maximum size of a batch in bytes: a larger one delays the other requests of its event loop, and other
    /// writes, by more than some milliseconds.
    static let bytesMax = 262_144

    let isAtomic: Bool
    /// The requests. An invalid one is an error with its violations.
    let lines: [Result<InternalRequest, RequestError>]

    /// Decodes a body. Throws `RequestError.invalid` with all violations, which include those of lines if the batch is
    /// atomic.
    init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        isAtomic = decoder.required("atomic", decoder.bool("atomic"), .whole) ?? false
        let requests = decoder.required("requests", decoder.array("requests", of: "requests"), .whole) ?? []
        guard requests.count <= Self.linesMax else { throw .tooLarge(limit: "batchLinesMax", max: Self.linesMax) }
        var violations = decoder.finish()
        if violations.isEmpty, requests.isEmpty {
            violations.append(Violation(pointer: "/requests", detail: "must have at least one request"))
        }
        lines = requests.enumerated().map { Self.line($1, at: $0) }
        for case .failure(.invalid(let wrong)) in lines where isAtomic { violations += wrong }
        guard violations.isEmpty else { throw .invalid(violations) }
    }

    private static let methods = ["POST", "PUT", "PATCH", "DELETE"]
    /// The methods that are valid but may not be in a batch.
    private static let methodsOfReading = ["GET", "HEAD", "OPTIONS"]

    private static func line(_ request: JSONValue, at number: Int) -> Result<InternalRequest, RequestError> {
        var decoder = ObjectDecoder(request)
        let method = decoder.required("method", decoder.string("method", length: 1...20), .whole) ?? ""
        let isReading = methodsOfReading.contains(method)
        if !method.isEmpty, !isReading, !methods.contains(method) {
            decoder.refuse("method", "must be POST, PUT, PATCH or DELETE")
        }
        let path = decoder.required("path", decoder.string("path", length: 1...4000), .whole) ?? ""
        if !path.isEmpty, !path.hasPrefix("/") { decoder.refuse("path", "must begin with /") }
        var fields: [(name: String, value: String)] = []
        for (member, field) in [("ifMatch", "If-Match"), ("ifNoneMatch", "If-None-Match")] as [(StaticString, String)] {
            if case .value(let value) = decoder.string(member, length: 1...1000) { fields.append((field, value)) }
        }
        var body: [UInt8] = []
        if case .value(let value) = decoder.value("body") {
            body = value.encoded
            fields.append(("Content-Type", "application/json"))
        }
        let violations = decoder.finish()
        guard violations.isEmpty else {
            return .failure(
                .invalid(violations.map { Violation(pointer: "/requests/\(number)\($0.pointer)", detail: $0.detail) }))
        }
        return isReading ? .failure(.notInBatch) : .success(InternalRequest(method, path, fields: fields, body: body))
    }
}
