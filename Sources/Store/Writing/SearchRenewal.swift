import Synchronization

/// Words of another fold on their way to this program's: some rows at a time, between the batches of others, without events.
/// What is left when the process ends goes on at its next life.
///
/// What is written meanwhile has this program's words, wherever it is in the walk: before it is reached, and then nothing is left
/// to do there, or behind. A book that other books overtake (`BookIndex.count`) takes its words along, and a row's place in the
/// walk is its key, which never changes.
struct SearchRenewal {
    private let connection: Connection
    private let counters: StoreCounters
    private let rowsMax: Int
    private let isAwaited: @Sendable () -> Bool
    private let say: @Sendable (Notice) -> Void
    /// Whether there is something left to do.
    private(set) var isUnderWay: Bool
    /// When this process began, and what it said last.
    private var began: ContinuousClock.Instant?
    private var said: (percent: Int, at: ContinuousClock.Instant)

    /// A slice is larger the longer nobody waits for the writer, for large ones cost less a row; so many rows it always has.
    private static let rowsMin = 64
    private static let sliceMax = Duration.milliseconds(50)
    /// The log says how far it is at each tenth, and at least so often.
    private static let percentStep = 10
    private static let silenceMax = Duration.seconds(10)

    init(
        _ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        isAwaited: @escaping @Sendable () -> Bool, say: @escaping @Sendable (Notice) -> Void
    ) throws(SQLiteError) {
        self.connection = connection
        self.counters = counters
        self.isAwaited = isAwaited
        self.say = say
        rowsMax = configuration.renewalRowsMax
        said = (0, .now)
        isUnderWay = try !SearchIndex.isWhole(connection)
        if isUnderWay, try SearchIndex.isEmpty(connection) {
            try connection.run("BEGIN IMMEDIATE")
            try SearchProgress.end(in: connection)
            try connection.run("COMMIT")
            isUnderWay = false
        }
        if isUnderWay { note(try SearchProgress(in: connection)?.percent ?? 0) }
    }

    /// Renews one slice, if there is any. True when there may be more.
    mutating func tend() throws(SQLiteError) -> Bool {
        guard isUnderWay, rowsMax > 0 else { return false }
        guard let progress = try SearchProgress(in: connection) else {
            try connection.run("BEGIN IMMEDIATE")
            try SearchProgress(total: SearchIndex.count(connection)).begin(in: connection)
            try connection.run("COMMIT")
            return true
        }
        sayBeginning(progress)
        if let next = try renewSlice(from: progress) { sayProgress(next) } else { sayEnd() }
        return isUnderWay
    }

    /// One transaction. Where it stands then; nil at the end of all.
    private func renewSlice(from progress: SearchProgress) throws(SQLiteError) -> SearchProgress? {
        let end = ContinuousClock.now + Self.sliceMax
        let step = min(rowsMax, Self.rowsMin)
        var last = progress
        try connection.run("BEGIN IMMEDIATE")
        repeat {
            guard let next = try SearchIndex.renew(step, from: last, in: connection) else {
                try SearchProgress.end(in: connection)
                try connection.run("COMMIT")
                return nil
            }
            last = next
        } while last.rows - progress.rows <= rowsMax - step && !isAwaited() && ContinuousClock.now < end
        try last.keep(in: connection)
        try connection.run("COMMIT")
        return last
    }

    private func note(_ percent: Int) { counters.indexPercent.store(percent, ordering: .relaxed) }

    private mutating func sayBeginning(_ progress: SearchProgress) {
        guard began == nil else { return }
        (began, said) = (.now, (progress.percent, .now))
        let how =
            progress.rows == 0
            ? "the search index is being renewed for this version"
            : "the renewal of the search index goes on from \(progress.percent) %"
        say(
            .info(
                "\(how), of about \(progress.total) books and notes: searches, and lists by title or author, answer 503 meanwhile"
            ))
    }

    private mutating func sayProgress(_ progress: SearchProgress) {
        let percent = progress.percent
        note(percent)
        let isDue = percent / Self.percentStep > said.percent / Self.percentStep
        guard isDue || ContinuousClock.now - said.at >= Self.silenceMax else { return }
        said = (percent, .now)
        say(
            .info(
                "the search index is being renewed: \(percent) %, \(progress.rows) of \(progress.total) books and notes"
            ))
    }

    private mutating func sayEnd() {
        isUnderWay = false
        note(100)
        let took = began.map { ", after \((ContinuousClock.now - $0).formatted)" } ?? ""
        say(.info("the search index is whole again\(took)"))
    }
}

extension Duration {
    /// In seconds, to the tenth.
    fileprivate var formatted: String {
        let tenths = (self / .milliseconds(100)).rounded()
        return "\(tenths / 10) s"
    }
}
