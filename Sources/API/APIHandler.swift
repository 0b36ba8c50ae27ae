import HTTPServer
import Measures
import Model
import ObservableModels
import Store

/// The request handler of one event loop, with its own database connection, models and streams.
///
/// Confined to the loop's thread. Only a reference to it is passed into jobs that the loop itself runs later.
final class APIHandler: RequestHandler, @unchecked Sendable {
    let pipeline: RequestPipeline
    let loop: EventLoop
    let counters: EventLoopCounters
    let streams: OpenStreams
    let downloads: ExportDownloads
    /// The number of writes of each reader that wait for the writer, by the reader's key.
    var waitingWrites: [Int64: Int] = [:]
    var refusals = DelayedRefusals()
    /// The number of running jobs of each kind.
    var jobCounts: [ResponseJob.Kind: Int] = [:]
    /// The requests that wait for covers.
    var covers: [ConnectionID: Task<Void, Never>] = [:]

    private init(pipeline: RequestPipeline, loop: EventLoop) {
        self.pipeline = pipeline
        self.loop = loop
        counters = pipeline.service.loopCounters[loop.index]
        streams = OpenStreams(pipeline, loop)
        downloads = ExportDownloads(pipeline, loop)
        // No event reports a use. If the writer's queue is full, the day is stored at the token's next use.
        pipeline.authenticator.onFirstUse = { [unowned self] in
            service.store.submitInBackground(.touchToken($0, day: $1))
        }
        pipeline.updateGauges = { [unowned self] in updateGauges() }
    }

    /// Returns the handler of a loop. Called on the loop's thread. A process that cannot read its own database exits,
    /// because it has nothing to serve.
    static func make(_ service: SharedServiceState, _ loop: EventLoop, cacheBytesMax: Int) -> APIHandler {
        Store.orExit("an event loop cannot read the database") {
            let reads = try service.store.makeReadConnection()
            let models = ObservableModels(
                epoch: service.store.epoch, head: try reads.head(), cacheBytesMax: cacheBytesMax,
                ChangeLookups(reads, service.log))
            return APIHandler(pipeline: RequestPipeline(service, reads, models), loop: loop)
        }
    }

    var service: SharedServiceState { pipeline.service }
    var reads: ReadConnection { pipeline.reads }
    var models: ObservableModels { pipeline.models }

    /// Applies a commit. It runs in the loop's inbox, before any later request.
    func receive(_ commit: Commit) {
        pipeline.receive(commit)
        downloads.receive(commit)
        streams.receive(commit)
    }

    /// Records how far the log was when the handler began to receive commits.
    func begin() {
        models.begin(at: Store.orExit("an event loop cannot read the database") { try reads.head() })
    }

    func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
        do throws(RequestError) {
            // All of the following time is charged, including the beginning of a stream, but not the delivery of others'
            // commits before the request.
            let began = MonotonicClock.nanoseconds()
            defer { pipeline.chargeForTime(since: began) }
            switch try pipeline.answer(request, &response) {
            case .nothing: return .answered
            case .stream where loop.isDraining:
                EmptyEventStream.write(after: 1, reason: Array("the server is stopping".utf8), to: &response)
                return .answered
            case .stream(let stream):
                try streams.open(stream, request, &response)
                return .answered
            case .changes(let viewer, let cursor, let limit):
                return try streams.changes(after: cursor, limit: limit, viewer, request, &response)
            case .export(let export, let viewer):
                return try downloads.begin(export, for: viewer, request, &response)
            case .commit(let write): try submit(write)
            case .job(let job): try run(job)
            }
            return .deferred
        } catch {
            return refuse(error, of: request, &response)
        }
    }

    /// Submits a command to the writer. The response is written when the command is on disk.
    private func submit(_ write: PendingWrite) throws(RequestError) {
        let (reader, context) = (write.actor.viewer.readerKey, write.context)
        let waiting = waitingWrites[reader, default: 0]
        let weight = write.command.weight
        guard waiting == 0 || waiting + weight <= service.writesPerReaderMax || write.actor.viewer.token == nil else {
            throw .exceeded(
                .tooManyRequests, limit: "writesPerReaderMax", max: service.writesPerReaderMax,
                "\(waiting) of your writes are waiting, which is the limit writesPerReaderMax. Wait for their responses.",
                retryAfterSeconds: 1)
        }
        if context.isBatch { counters.batched.add(weight) }
        let submission = SubmittedCommand(
            command: write.command, actor: write.actor, idempotency: write.idempotency
        ) { [self] result in
            loop.execute {
                let waiting = self.waitingWrites[reader, default: 0]
                self.waitingWrites[reader] = waiting > weight ? waiting - weight : nil
                self.loop.answer(context.connection) { self.pipeline.write(result, context, &$0) }
            }
        }
        try service.store.submitOrRefuse(submission)
        waitingWrites[reader] = waiting + weight
    }

    /// Counts and logs the end of each request.
    func ended(_ end: RequestEnd) {
        if end.outcome != .streamEnd { counters.ended.record(end) }
        service.log.request(end)
        if let refusal = end.refusal, refusal.isOfLimit { service.count(limit: refusal.rawValue) }
        if let fault = end.fault { service.log.error("a response could not be written: \(fault)", of: end.trace.id) }
    }

    func streamWritable(_ id: ConnectionID) { if !downloads.continueWork(id) { streams.wake(id) } }

    func streamIdle(_ id: ConnectionID) { streams.sendHeartbeat(id) }

    /// Ends the wait for a cover or for changes. The request still gets a response, because the client may have closed
    /// its side only.
    func clientDone(_ id: ConnectionID) {
        covers[id]?.cancel()
        if streams.opened[id] != nil { streams.finish(id) }
    }

    func connectionClosed(_ id: ConnectionID) {
        covers[id]?.cancel()
        downloads.forget(id)
        streams.forget(id)
    }

    func tick(now: Int64) {
        counters.ticked.set(Int(now))
        streams.tick(now: now)
        updateGauges()
        // Readiness is logged even if nobody asks for it. Draining is no fault, so it is not logged.
        if loop.index == 0, !loop.isDraining { service.logReadiness(Readiness(of: service)) }
    }

    func draining() { streams.drain() }

    /// Refreshes this loop's gauges.
    func updateGauges() {
        counters.gauges = EventLoopCounters.Gauges(
            connections: loop.connectionCount, streams: streams.opened.values.count { $0.poll == nil }, lag: models.lag,
            models: models.counters, turnTimes: loop.turnTimes)
    }
}
