internal import Glibc
internal import Measures
internal import Scheduling

/// Work that waits for the turn of its client. See `SchedulingSubject`.
enum QueuedLoopWork {
    /// A connection to continue with, identified by epoll's user data.
    case connection(UInt64)
    /// A job for an exchange. It is dropped if the connection has closed.
    case job(ConnectionID, () -> Void)
}

typealias LoopAccount = FairQueue<SchedulingSubject, QueuedLoopWork>.Account

/// Fair scheduling of subjects. A connection is served at once while its subject has time left in the round. Further
/// work of the subject waits until the others had their turns.
extension EventLoop {
    /// The nanoseconds of turns after which the loop polls for events.
    private static var pollNanoseconds: Int64 { 500_000 }

    /// Runs a job for an exchange on the loop's thread, in a turn of the exchange's subject, which is charged for it.
    /// Call it on the loop's thread. The job is dropped if the connection has closed.
    package func schedule(_ id: ConnectionID, _ job: @escaping () -> Void) {
        assertConfined()
        guard let connection = connection(id) else { return }
        state.pointee.turns.add(.job(id, job), of: account(of: connection))
    }

    /// Schedules a connection for its subject's turn.
    func queue(_ connection: ConnectionPointer) {
        if connection.pointee.isQueued { return }
        connection.pointee.isQueued = true
        state.pointee.turns.add(.connection(connection.pointee.userData), of: account(of: connection))
    }

    /// Returns the account of the subject that used a connection last, or before its first request, the account of its
    /// address.
    func account(of connection: ConnectionPointer) -> LoopAccount {
        connection.pointee.account ?? use(SchedulingSubject(connection.pointee.transport), connection)
    }

    /// Sets the subject that uses a connection now, and returns its account.
    @discardableResult
    private func use(_ subject: SchedulingSubject, _ connection: ConnectionPointer) -> LoopAccount {
        if let account = connection.pointee.account, account.subject == subject { return account }
        let account = state.pointee.turns.account(of: subject)
        connection.pointee.account = account
        return account
    }

    /// Returns whether a request is served now and not in a later turn of its subject.
    @inline(__always)
    func mayServe(_ request: borrowing Request, _ connection: ConnectionPointer) -> Bool {
        guard state.pointee.turns.isContended else { return true }
        return isInTurn(request, connection)
    }

    @inline(never)
    private func isInTurn(_ request: borrowing Request, _ connection: ConnectionPointer) -> Bool {
        guard let subject = state.pointee.handler.unsafelyUnwrapped.subject(of: request) else { return true }
        return state.pointee.turns.mayUse(use(subject, connection))
    }

    /// Keeps a complete request for a later turn of its subject.
    func park(_ connection: ConnectionPointer, next: Int) {
        if connection.pointee.head == nil {
            connection.pointee.head = state.pointee.takeScratchHead(limits.headFieldsMax)
        }
        connection.pointee.parkedCount = next
        connection.pointee.phase = .idle
    }

    /// Charges the time of a request to its subject.
    @inline(__always)
    func charge(_ nanoseconds: Int64, for trace: RequestTrace, _ connection: ConnectionPointer) {
        let (high, low) = trace.subject
        let account =
            high | low != 0 ? use(SchedulingSubject.known(high: high, low: low), connection) : account(of: connection)
        charge(nanoseconds, to: account)
    }

    @inline(__always)
    private func charge(_ nanoseconds: Int64, to account: LoopAccount) {
        state.pointee.turns.charge(Int(nanoseconds), to: account)
        turnTimes.record(Int(nanoseconds / 1000))
    }

    /// Runs subjects' turns until it is time to poll for events.
    func continueWork() {
        if state.pointee.turns.isEmpty { return }
        let end = MonotonicClock.nanoseconds() + Self.pollNanoseconds
        while let (work, account) = state.pointee.turns.next() {
            switch work {
            case .connection(let userData):
                guard let connection = connection(userData) else { continue }
                connection.pointee.isQueued = false
                continueWork(connection)
            case .job(let id, let job):
                guard connection(id) != nil else { continue }
                let began = MonotonicClock.nanoseconds()
                job()
                charge(MonotonicClock.nanoseconds() - began, to: account)
            }
            if MonotonicClock.nanoseconds() >= end { return }
        }
    }

    private func continueWork(_ connection: ConnectionPointer) {
        switch connection.pointee.phase {
        case .idle, .head, .body:
            if connection.pointee.hasUnsentOutput { return }
            if connection.pointee.hasBacklog {
                if isGone(connection) { return close(connection) }
                processOwn(connection)
            } else if connection.pointee.isReadable {
                read(connection)
            } else {
                settle(connection)
            }
        case .stream: notifyWritable(connection)
        case .lingering: linger(connection)
        default: break
        }
    }

    /// Returns whether the client of a parked request has closed the connection. Such a request is not served.
    private func isGone(_ connection: ConnectionPointer) -> Bool {
        guard connection.pointee.parkedCount > 0 else { return false }
        var look = pollfd(fd: connection.pointee.descriptor, events: 0, revents: 0)
        return poll(&look, 1, 0) > 0 && Int32(look.revents) & (POLLERR | POLLHUP) != 0
    }

    /// Notifies the handler that a stream accepts frames, now or in a later turn of its subject.
    func notifyWritableInTurn(_ connection: ConnectionPointer) {
        if state.pointee.turns.isContended, !state.pointee.turns.mayUse(account(of: connection)) {
            return queue(connection)
        }
        notifyWritable(connection)
    }

    /// Runs the handler's work for a connection and charges its subject.
    func work(for connection: ConnectionPointer, _ body: (any RequestHandler) -> Void) {
        guard let handler = state.pointee.handler else { return }
        let account = account(of: connection)
        let began = MonotonicClock.nanoseconds()
        body(handler)
        charge(MonotonicClock.nanoseconds() - began, to: account)
    }

    /// Forgives debts if no subject waits, and removes idle subjects. Runs once a second.
    func sweepTurns() {
        if state.pointee.turns.isEmpty { state.pointee.turns.forgetDebts() }
        state.pointee.turns.sweep()
    }
}
