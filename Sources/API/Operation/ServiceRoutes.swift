import CContract
import HTTPServer
import Model

/// The routes that describe the service itself.
extension Route {
    static let service: [Route] = [
        Route(.get, "/", "getService", admission: .anyone, watching: .no(because: "It never changes.")) { call in
            if let page = EmbeddedPages.response(to: call.request) { return .document(page) }
            return .document(
                DocumentResponse(
                    body: Contract.welcome, type: "text/plain", caching: "no-cache", vary: "Accept", hidesURL: true))
        },
        Route(
            .get, "/openapi.yaml", "getContract", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { _ in .document(Contract.document) },
        Route(
            .get, "/openapi.json", "getContractAsJSON", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { _ in .document(Contract.json) },
        Route(
            .get, "/healthz", "getHealth", admission: .anyone,
            watching: .no(because: "It is for probes, which poll it.")
        ) { call in
            .document(call.service.health)
        },
        Route(
            .get, "/metrics", "getMetrics", admission: .administrators,
            watching: .no(because: "It is for collectors, which poll it.")
        ) { call in
            call.pipeline.updateGauges()
            return .document(call.service.metrics)
        },
        Route(
            .get, "/problems/{problem}", "getProblem", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { call throws(RequestError) in
            guard let name = call.text(0), let page = ProblemPage(named: name) else { throw .notFound }
            return .document(DocumentResponse(body: Array(page.text.utf8), type: "text/plain; charset=utf-8"))
        },
    ]
}

/// The API's contract: the OpenAPI document at the top of the repository.
private enum Contract {
    static let document: DocumentResponse = {
        let bytes = Array(UnsafeBufferPointer(start: lectern_openapi(), count: lectern_openapi_count()))
        return DocumentResponse(
            body: bytes, type: "application/yaml", caching: "no-cache", tag: ETag.bytes(hashing: bytes))
    }()

    static let json: DocumentResponse = {
        let bytes = Array(UnsafeBufferPointer(start: lectern_openapi_json(), count: lectern_openapi_json_count()))
        return DocumentResponse(body: bytes, caching: "no-cache", tag: ETag.bytes(hashing: bytes))
    }()

    static let welcome = Array(
        """
        Lectern, a backend for reading together: books, readings and progress, and every change pushed as it is committed.
        The contract is at /openapi.yaml and /openapi.json. With a token, begin at /v1/me.

        """.utf8)
}
