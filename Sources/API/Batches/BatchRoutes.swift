import HTTPServer
import JSON
import Model
import Store

/// The route for several writes in one request.
extension Route {
    static let batches: [Route] = [
        Route(.post, "/v1/batch", "postBatch") { call throws(RequestError) in
            guard call.request.body.byteCount <= BatchDraft.bytesMax else {
                throw .tooLarge(limit: "batchBytesMax", max: BatchDraft.bytesMax)
            }
            let draft = try BatchDraft(call.json())
            let lines = draft.lines.map { call.pipeline.line($0, of: call.request, by: call.viewer, now: call.now) }
            let answers = BatchResponseEncoder(
                contexts: lines.map { if case .success(let line) = $0 { line.context } else { nil } },
                epoch: call.pipeline.epoch, log: call.service.log, isMinimal: PreferField.returnsMinimal(call.request))
            let batch = Batch(lines.map { $0.map { ($0.command, $0.actor) } }, isAtomic: draft.isAtomic) {
                answers.encoded($0)
            }
            return .commit(Command(batch), location: .ofBatch(isMinimal: answers.isMinimal))
        }
    ]
}
