import CContract
import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    /// What everyone may see.
    func answer(open route: Route, _ request: borrowing Request, _ response: inout ResponseWriter) throws(LecternError)
        -> Disposition
    {
        _ = try Query(request, known: [])
        switch route {
        case .contract:
            let isKnown = EntityTag.ifNoneMatch(request, Contract.tag.span.bytes) == .matches
            response.status(isKnown ? 304 : 200)
            response.field("ETag", Contract.tag)
            response.field("Cache-Control", "no-cache")
            if isKnown { response.empty() } else { response.body(Contract.bytes, type: "application/yaml") }
        case .health:
            response.field("Cache-Control", "no-store")
            response.body(health(), type: "application/json")
        default:
            response.body(Contract.welcome, type: "text/plain")
        }
        return .answered
    }

    /// 200 as long as reading works: a full disk stops writes only, and is said, as is a check of the file.
    private func health() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.name("status")
        json.string(ascii: "ok")
        json.name("writes")
        json.string(ascii: service.store.isOutOfSpace ? "out of space" : "ok")
        json.name("check")
        let check: StaticString =
            switch service.store.checkup.state {
            case .ok: "ok"
            case .running: "running"
            case .failed: "failed"
            }
        json.string(ascii: check)
        json.endObject()
        return json.bytes
    }
}

/// The contract, as it stands at the top of the repository.
enum Contract {
    static let bytes = Array(UnsafeBufferPointer(start: lectern_openapi(), count: lectern_openapi_count()))

    static let tag = ETag.bytes(hashing: bytes)

    static let welcome: StaticString = """
        Lectern, a backend for reading together: books, readings and progress, and every change pushed as it is committed.
        The contract is at /openapi.yaml. With a token, begin at /v1/me.

        """
}
