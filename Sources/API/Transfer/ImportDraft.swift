import JSON
import Model
import Store

/// An import as a request describes it.
struct ImportDraft {
    /// The maximum number of lines in a request.
    static let linesMax = 1000
    /// The limits of the JSON: a line may be as deep as another request's body, and lines may have many values together.
    static let limits = JSONLimits(depthMax: JSONLimits().depthMax + 2, valuesMax: 1 << 20)

    /// The reader whose account the lines belong to, or `nil` for an export of everything.
    let account: ResourceID?
    let replaces: Bool
    let lines: [JSONValue]

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    init(_ body: JSONValue, needsAccount: Bool) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let account = decoder.resourceID("account")
        self.account = account.value
        if needsAccount, account == .absent || account == .null {
            decoder.refuse("account", "is required: the reader in the export's first line")
        }
        replaces = decoder.bool("replace").value ?? false
        lines = decoder.required("lines", decoder.array("lines", of: "lines of an export"), .whole) ?? []
        try decoder.demandValid()
        guard lines.count <= Self.linesMax else { throw .tooLarge(limit: "importLinesMax", max: Self.linesMax) }
    }
}

/// The response to an import: the number of changes, and the refused lines with their problems.
enum ImportResponse {
    static func encoded(_ answers: [BatchResult], _ log: ServerLog) -> [UInt8] {
        var counts: [ChangeOperation?: Int64] = [:]
        for case .success(let outcome) in answers { counts[outcome.effect, default: 0] += 1 }
        let errors = answers.enumerated().compactMap { index, answer in
            if case .failure(let error) = answer { (line: index, error: error) } else { nil }
        }
        return JSONWriter.object { json in
            json.member("created", counts[.created] ?? 0)
            json.member("updated", counts[.updated] ?? 0)
            json.member("unchanged", counts[nil] ?? 0)
            json.array("refused", errors) { refused, json in
                if case .internalError(let what) = refused.error { log.error(what) }
                json.object {
                    $0.member("line", refused.line)
                    $0.member("problem", raw: ProblemResponse(refused.error).encoded())
                }
            }
        }
    }
}
