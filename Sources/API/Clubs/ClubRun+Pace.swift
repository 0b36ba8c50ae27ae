import JSON
import Model
import Store

extension ClubRun {
    /// Returns the JSON of the club's pace in the run, computed from its members' shared standings, in the days of a
    /// viewer's time zone.
    func pace(_ runAims: ClubRunAims, in zone: String, at now: Instant) -> [UInt8] {
        let days = TimeZoneDays(of: zone)
        let today = days.day(at: now)
        let (milestones, meetings, standings, finished, shown) = runAims
        let all = ClubReadingGoal.all(milestones, meetings)
        let aims = all.prefix(ReadConnection.aimsMax)
        // The lower median of the shared progress.
        let middle = shown.isEmpty ? nil : shown[(shown.count - 1) / 2]
        return JSONWriter.object(capacity: 512 + 320 * aims.count) { json in
            json.member("club", club)
            json.member("book", book)
            json.member("run", id)
            json.member("day", UTCDay(number: today))
            json.member("timeZone", zone)
            json.member("standings", standings)
            json.member("shown", shown.count)
            json.member("finished", finished)
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
