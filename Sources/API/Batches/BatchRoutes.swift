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
            return .deferred(
                .commit(
                    try call.pipeline.write(
                        lines, isAtomic: draft.isAtomic, call.request, by: call.viewer, now: call.now)))
        }
    ]
}
