import JSON
import Model
import Store

/// The pace of a club in a run, computed from its members' shared standings.
struct ClubRunPace {
    private let run: ClubRun
    private let zone: String
    private let days: TimeZoneDays
    private let today: Int64
    private let standings: [Standing]
    private let aims: [ClubReadingGoal]
    private let isCut: Bool

    init(
        of run: ClubRun, for viewer: Viewer, at now: Instant, _ reads: ReadConnection
    ) throws(RequestError) {
        self.run = run
        zone = try reads.timeZone(of: viewer.readerKey)
        days = TimeZoneDays(of: zone)
        today = days.day(at: now)
        let (milestones, meetings, standings) = try reads.aims(of: run)
        self.standings = standings
        let all = ClubReadingGoal.all(milestones, meetings)
        aims = Array(all.prefix(ReadConnection.aimsMax))
        isCut = all.count > aims.count
    }

    func encoded() -> [UInt8] {
        let shown = standings.compactMap(\.shown).sorted()
        // The lower median of the shared progress.
        let middle = shown.isEmpty ? nil : shown[(shown.count - 1) / 2]
        return JSONWriter.object(capacity: 512 + 320 * aims.count) { json in
            json.member("club", run.club)
            json.member("book", run.book)
            json.member("run", run.id)
            json.member("day", UTCDay(number: today))
            json.member("timeZone", zone)
            json.member("standings", standings.count)
            json.member("shown", shown.count)
            json.member("finished", standings.count { $0.finishedAt != nil })
            json.member("progress", middle)
            json.array("aims", aims) { aim, json in json.object { write(aim, middle, shown, to: &$0) } }
            json.member("isCut", isCut)
        }
    }

    private func write(_ aim: ClubReadingGoal, _ middle: Progress?, _ shown: [Progress], to json: inout JSONWriter) {
        let last = aim.lastDay(by: days, today: today)
        json.head(of: aim)
        json.member("reached", Int64(shown.count { $0 >= aim.progress }))
        json.member("daysLeft", max(0, last - today + 1))
        let left = middle.map { Int64(max(0, aim.progress.millionths - $0.millionths)) }
        json.amount("perDay", left.flatMap { ReadingPace([], on: today).needed(reading: $0, by: last) })
    }
}

extension Standing {
    /// The shared progress, or `nil` if none is shared. A member who shares milestones and has reached none is at the
    /// start.
    fileprivate var shown: Progress? { progress ?? (state == nil ? nil : Progress.none) }
}
