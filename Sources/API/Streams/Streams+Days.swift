import Bytes
import Model
import ObservableModels
import Store

/// Views that say something else on another day.
extension Streams {
    /// Makes those anew whose reader has come to another day.
    func tickDays() {
        let (before, now) = (dayAskedAt, desk.clock())
        guard before.quarter != now.quarter else { return }
        dayAskedAt = now
        for stream in opened.values where stream.subscription.state.phase != .live { stream.subscription.owe(.day) }
        for effect in desk.renewDays(from: before, to: now) { perform(effect) }
    }
}

extension Desk {
    /// Has the views made anew of readers for whom it has become another day.
    func renewDays(from before: Instant, to now: Instant) -> [Effect] {
        models.renew(.day) { viewer in
            do throws(LecternError) {
                let days = LocalDays(of: try reads.timeZone(of: viewer.readerKey))
                return days.day(at: before) != days.day(at: now)
            } catch {
                // What cannot be read now is no "no".
                return true
            }
        }
    }
}

extension Instant {
    /// The quarter of an hour that it is in: no two time zones are apart by less.
    fileprivate var quarter: Int64 { milliseconds.floorDivided(by: 900_000) }
}
