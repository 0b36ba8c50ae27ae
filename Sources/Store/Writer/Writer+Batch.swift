import Measures
import Model

extension Writer {
    /// Decides and applies the lines of a batch in order, starting where `progress` ends. Returns `nil` if it pauses
    /// because the transaction's time is over. A rejected line of an atomic batch rolls all lines back, and no log
    /// number is used; the changes of an atomic batch form one transaction. The outcome belongs to no resource.
    @inline(never)
    func apply(
        _ batch: Batch, _ progress: inout BatchProgress, pauses: Bool, isolating: Bool, at now: Instant
    ) throws(SQLiteError) -> BatchResult? {
        let rewindPoint = transaction.rewindPoint
        if batch.isAtomic { try connection.beginSavepoint("SAVEPOINT batch") }
        let first = progress.results.count
        for line in batch.lines[first...] {
            if pauses, progress.results.count > first, MonotonicClock.microseconds() >= turnEnd {
                progress.hasChanged = progress.hasChanged || transaction.changes.count > rewindPoint.count
                return nil
            }
            let result = try apply(
                line, as: progress.viewer, firstSeq: batch.isAtomic ? rewindPoint.seq : nil, isolating: isolating,
                at: now)
            switch result {
            case .failure(let error) where batch.isAtomic:
                try connection.run("ROLLBACK TO batch")
                try connection.run("RELEASE batch")
                transaction.rewind(to: rewindPoint)
                return .failure(.inBatch(line: progress.results.count, error))
            case .success(let outcome) where outcome.resource?.kind == .reader && outcome.effect == .updated:
                progress.viewer = try renewed(progress.viewer, after: line)
            default: break
            }
            progress.results.append(result)
        }
        if batch.isAtomic { try connection.run("RELEASE batch") }
        let hasChanged = progress.hasChanged || transaction.changes.count > rewindPoint.count
        return .success(
            CommandOutcome(value: batch.encode(progress.results), effect: hasChanged ? .updated : nil))
    }

    /// Returns the viewer with the rights that remain after a line.
    private func renewed(_ viewer: Viewer?, after line: BatchCommand) throws(SQLiteError) -> Viewer? {
        guard case .success(let request) = line else { return viewer }
        let actor = request.actor.viewer
        guard let reader = try ReaderTable.find(key: actor.readerKey, in: connection) else { return viewer }
        return Viewer(
            reader: actor.reader, readerKey: actor.readerKey, role: reader.role, access: actor.access,
            token: actor.token, expiresAt: actor.expiresAt, isSuspended: reader.suspension != nil)
    }

    @inline(never)
    private func apply(
        _ line: BatchCommand, as viewer: Viewer?, firstSeq: Int64?, isolating: Bool, at now: Instant
    ) throws(SQLiteError) -> BatchResult {
        if let viewer, viewer.isSuspended { return .failure(.readerSuspended) }
        switch line {
        case .failure(let error): return .failure(error)
        case .success(let request):
            let actor = viewer.map { request.actor.seeing(as: $0) } ?? request.actor
            return try decideAndApply(request.command, actor, firstSeq: firstSeq, isolating: isolating, at: now)
        }
    }
}
