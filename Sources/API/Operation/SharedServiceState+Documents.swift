import JSON
import Model
import Store

/// Documents about the service, for its routes and for the port of collectors.
extension SharedServiceState {
    /// The health of the service. Its status is `ok` whenever it responds. It also reports a full disk, which stops
    /// writes only, and a check of the database file.
    var health: DocumentResponse {
        let body = JSONWriter.object { json in
            json.member("status", ascii: "ok")
            json.member("writes", ascii: store.isOutOfSpace ? "out of space" : "ok")
            json.member("check", "\(store.crashCheck.state)")
            json.member("version", ProgramRelease.version)
            json.member("commit", ProgramRelease.commit.isEmpty ? nil : ProgramRelease.commit)
            json.member("schema", ProgramRelease.schema)
            json.member("sqlite", ProgramRelease.sqlite)
        }
        return DocumentResponse(body: body, caching: "no-store")
    }

    /// The readiness of the service, as a probe gets it.
    func document(of readiness: Readiness) -> DocumentResponse {
        DocumentResponse(
            status: readiness.isReady ? 200 : 503, body: JSONWriter.object(readiness.write), caching: "no-store")
    }

    var metrics: DocumentResponse {
        DocumentResponse(body: ServiceMetrics.text(of: self), type: "text/plain; version=0.0.4", caching: "no-store")
    }
}
