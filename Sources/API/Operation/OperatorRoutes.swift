import HTTPServer
import JSON
import Model
import Store

/// The routes for the operator of the service.
extension Route {
    static let operating: [Route] = [
        Route(
            .get, "/readyz", "getReadiness", admission: .anyone,
            watching: .no(because: "It is for probes, which poll it.")
        ) { call in
            let readiness = Readiness(of: call.service)
            call.service.logReadiness(readiness)
            return .json(status: readiness.isReady ? 200 : 503, readiness.write)
        },
        Route(
            .get, "/v1/admin/log", "getLog", parameters: ["lines", "level"], admission: .administrators,
            watching: .no(because: "The log has requests, also the one that reads it.")
        ) { call throws(RequestError) in
            try call.pipeline.requireJSON(call.request)
            let level = try call.query.text("level").map { given throws(RequestError) in
                guard let level = ServerLogLevel(name: given) else {
                    throw call.query.refusal("level", "must be error, warning, info or debug")
                }
                return level
            }
            let log = call.service.log
            let lines = try call.query.integer("lines", in: 1...Int32(RecentServerLogRecords.recordsMax)) ?? 100
            let page = ServerLogPage(
                records: log.ring.last(Int(lines), upTo: level ?? .debug), dropped: log.droppedCount)
            return .document(DocumentResponse(page.encoded(), "application/json", caching: .never))
        },
    ]
}

/// The latest lines of the log, the newest last.
private struct ServerLogPage {
    let records: [ServerLogRecord]
    let dropped: Int

    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append("{\"items\":[")
        for (index, record) in records.enumerated() {
            if index > 0 { bytes.append(",") }
            ServerLogFormat.appendJSON(record, to: &bytes)
        }
        bytes.append("],\"dropped\":")
        bytes.append(decimal: dropped)
        bytes.append("}")
        return bytes
    }
}
