import JSON
import Model
import Store

extension ClubRun {
    /// Returns the JSON of the club's pace in the run, computed from its members' shared standings.
    func pace(for viewer: Viewer, at now: Instant, _ reads: ReadConnection) throws(RequestError) -> [UInt8] {
        let zone = try reads.timeZone(of: viewer.readerKey)
        let days = TimeZoneDays(of: zone)
        let today = days.day(at: now)
        let (milestones, meetings, standings) = try reads.aims(of: self)
        let all = ClubReadingGoal.all(milestones, meetings)
        let aims = all.prefix(ReadConnection.aimsMax)
        let shown = standings.compactMap(\.shown).sorted()
        // The lower median of the shared progress.
        let middle = shown.isEmpty ? nil : shown[(shown.count - 1) / 2]
        return JSONWriter.object(capacity: 512 + 320 * aims.count) { json in
            json.member("club", club)
            json.member("book", book)
            json.member("run", id)
            json.member("day", UTCDay(number: today))
            json.member("timeZone", zone)
            json.member("standings", standings.count)
            json.member("shown", shown.count)
            json.member("finished", standings.count { $0.finishedAt != nil })
            json.member("progress", middle)
            json.array("aims", aims) { aim, json in
                json.object { json in
                    let last = aim.lastDay(by: days, today: today)
                    json.head(of: aim)
                    json.member("reached", Int64(shown.count { $0 >= aim.progress }))
                    json.member("daysLeft", max(0, last - today + 1))
                    let left = middle.map { Int64(max(0, aim.progress.millionths - $0.millionths)) }
                    json.amount("perDay", left.flatMap { ReadingPace([], on: today).needed(reading: $0, by: last) })
                }
            }
            json.member("isCut", all.count > aims.count)
        }
    }
}

extension Standing {
    /// The shared progress, or `nil` if none is shared. A member who shares milestones and has reached none is at the
    /// start.
    fileprivate var shown: Progress? { progress ?? (state == nil ? nil : Progress.none) }
}
