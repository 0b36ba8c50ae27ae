internal import CLinux
internal import Glibc
package import Measures
internal import Scheduling
internal import Synchronization

/// The result of sending frames to a stream.
package enum StreamSendResult: Sendable {
    case sent
    /// The socket is full and the rest is kept. Wait for `streamWritable`.
    case kept
    /// The stream has ended; `connectionClosed` follows unless the handler ended it itself.
    case gone
}

/// One thread with its epoll instance, connections and handler. Everything in it belongs to its thread, except
/// `execute`.
///
/// It is Sendable for other threads to hold it and call `execute`. Calling anything else from another thread is a
/// mistake that a debug build stops at.
package final class EventLoop: @unchecked Sendable {
    /// The loop's number, from 0.
    package let index: Int

    let limits: HTTPLimits
    /// The origins whose pages may read responses. `nil`, as in most servers, omits all fields about origins.
    @inline(__always)
    var origins: AllowedOrigins? { state.pointee.origins }
    let inbox = LoopJobQueue()
    let epoll: Int32
    /// The number of this loop's connections. The accepting loop compares loops by it.
    private let load = ConnectionCount()
    /// The number of connections on all loops of the server.
    let serverLoad: ConnectionCount
    /// The durations for which the loop worked without serving others: a request, a job, or the events of a commit.
    package let turnTimes = Histograms(bounds: HistogramTimeBounds.turn)
    // SAFETY: allocated with the loop and freed with it; touched on the loop's thread only (or before it starts and after
    // it ended). A pointer, because a class's own variables cost an exclusivity check at every access.
    let state: UnsafeMutablePointer<EventLoopState>
    /// Responses that are not sent yet. Each writer appends, sends from where it began, and truncates the buffer to
    /// there.
    let output: UnsafeMutablePointer<ByteBuffer>
    let date: UnsafeMutablePointer<DateHeaderField>
    /// The buffer into which bytes are read and in which requests are parsed.
    let readBuffer: UnsafeMutableRawPointer
    static var readBufferBytes: Int { 65536 }
    static let wakeData = UInt64.max
    static let listenerData = UInt64.max - 256

    init(index: Int, limits: HTTPLimits, origins: AllowedOrigins?, serverLoad: ConnectionCount) {
        self.index = index
        self.limits = limits
        self.serverLoad = serverLoad
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(epoll >= 0, "epoll_create1 failed")
        state = .allocate(capacity: 1)
        let now = MonotonicClock.now()
        state.initialize(to: EventLoopState(limits, now: now))
        state.pointee.origins = origins
        output = .allocate(capacity: 1)
        output.initialize(to: ByteBuffer())
        date = .allocate(capacity: 1)
        date.initialize(to: DateHeaderField())
        readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
        let error = clinux_epoll_add(epoll, inbox.wakeDescriptor, EPOLLIN.rawValue, Self.wakeData)
        precondition(error == 0, "epoll_ctl failed")
    }

    deinit {
        closeListeners()
        // Nothing is ever written to it.
        Glibc.close(epoll)
        state.deinitialize(count: 1)
        state.deallocate()
        output.deinitialize(count: 1)
        output.deallocate()
        date.deinitialize(count: 1)
        date.deallocate()
        readBuffer.deallocate()
    }

    /// Runs a job on the loop's thread: first in, first out, and before the next request is handled. Callable from any
    /// thread. Jobs added after the loop's end are dropped.
    package func execute(_ job: @escaping @Sendable () -> Void) { inbox.add(job) }

    /// The monotonic milliseconds at which the loop last woke up.
    package var now: Int64 { state.pointee.now }

    package var isDraining: Bool { state.pointee.drainDeadline != nil }

    /// Returns whether the client of an exchange sends no more: most such clients have left.
    package func isClientDone(_ id: ConnectionID) -> Bool { connection(id)?.pointee.isPeerDone ?? true }

    /// The number of this loop's connections. Readable from any thread.
    package var connectionCount: Int { load.count }
    /// Changes the number of this loop's connections.
    func addConnections(_ count: Int) {
        load.add(count)
        serverLoad.add(count)
    }

    /// The bytes of the buffers that this loop's connections own: incomplete requests and unsent responses.
    package var bufferedBytes: Int { state.pointee.bufferedBytes }

    /// Runs the loop until it stops.
    func run(_ makeHandler: @Sendable (EventLoop) -> any RequestHandler) {
        let ready = UnsafeMutablePointer<clinux_ready>.allocate(capacity: Int(CLINUX_READY_MAX))
        defer { ready.deallocate() }
        state.pointee.thread = pthread_self()
        if !state.pointee.listeners.isEmpty { state.pointee.reserve = clinux_open_readonly("/dev/null") }
        updateClock()
        state.pointee.handler = makeHandler(self)
        while !state.pointee.isStopped {
            let milliseconds = waitMilliseconds
            let count = clinux_epoll_wait(epoll, ready, milliseconds == 0 || inbox.mayWait() ? milliseconds : 0)
            inbox.endWait()
            updateClock()
            drainInbox()
            for index in 0..<max(0, Int(count)) { take(ready[index]) }
            continueWork()
            runDueAlarms()
            checkDeadlines()
            reportClosed()
            if state.pointee.drainDeadline != nil { continueDraining() }
        }
        closeAll()
        inbox.close()
        // A delayed job may hold the handler, which holds the loop.
        state.pointee.alarms = []
        state.pointee.handler = nil
    }

    private var waitMilliseconds: Int32 {
        if !state.pointee.turns.isEmpty || !state.pointee.closed.isEmpty { return 0 }
        return Int32(min(1000 - state.pointee.now % 1000, millisecondsToAlarm))
    }

    private func updateClock() {
        state.pointee.now = MonotonicClock.now()
        date.pointee.update(Int64(time(nil)))
    }

    private func take(_ ready: clinux_ready) {
        if ready.data == Self.wakeData {
            inbox.resetWake()
            return drainInbox()
        }
        if ready.data >= Self.listenerData { return accept(Int(ready.data - Self.listenerData)) }
        guard let connection = connection(ready.data) else { return }
        take(ready.events, connection)
    }

    /// Runs the jobs that other threads added.
    @inline(__always)
    func drainInbox() {
        if inbox.isEmpty { return }
        let began = MonotonicClock.nanoseconds()
        inbox.drain()
        turnTimes.record(Int((MonotonicClock.nanoseconds() - began) / 1000))
    }

    /// Returns the connection with this user data, or `nil` if it has closed.
    @inline(__always)
    func connection(_ userData: UInt64) -> ConnectionPointer? {
        let slot = Int(userData & 0xFFFF_FFFF)
        guard slot < state.pointee.table.slotCount else { return nil }
        let connection = state.pointee.table[slot]
        return connection.pointee.phase != .free && connection.pointee.userData == userData ? connection : nil
    }

    /// Returns the connection in this exchange, or `nil` if the exchange is over.
    @inline(__always)
    func connection(_ id: ConnectionID) -> ConnectionPointer? {
        guard id.loop == Int32(index), Int(id.slot) < state.pointee.table.slotCount else { return nil }
        let connection = state.pointee.table[Int(id.slot)]
        return connection.pointee.phase != .free && connection.pointee.exchange == id.generation ? connection : nil
    }

    func id(_ connection: ConnectionPointer) -> ConnectionID {
        ConnectionID(loop: Int32(index), slot: connection.pointee.slot, generation: connection.pointee.exchange)
    }
}
