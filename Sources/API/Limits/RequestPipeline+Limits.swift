import Bytes
import HTTPServer
import Model
import Store

/// Rate limits. They do not apply to the Unix socket.
extension RequestPipeline {
    /// The weight of opening a stream, which reads and keeps more than a plain request.
    static let streamWeight = 10
    /// The time on an event loop, in nanoseconds, that costs as much as a request.
    static let nanosecondsOfRequest: Int64 = 200_000

    /// Takes a request from the buckets of a token and its reader. Throws if one of them is empty.
    @inline(__always)
    func spend(_ weight: Int, of callerLimits: CallerTokenBuckets, _ response: inout ResponseWriter)
        throws(RequestError)
    {
        let now = response.trace.began
        let limits = service.rates
        let ofToken = callerLimits.token.bucket.take(limits.token.price(of: weight), limits.token, at: now)
        if ofToken < 0 { throw refusal(limits.token, missing: -ofToken) }
        let ofReader = callerLimits.reader.bucket.take(limits.reader.price(of: weight), limits.reader, at: now)
        if ofReader < 0 { throw refusal(limits.reader, missing: -ofReader) }
        // The rate is reported to callers who have less than half of it left.
        if ofToken < limits.token.tolerance / 2 {
            rateLeft = (limits.token, ofToken)
        } else if ofReader < limits.reader.tolerance / 2 {
            rateLeft = (limits.reader, ofReader)
        }
    }

    /// Takes a request from the buckets of a viewer who is identified by a stream's secret.
    func spend(_ weight: Int, by viewer: Viewer, _ response: inout ResponseWriter) throws(RequestError) {
        guard let callerLimits = service.callerLimitTable.of(viewer, at: response.trace.began) else { return }
        self.callerLimits = callerLimits
        try spend(weight, of: callerLimits, &response)
        work.begin(at: response.trace.began)
    }

    /// Takes a request without valid credentials from the buckets of its address.
    func spend(ofAddress request: borrowing Request, _ response: inout ResponseWriter) throws(RequestError) {
        guard service.rates.address.interval > 0, let address = service.forwarding.client(of: request) else { return }
        let left = service.addresses.take(1, service.rates.address, of: address, at: response.trace.began)
        if left < 0 { throw refusal(service.rates.address, missing: -left) }
    }

    /// Takes a request without a route from the buckets of its address, and returns the refusal if there is one.
    /// Preflight requests and other `OPTIONS` requests are free.
    func refusal(ofStray request: borrowing Request, _ response: inout ResponseWriter) -> DeferredResponse? {
        if request.method == .options { return nil }
        do throws(RequestError) {
            try spend(ofAddress: request, &response)
            return nil
        } catch {
            return .late(error, toEventSource: EmptyEventStream.isAsked(by: request))
        }
    }

    /// Takes the cost of a reply beyond the request: one for each line of a batch, and the weight of a stream.
    @inline(__always)
    func spend(for reply: RouteReply, by route: Route, _ response: inout ResponseWriter) throws(RequestError) {
        switch reply {
        case .commit(let command, _, _, _):
            if command.weight > 1, let callerLimits { try spend(command.weight - 1, of: callerLimits, &response) }
        case .deferred(.named(_, _, let viewer)) where route.admission == .anyone:
            try spend(Self.streamWeight, by: viewer, &response)
        default: break
        }
    }

    /// Writes the rate that is left, once nothing more is taken for the request.
    @inline(__always)
    func writeRate(_ response: inout ResponseWriter) {
        guard let (limit, left) = rateLeft else { return }
        rateLeft = nil
        RateLimitHeaderFields.write(limit, left: left, to: &response)
    }

    /// Charges expensive work to the caller's buckets: a second of a loop costs as much as 5,000 plain requests. Time
    /// of other threads of the machine is not counted.
    func chargeForTime(at now: Int64) {
        guard work.hasBegun else { return }
        let worked = work.end(at: MonotonicClock.nanoseconds())
        if let callerLimits { charge(worked, to: callerLimits, at: now) }
    }

    private func charge(_ worked: Int64, to callerLimits: CallerTokenBuckets, at now: Int64) {
        guard worked > service.rates.unchargedNanosecondsMax else { return }
        let weight = Int(worked / Self.nanosecondsOfRequest)
        callerLimits.token.bucket.charge(weight, service.rates.token, at: now)
        callerLimits.reader.bucket.charge(weight, service.rates.reader, at: now)
    }

    /// Performs work for a viewer outside of requests, such as for a stream, and charges the time to them.
    func work(for viewer: Viewer, _ body: () -> Void) {
        let began = MonotonicClock.nanoseconds()
        work.begin(at: began)
        body()
        let now = MonotonicClock.nanoseconds()
        let worked = work.end(at: now)
        guard worked > service.rates.unchargedNanosecondsMax,
            let callerLimits = service.callerLimitTable.of(viewer, at: now)
        else {
            return
        }
        charge(worked, to: callerLimits, at: now)
    }

    private func refusal(_ limit: RateLimit, missing nanoseconds: Int64) -> RequestError {
        let rate = limit.rate
        return .tooOften(
            limit: limit.name, max: rate.perSecond,
            "More than \(rate.perSecond) requests a second come from this \(limit.policy), after \(rate.burst) at once: "
                + "the limit \(limit.name). An expensive request counts as several.",
            retryAfterSeconds: Int((nanoseconds - 1) / 1_000_000_000) + 1)
    }
}

/// The fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).
enum RateLimitHeaderFields {
    /// Writes how many requests a limit leaves, and in how many seconds all are available.
    static func write(_ limit: RateLimit, left nanoseconds: Int64, to response: inout ResponseWriter) {
        let rate = limit.rate
        let interval = max(1, limit.interval)
        let wait = max(0, limit.tolerance - nanoseconds)
        response.field("RateLimit-Policy", Array("\"\(limit.policy)\";q=\(rate.burst);w=\(rate.seconds)".utf8))
        let seconds = (wait + 999_999_999) / 1_000_000_000
        response.field("RateLimit", Array("\"\(limit.policy)\";r=\(nanoseconds / interval);t=\(seconds)".utf8))
    }
}
