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
            return .document(call.service.document(of: readiness))
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
            let lines = try call.query.integer("lines", in: 1...Int32(ServerLog.keptMax)) ?? 100
            let records = log.last(Int(lines), upTo: level ?? .debug)
            return .json { json in
                json.array("items", records) { record, json in json.object(record.write) }
                json.member("dropped", log.droppedCount)
            }
        },
    ]
}
