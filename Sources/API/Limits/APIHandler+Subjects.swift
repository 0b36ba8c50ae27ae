import HTTPServer
import Model

extension APIHandler {
    func subject(of request: borrowing Request) -> SchedulingSubject? {
        if Self.isProbe(request.path) { return nil }
        if let reader = pipeline.authenticator.rememberedReader(of: request) {
            return SchedulingSubject.known(high: reader.high, low: reader.low)
        }
        return service.forwarding.client(of: request).map { SchedulingSubject($0) }
            ?? SchedulingSubject(request.transport)
    }

    /// Returns whether a path is one of the probes. They must work for the operator however busy the server is.
    private static func isProbe(_ path: RawSpan) -> Bool {
        path.withUnsafeBytes { $0.elementsEqual("/healthz".utf8) || $0.elementsEqual("/readyz".utf8) }
    }
}
