import Bytes
import HTTPServer
import Measures
import Model
import ObservableModels
import Scheduling
import Store

/// Rate limits. They do not apply to the Unix socket.
extension RequestPipeline {
    /// The weight of opening a stream, which reads and keeps more than a plain request.
    static let streamWeight = 10
    /// The time on an event loop, in nanoseconds, that costs as much as a request.
    static let nanosecondsOfRequest: Int64 = 200_000

    /// Takes a request from the buckets of a token and its reader. Throws if one of them is empty. A retry pays for the
    /// requests that were already `taken`, too, so they are part of the waiting time.
    @inline(__always)
    func spend(
        _ weight: Int, of callerLimits: CallerTokenBuckets, _ response: inout ResponseWriter, taken: Int = 0
    ) throws(RequestError) {
        let (now, rates) = (response.trace.began, rates)
        let price = rates.token.price(of: weight, taken: taken)
        let ofToken = callerLimits.token.take(price, rates.token, at: now)
        if ofToken < 0 { throw refusal(rates.token, of: "token", missing: -ofToken, taken) }
        let ofReader = callerLimits.reader.take(rates.reader.price(of: weight, taken: taken), rates.reader, at: now)
        if ofReader < 0 {
            callerLimits.token.giveBack(price, rates.token)
            throw refusal(rates.reader, of: "reader", missing: -ofReader, taken)
        }
    }

    /// Takes a request from the buckets of a viewer who is identified by a stream's secret.
    func spend(_ weight: Int, by viewer: Viewer, _ response: inout ResponseWriter) throws(RequestError) {
        guard let callerLimits = service.callerLimitTable.of(viewer, at: response.trace.began) else { return }
        self.callerLimits = callerLimits
        try spend(weight, of: callerLimits, &response)
    }

    /// Takes a request without valid credentials from the buckets of its address.
    func spend(ofAddress request: borrowing Request, _ response: inout ResponseWriter) throws(RequestError) {
        let limit = rates.address
        guard limit.perSecond > 0, let address = service.forwarding.client(of: request) else { return }
        let rate = RateLimiter.Rate(burst: limit.burst, seconds: 1 / Double(limit.perSecond))
        do throws(RateLimiter.TooSoon) {
            try service.addresses.admit(address.party, rate, at: Double(response.trace.began) / 1e9)
        } catch {
            throw refusal(limit, of: "address", retryAfterSeconds: error.seconds)
        }
    }

    /// Takes a request without a route from the buckets of its address. Preflight requests and other `OPTIONS` requests
    /// are free.
    func spend(ofStray request: borrowing Request, _ response: inout ResponseWriter) throws(RequestError) {
        if request.method != .options { try spend(ofAddress: request, &response) }
    }

    /// Takes the cost of a reply beyond the request: one for each line of a batch, and the weight of a named
    /// stream, whose viewer is known only from its secret.
    @inline(__always)
    func spend(for reply: RouteReply, _ response: inout ResponseWriter) throws(RequestError) {
        switch reply {
        case .commit(let command, _, _, _):
            if command.weight > 1, let callerLimits {
                try spend(command.weight - 1, of: callerLimits, &response, taken: 1)
            }
        case .deferred(.stream(let stream)):
            try spend(Self.streamWeight, by: stream.subscription.viewer, &response)
        default: break
        }
    }

    /// Charges work that took a loop long to the caller's buckets: a second of a loop costs as much as 5,000 plain
    /// requests.
    func chargeForTime(since began: Int64) {
        if let callerLimits { charge(MonotonicClock.nanoseconds() - began, to: callerLimits, at: began) }
    }

    private func charge(_ nanoseconds: Int64, to callerLimits: CallerTokenBuckets, at now: Int64) {
        guard nanoseconds > rates.unchargedNanosecondsMax else { return }
        let weight = Int(nanoseconds / Self.nanosecondsOfRequest)
        callerLimits.token.charge(weight, rates.token, at: now)
        callerLimits.reader.charge(weight, rates.reader, at: now)
    }

    /// Performs work for a viewer outside of requests, such as for a stream, and charges the time to them.
    func work(for viewer: Viewer, _ body: () -> Void) {
        let began = MonotonicClock.nanoseconds()
        body()
        let now = MonotonicClock.nanoseconds()
        guard now - began > rates.unchargedNanosecondsMax,
            let callerLimits = service.callerLimitTable.of(viewer, at: now)
        else {
            return
        }
        charge(now - began, to: callerLimits, at: now)
    }

    private func refusal(_ rate: RateLimit, of party: String, missing: Int64, _ taken: Int) -> RequestError {
        let nanoseconds = missing + Int64(taken * 1_000_000_000 / rate.perSecond)
        return refusal(rate, of: party, retryAfterSeconds: Int((nanoseconds - 1) / 1_000_000_000) + 1)
    }

    /// Returns the refusal of a request by the rate limit of a party: a token, a reader or an address.
    private func refusal(_ rate: RateLimit, of party: String, retryAfterSeconds seconds: Int) -> RequestError {
        .exceeded(
            .tooOften, limit: party + "Rate", max: rate.perSecond,
            "More than \(rate.perSecond) requests a second come from this \(party), after \(rate.burst) at once: "
                + "the limit \(party)Rate. An expensive request counts as several.", retryAfterSeconds: seconds)
    }
}
