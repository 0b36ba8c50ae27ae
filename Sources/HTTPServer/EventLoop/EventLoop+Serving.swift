internal import Glibc
internal import Measures

/// Processing of requests.
extension EventLoop {
    /// The maximum output of pipelined requests before it is sent.
    private static var batchBytesMax: Int { 65536 }

    /// Serves the complete requests in these bytes, as many as a turn allows, and sends the responses. Returns the
    /// range of the unprocessed bytes: an incomplete request, or requests behind a response or for the next turn. The
    /// connection may be closed afterwards.
    func process(_ connection: ConnectionPointer, _ base: UnsafeMutableRawPointer, _ count: Int) -> Range<Int> {
        let mark = output.pointee.count
        var start = 0
        var end = count
        var now = MonotonicClock.nanoseconds()
        let deadline = now + Int64(limits.turnMicrosecondsMax) * 1000
        var requests = 0
        // The first request of a turn is always served.
        turn: while start < count, connection.pointee.isReading, !connection.pointee.hasUnsentOutput,
            requests == 0 || requests < limits.turnRequestsMax && now < deadline
        {
            requests += 1
            let head = connection.pointee.head ?? state.pointee.scratch
            let parkedCount = connection.pointee.parkedCount
            connection.pointee.parkedCount = 0
            do throws(RequestRefusal) {
                let (isComplete, next) =
                    parkedCount > 0 ? (true, parkedCount) : try complete(head, base + start, count - start)
                guard isComplete else {
                    end = start + next
                    if connection.pointee.head == nil {
                        connection.pointee.head = state.pointee.takeScratchHead(limits.headFieldsMax)
                    }
                    waitForMore(connection, head)
                    break turn
                }
                guard mayServe(request(head, base + start, connection), connection) else {
                    park(connection, next: next)
                    break turn
                }
                now = serve(connection, head, base + start, at: now)
                start += next
                releaseHead(head, connection)
            } catch {
                head.pointee.reset()
                write(error, of: UnsafeRawBufferPointer(start: base + start, count: count - start), connection)
                start = count
            }
            if output.pointee.count - mark > Self.batchBytesMax, !send(from: mark, connection) { return 0..<0 }
        }
        return finishBatch(connection, mark) ? start..<end : 0..<0
    }

    /// Continues to parse a request: first its head, then its body. Returns the offset where a complete request ends, or
    /// the number of bytes of an incomplete one.
    @inline(__always)
    private func complete(
        _ head: UnsafeMutablePointer<RequestHead>, _ base: UnsafeMutableRawPointer, _ count: Int
    ) throws(RequestRefusal) -> (isComplete: Bool, end: Int) {
        if head.pointee.phase != .body {
            // SAFETY: `count` bytes are there, and nothing writes to them while the parser looks.
            let bytes = unsafe Span<UInt8>(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: count)
            guard try head.pointee.parse(bytes, limits) else { return (false, count) }
            head.pointee.rawEnd = head.pointee.end
        }
        switch head.pointee.framing {
        case .none: return (true, head.pointee.end)
        case .length(let length):
            if count - head.pointee.end < length { return (false, count) }
            head.pointee.bodyCount = length
            return (true, head.pointee.end + length)
        case .chunked:
            var read = head.pointee.rawEnd
            var write = head.pointee.end + head.pointee.bodyCount
            let isComplete = try head.pointee.chunks.decode(base, read: &read, write: &write, end: count, limits)
            head.pointee.bodyCount = write - head.pointee.end
            head.pointee.rawEnd = write
            return (isComplete, isComplete ? read : write)
        }
    }

    /// Lets the handler respond to a complete request. Returns the monotonic nanoseconds at its end.
    @inline(__always)
    private func serve(
        _ connection: ConnectionPointer, _ head: UnsafeMutablePointer<RequestHead>, _ base: UnsafeRawPointer,
        at began: Int64
    ) -> Int64 {
        connection.pointee.phase = .handling
        drainInbox()
        state.pointee.exchange &+= 1
        connection.pointee.exchange = state.pointee.exchange
        let isDraining = state.pointee.drainDeadline != nil
        let request = request(head, base, connection)
        let trace = RequestTrace(id: requestID(of: request), method: request.method, began: began)
        let terms = ResponseTerms(
            originFields: origins?.fields(of: request) ?? [], omitsBody: head.pointee.method == .head,
            isHTTP10: head.pointee.isHTTP10,
            keepsAlive: head.pointee.keepsAlive && !isDraining && !connection.pointee.isReserved)
        var response = ResponseWriter(output: output, date: UnsafePointer(date), terms, trace: trace)
        if connection.pointee.isReserved, let refusal = refusal(ofReserved: connection, request) {
            write(refusal, of: UnsafeRawBufferPointer(start: base, count: head.pointee.end), connection)
            return began
        }
        let now: Int64
        switch state.pointee.handler.unsafelyUnwrapped.handle(request, &response) {
        case .answered: now = finish(&response, connection)
        case .deferred:
            output.pointee.count = response.start
            connection.pointee.phase = .deferred
            (connection.pointee.terms, connection.pointee.trace) = (response.terms, response.trace)
            now = MonotonicClock.nanoseconds()
        }
        charge(now - began, for: response.trace, connection)
        return now
    }

    /// Returns a view of a complete request.
    @_lifetime(immortal)
    @inline(__always)
    private func request(
        _ head: UnsafeMutablePointer<RequestHead>, _ base: UnsafeRawPointer, _ connection: ConnectionPointer
    ) -> Request {
        Request(
            base: base, head: UnsafePointer(head), connection: id(connection), transport: connection.pointee.transport)
    }

    /// Returns the request's ID from the client's X-Request-ID field, or a new one.
    @inline(__always)
    func requestID(of request: borrowing Request) -> RequestID {
        if let given = request.field("x-request-id"), request.field("x-request-id", occurrence: 1) == nil,
            let id = RequestID(given)
        {
            return id
        }
        return state.pointee.requestNumbers.next()
    }

    /// Completes a response, reports the end of its request, and begins the connection's next phase. Returns the
    /// monotonic nanoseconds.
    @inline(__always)
    @discardableResult
    func finish(_ response: inout ResponseWriter, _ connection: ConnectionPointer) -> Int64 {
        response.finish()
        let isStream = response.phase == .stream
        let now = MonotonicClock.nanoseconds()
        state.pointee.handler.unsafelyUnwrapped.ended(
            RequestEnd(
                response.trace, status: response.code, isStream ? .stream : .answer, fault: response.refusal,
                at: now))
        connection.pointee.phase = isStream ? .stream : response.terms.keepsAlive ? .idle : .closing
        if isStream { beginStream(connection, response) }
        return now
    }

    private func beginStream(_ connection: ConnectionPointer, _ response: borrowing ResponseWriter) {
        (connection.pointee.terms, connection.pointee.trace) = (response.terms, response.trace)
        connection.pointee.owesWritable = true
        set(connection, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, limits.streamUnsentBytesMax)
        enableKeepAlive(connection)
        connection.pointee.lingers = true
    }

    /// Sends the responses of one turn and handles the new phase. Returns `false` if the rest of the input is dropped.
    private func finishBatch(_ connection: ConnectionPointer, _ mark: Int) -> Bool {
        if output.pointee.count > mark, !send(from: mark, connection) { return false }
        switch connection.pointee.phase {
        case .idle:
            if !connection.pointee.hasUnsentOutput { setDeadline(connection, limits.idleSecondsMax) }
        case .stream:
            dropInput(connection)
            if !connection.pointee.hasUnsentOutput { notifyWritableInTurn(connection) }
            return false
        case .closing:
            dropInput(connection)
            if !connection.pointee.hasUnsentOutput { finishClosing(connection) }
            return false
        case .deferred: clearDeadline(connection)
        default: break
        }
        return true
    }

    /// Sets the deadlines of an incomplete request, and sends `100 Continue` if the client waits for it.
    private func waitForMore(_ connection: ConnectionPointer, _ head: UnsafeMutablePointer<RequestHead>) {
        if connection.pointee.phase == .idle {
            connection.pointee.phase = .head
            connection.pointee.since = state.pointee.now
            setDeadline(connection, limits.headSecondsMax)
        }
        guard head.pointee.phase == .body else { return }
        if connection.pointee.phase == .head {
            connection.pointee.phase = .body
            connection.pointee.since = state.pointee.now
            setDeadline(connection, limits.bodyGraceSeconds)
            if head.pointee.expectsContinue { output.pointee.append("HTTP/1.1 100 Continue\r\n\r\n") }
        }
    }

    private func releaseHead(_ head: UnsafeMutablePointer<RequestHead>, _ connection: ConnectionPointer) {
        if connection.pointee.head == nil { return head.pointee.reset() }
        connection.pointee.head = nil
        EventLoopState.free(head)
    }
}
