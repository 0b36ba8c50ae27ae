import Synchronization

/// The conversion of the search index to this program's folding, some rows at a time between batches, without events.
/// After a restart it continues.
///
/// Rows that are written meanwhile have this program's words, whether or not the walk has passed them. A book whose
/// rank changes (`BookIndex.count`) keeps its words. The walk is in the order of the rows' keys, which never change.
struct SearchIndexRenewal {
    private let connection: Connection
    private let counters: StoreCounters
    private let rowsMax: Int
    private let isAwaited: @Sendable () -> Bool
    private let say: @Sendable (OperatorNotice) -> Void
    /// A Boolean value indicating whether rows are left to convert.
    private(set) var isUnderWay: Bool
    /// The start of the renewal in this process, and the last progress that was logged.
    private var began: ContinuousClock.Instant?
    private var said: (percent: Int, at: ContinuousClock.Instant)

    /// The minimum number of rows of a slice. Slices grow while no command waits, because a row costs less in a large
    /// slice.
    private static let rowsMin = 64
    private static let sliceMax = Duration.milliseconds(50)
    /// The step of the progress in percent after which it is logged; it is also logged after `silenceMax`.
    private static let percentStep = 10
    private static let silenceMax = Duration.seconds(10)

    init(
        _ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        isAwaited: @escaping @Sendable () -> Bool, say: @escaping @Sendable (OperatorNotice) -> Void
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
            try SearchIndexProgress.end(in: connection)
            try connection.run("COMMIT")
            isUnderWay = false
        }
        if isUnderWay { note(try SearchIndexProgress(in: connection)?.percent ?? 0) }
    }

    /// Converts one slice, if there is one. Returns `true` if more rows may be left.
    mutating func runMaintenance() throws(SQLiteError) -> Bool {
        guard isUnderWay, rowsMax > 0 else { return false }
        guard let progress = try SearchIndexProgress(in: connection) else {
            try connection.run("BEGIN IMMEDIATE")
            try SearchIndexProgress(total: SearchIndex.count(connection)).begin(in: connection)
            try connection.run("COMMIT")
            return true
        }
        sayBeginning(progress)
        if let next = try renewSlice(from: progress) { sayProgress(next) } else { sayEnd() }
        return isUnderWay
    }

    /// Converts rows in one transaction. Returns the new progress, or `nil` at the end.
    private func renewSlice(from progress: SearchIndexProgress) throws(SQLiteError) -> SearchIndexProgress? {
        let end = ContinuousClock.now + Self.sliceMax
        let step = min(rowsMax, Self.rowsMin)
        var last = progress
        try connection.run("BEGIN IMMEDIATE")
        repeat {
            guard let next = try SearchIndex.renew(step, from: last, in: connection) else {
                try SearchIndexProgress.end(in: connection)
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

    private mutating func sayBeginning(_ progress: SearchIndexProgress) {
        guard began == nil else { return }
        (began, said) = (.now, (progress.percent, .now))
        let how =
            progress.rows == 0
            ? "rebuilding the search index for this version"
            : "continuing to rebuild the search index from \(progress.percent) %"
        say(
            .info(
                "\(how), about \(progress.total) books and notes. Until then searches, and lists by title or author, return 503"
            ))
    }

    private mutating func sayProgress(_ progress: SearchIndexProgress) {
        let percent = progress.percent
        note(percent)
        let isDue = percent / Self.percentStep > said.percent / Self.percentStep
        guard isDue || ContinuousClock.now - said.at >= Self.silenceMax else { return }
        said = (percent, .now)
        say(
            .info(
                "rebuilding the search index: \(percent) %, \(progress.rows) of \(progress.total) books and notes"
            ))
    }

    private mutating func sayEnd() {
        isUnderWay = false
        note(100)
        let took = began.map { ", after \((ContinuousClock.now - $0).formatted)" } ?? ""
        say(.info("the search index is complete again\(took)"))
    }
}

extension Duration {
    /// The duration in seconds, rounded to a tenth.
    fileprivate var formatted: String {
        let tenths = (self / .milliseconds(100)).rounded()
        return "\(tenths / 10) s"
    }
}
