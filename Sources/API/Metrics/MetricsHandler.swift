import HTTPServer
import Model
import Store

/// The request handler of the separate port for collectors and probes. It needs no token, so only they should be able
/// to reach its address.
final class MetricsHandler: RequestHandler {
    private let service: SharedServiceState

    private init(_ service: SharedServiceState) { self.service = service }

    static func server(of service: SharedServiceState) -> HTTPServer {
        var limits = HTTPLimits()
        limits.connectionsMax = 64
        limits.bodyBytesMax = 0
        return HTTPServer(limits: limits, loops: 1) { _ in MetricsHandler(service) }
    }

    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
        guard request.method == .get || request.method == .head else {
            ProblemResponse(.methodNotAllowed(allow: "GET, HEAD")).write(to: &response, epoch: service.store.epoch)
            return .answered
        }
        switch text(of: request.path) {
        case "/metrics": service.metrics.write(to: &response)
        case "/healthz": service.health.write(to: &response)
        case "/readyz": service.document(of: Readiness(of: service)).write(to: &response)
        default:
            let error = RequestError.refused(.noSuchRoute, "This address has /metrics, /healthz and /readyz.")
            ProblemResponse(error).write(to: &response, epoch: service.store.epoch)
        }
        return .answered
    }
}
