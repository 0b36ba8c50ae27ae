import HTTPServer
import Model
import ObservableModels
import Store

/// The routes of blocked readers, whose notes the viewer does not see.
extension Route {
    static let blocks: [Route] = [
        Route(.get, "/v1/me/blocks", "listBlocks", parameters: paged(), watching: .whole) { call throws(RequestError) in
            try call.list(ReadConnection.blocks)
        },
        Route(.get, "/v1/me/blocks/{readerId}", "getBlock", watching: .whole) { call throws(RequestError) in
            let (blocked, viewer) = (try call.id(0), call.viewer)
            return try call.one(ReaderBlock.id(of: blocked, by: viewer.reader)) { reads throws(RequestError) in
                try reads.block(of: blocked, by: viewer.readerKey)
            }
        },
        Route(.put, "/v1/me/blocks/{readerId}", "putBlock", inBatches: true) { call throws(RequestError) in
            .commit(.putBlock(try call.id(0)))
        },
        deleting("/v1/me/blocks/{readerId}", "deleteBlock") { .deleteBlock($0[0]) },
    ]
}
