import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// How names of a stream begin.
struct Beginning {
    private(set) var parts: [Part] = []
    private(set) var sources: [OpenStream.Source] = []
    /// What is sent of them first.
    private(set) var frames: [[UInt8]] = []
    /// What there is of them is that of this change.
    fileprivate(set) var head: Int64 = 0
    /// The earliest place from which one of them is told; nil when all are told of what there is now.
    private(set) var earliest: Int64?

    fileprivate mutating func add(_ part: Part, _ source: OpenStream.Source, _ frames: [[UInt8]] = []) {
        parts.append(part)
        sources.append(source)
        self.frames += frames
        if part.since < head { earliest = min(earliest ?? part.since, part.since) }
    }

    /// As much room as so many names take, and no more: streams stay open.
    fileprivate mutating func reserve(_ count: Int) {
        parts.reserveCapacity(count)
        sources.reserveCapacity(count)
    }

    fileprivate mutating func add(gone name: String, _ reason: StaticString) {
        frames.append(EventFrame.gone(name, reason))
    }
}

extension Desk {
    /// Lets names begin: those that a client with a cursor knows go on from there, all others with what there is, or from where
    /// they say. What cannot be watched is told to be gone.
    func beginning(
        of entries: [WatchList.Entry], by viewer: Viewer, knownTo cursor: StreamCursor?, isKept: Bool
    ) throws(LecternError) -> Beginning {
        // The clubs are read before the place is: who comes to another one in between has it followed by its event.
        var found: [(entry: WatchList.Entry, watched: Watched, topics: [Topic])] = []
        var beginning = Beginning()
        beginning.reserve(entries.count)
        for entry in entries {
            do throws(LecternError) {
                let watched = try watched(entry.url, by: viewer)
                found.append((entry, watched, try topics(of: watched.watch, viewer)))
            } catch {
                guard error.isNo else { throw error }
                beginning.add(gone: entry.name, "notFound")
            }
        }
        return try reads.read { () throws(LecternError) in
            beginning.head = try reads.head()
            for (entry, watched, topics) in found {
                do throws(LecternError) {
                    try begin(entry, watched, topics, by: viewer, knownTo: cursor, isKept: isKept, in: &beginning)
                } catch {
                    guard error.isNo else { throw error }
                    beginning.add(gone: entry.name, "notFound")
                }
            }
            return beginning
        }
    }

    private func begin(
        _ entry: WatchList.Entry, _ watched: Watched, _ topics: [Topic], by viewer: Viewer,
        knownTo cursor: StreamCursor?, isKept: Bool, in beginning: inout Beginning
    ) throws(LecternError) {
        let (watch, isDebounced) = (watched.watch, entry.debounce != nil)
        try demandMembership(of: viewer, in: watch.club)
        let isMadeAnew = isDebounced || watch.form != .events
        var source = OpenStream.Source(
            making: isKept && !isMadeAnew ? .row : .url(entry.url), isTold: watch.isTold, window: entry.debounce ?? 0)
        if let cursor, entry.revision <= cursor.revision {
            var part = watched.part(named: entry.name, topics, since: cursor.seq, isDebounced: isDebounced)
            if part.form != .events, cursor.viewsThrough != nil || !watch.isTold {
                part.owe()
                source.isUrgent = true
            }
            return beginning.add(part, source)
        }
        var frames: [[UInt8]] = []
        if let after = entry.after {
            switch try position(after, head: beginning.head, in: watch.club, of: viewer, isFeed: watch.isFeed) {
            case .known(let place) where place.parts == 0 && watch.form == .events:
                return beginning.add(watched.part(named: entry.name, topics, since: place.seq), source)
            case .known: frames = [EventFrame.reset(reason: "it is sent whole", of: entry.name)]
            case .unknown(let reason): frames = [EventFrame.reset(reason: reason, of: entry.name)]
            }
        }
        let page = try watched.snapshot()
        let part = watched.part(named: entry.name, topics, since: beginning.head, isDebounced: isDebounced)
        if part.form == .view { source.shown = page.digest }
        frames.append(EventFrame.snapshot(page.body, of: entry.name, asOf: beginning.head, id: nil))
        beginning.add(part, source, frames)
    }

    /// Refuses URLs that cannot be watched, each under its name.
    func demandWatchable(_ patch: WatchListPatch?, by viewer: Viewer) throws(LecternError) {
        var violations: [Violation] = []
        for (name, entry) in patch?.entries ?? [] {
            guard let entry, violations.count < 32 else { continue }
            do throws(LecternError) {
                _ = try watched(entry.url, by: viewer)
            } catch {
                guard error.isNo else { throw error }
                violations.append(
                    Violation(
                        pointer: Violation.pointer("/watch", name),
                        detail: "cannot be watched. \(Problem(error).detail)"))
            }
        }
        if !violations.isEmpty { throw .invalid(violations) }
    }
}
