import Bytes
import Model
import ObservableModels
import Store

/// Views that depend on the current day.
extension OpenStreams {
    /// Requests new views for the readers for whom a new day has begun.
    func tickDays() {
        let (before, now) = (dayAskedAt, pipeline.clock())
        guard before.quarter != now.quarter else { return }
        dayAskedAt = now
        renew(.day) { pipeline.hasNewDay($0, from: before, to: now) }
    }
}

extension RequestPipeline {
    /// Returns whether a new day has begun where a viewer lives between two times.
    func hasNewDay(_ viewer: Viewer, from before: Instant, to now: Instant) -> Bool {
        do throws(RequestError) {
            let days = TimeZoneDays(of: try reads.timeZone(of: viewer.readerKey))
            return days.day(at: before) != days.day(at: now)
        } catch {
            // An error is not a "no".
            return true
        }
    }
}

extension Instant {
    /// The number of quarter hours since 1970. Offsets of time zones are multiples of a quarter hour.
    fileprivate var quarter: Int64 { milliseconds.floorDivided(by: 900_000) }
}
