import JSON
import Model
import Store

/// The encoding of the responses to a batch's lines, each with the status, fields and body that it would have on its
/// own.
struct BatchResponseEncoder: Sendable {
    /// The contexts, one for each line; `nil` for an invalid line.
    let contexts: [ResponseContext?]
    let epoch: LogEpoch
    let log: ServerLog
    /// A Boolean value indicating whether the results' representations are left out.
    let isMinimal: Bool

    func encoded(_ answers: [BatchResult]) -> [UInt8] {
        JSONWriter.object(capacity: 64 + answers.count * 400) { json in
            json.array("answers", zip(answers, contexts)) { line, json in
                json.object { json in
                    switch line.0 {
                    case .success(let outcome): write(outcome, line.1, to: &json)
                    case .failure(let error): write(error, to: &json)
                    }
                }
            }
        }
    }

    private func write(_ outcome: CommandOutcome, _ context: ResponseContext?, to json: inout JSONWriter) {
        let isNew = outcome.effect == .created
        let value = isMinimal ? nil : outcome.value
        json.member("status", isNew ? 201 : value == nil ? 204 : 200)
        json.member("location", ifAny: context?.location(of: outcome))
        if outcome.value != nil {
            json.member(
                "etag", String(decoding: ETag.bytes(EventID(epoch: epoch, seq: outcome.validator)), as: UTF8.self))
        }
        if outcome.effect == nil { json.member("unchanged", true) }
        if let value { json.member("body", raw: value) }
    }

    private func write(_ error: RequestError, to json: inout JSONWriter) {
        if case .internalError(let what) = error { log.error(what) }
        let problem = ProblemResponse(error)
        json.member("status", problem.kind.page.status)
        if let current = problem.current {
            json.member(
                "etag", String(decoding: ETag.bytes(EventID(epoch: epoch, seq: current.validator)), as: UTF8.self))
        }
        json.member("body", raw: problem.encoded())
    }
}
