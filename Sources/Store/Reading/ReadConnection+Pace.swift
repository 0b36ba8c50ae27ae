package import Model

/// Queries for the pace of a reading.
extension ReadConnection {
    /// Returns the time zone in which a reader's days begin.
    package func timeZone(of reader: Int64) throws(RequestError) -> String {
        try settings(of: reader)?.timeZone ?? "UTC"
    }

    /// Returns the measure of a reading.
    package func paceMeasure(of reading: Reading) throws(RequestError) -> ReadingPaceMeasure {
        try query { db throws(SQLiteError) in
            guard let id = reading.edition, let edition = try EditionTable.find(id, in: db) else {
                return ReadingPaceMeasure(PositionResolver(pageCount: reading.pageCount), pageCount: reading.pageCount)
            }
            return ReadingPaceMeasure(PositionResolver(edition), pageCount: nil)
        }
    }

    /// Returns the first progress of a reading, and the progress at the end of each day that counts for the pace, in
    /// order of time. Takes one index lookup per day, however many entries there are.
    package func pacePoints(
        of reading: Reading, by days: TimeZoneDays, through today: Int64
    ) throws(RequestError) -> [(day: Int64, share: Progress)] {
        func point(_ row: SQLiteStatement) -> (at: Instant, share: Progress, key: Int64) {
            (row.instant(0), Progress(clamping: row.integer(1)), row.integer(2))
        }
        return try query { db throws(SQLiteError) in
            let first = try db.statement(
                "SELECT happened_at, progress, key FROM entries WHERE reading = ?1 ORDER BY happened_at, key LIMIT 1"
            ).bind(reading.key).first(point)
            guard let first else { return [] }
            let lastBefore = try db.statement(
                """
                SELECT happened_at, progress, key FROM entries WHERE reading = ?1 AND happened_at < ?2
                ORDER BY happened_at DESC, key DESC LIMIT 1
                """)
            let start = days.start(ofDay: today - ReadingPace.daysMax)
            // The last entry of each day, the latest first.
            var points: [(at: Instant, share: Progress, key: Int64)] = []
            var end = Instant(milliseconds: .max)
            while let last = try lastBefore.bind(reading.key, end).first(point), last.key != first.key {
                points.append(last)
                guard last.at >= start else { break }
                end = min(days.start(ofDay: days.day(at: last.at)), last.at)
            }
            points.append(first)
            // With a stated start, the reader had read nothing at that time.
            if let startedAt = reading.startedAt, startedAt < first.at { points.append((startedAt, .none, 0)) }
            return points.reversed().map { (days.day(at: $0.at), $0.share) }
        }
    }

    // MARK: Targets of the reader's clubs

    /// The maximum number of milestones, and of meetings, that are returned.
    package static let aimsMax = 100

    static let milestonesOfReader = MilestoneTable.rows.sql(
        """
        WHERE runs.club IN (SELECT club FROM members WHERE reader = ?1) AND runs.book = ?2 AND runs.state IN ('planned', 'current') AND clubs.is_archived = 0
            AND (milestones.is_due = 0 OR milestones.progress > ?3)
        ORDER BY milestones.due_at, milestones.key LIMIT \(aimsMax + 1)
        """)
    static let meetingsOfReader = MeetingTable.rows.sql(
        """
        WHERE meetings.club IN (SELECT club FROM members WHERE reader = ?1) AND +meetings.book = ?2 AND meetings.has_begun = 0 AND clubs.is_archived = 0
        ORDER BY meetings.starts_at, meetings.key LIMIT \(aimsMax + 1)
        """)

    /// Returns the targets of the clubs of a reading's reader for its book: milestones that are not due or not reached,
    /// and meetings that have not begun. Returns up to one more of each than are shown.
    package func aims(for reading: Reading) throws(RequestError) -> (milestones: [Milestone], meetings: [Meeting]) {
        try query { db throws(SQLiteError) in
            (
                try db.statement(Self.milestonesOfReader).bind(
                    reading.readerKey, reading.bookKey, Int64(reading.progress.millionths)
                ).all(MilestoneTable.row),
                try db.statement(Self.meetingsOfReader).bind(reading.readerKey, reading.bookKey)
                    .all(MeetingTable.row)
            )
        }
    }

    private static let meetingsOfRun = MeetingTable.rows.sql(
        """
        WHERE meetings.club = ?1 AND meetings.book = ?2 AND meetings.has_begun = 0 AND meetings.run = ?3
        ORDER BY meetings.starts_at, meetings.key LIMIT \(aimsMax + 1)
        """)

    /// Returns the targets of a run for all members who follow it: milestones that are not due and meetings that have
    /// not begun. Also returns what the members share with the club.
    package func aims(of run: ClubRun) throws(RequestError) -> ClubRunAims {
        try query { db throws(SQLiteError) in
            let standings = try db.statement(
                """
                SELECT ifnull(progress, CASE WHEN state IS NOT NULL THEN 0 END), finished_at IS NOT NULL
                FROM standings WHERE run = ?1 ORDER BY 1
                """
            ).bind(run.key).all { ($0.optionalInteger(0).map(Progress.init(clamping:)), $0.integer(1) != 0) }
            return (
                try MilestoneTable.all(of: "run", run.key, in: db).filter { !$0.isDue },
                try db.statement(Self.meetingsOfRun).bind(run.clubKey, run.bookKey, run.id)
                    .all(MeetingTable.row),
                standings.count, standings.count(where: \.1), standings.compactMap(\.0)
            )
        }
    }
}

/// The targets of a run, the number of its standings and of the finished ones, and the shared progress, ascending. A
/// member who shares milestones and has reached none is at the start.
package typealias ClubRunAims = (
    milestones: [Milestone], meetings: [Meeting], standings: Int, finished: Int, shown: [Progress]
)
