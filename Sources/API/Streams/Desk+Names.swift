import Model
import ObservableModels
import Store

/// What streams with names go on with.
extension Desk {
    /// In one snapshot: what the stream becomes where it is, or the next of the log. Names of which that does not go back far
    /// enough begin anew.
    func nextOfNamed(_ stream: OpenStream) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        let cursor = subscription.state.cursor
        if let notice = stream.notices.first, notice.seq <= cursor {
            let frames = try switchOver(stream, to: notice, at: cursor)
            stream.notices.removeFirst()
            return .said(frames, at: cursor, isHeld: !stream.notices.isEmpty)
        }
        let gaps = try gaps(of: subscription)
        if !gaps.isEmpty { return try restart(stream, gaps) }
        let through = min(models.head, stream.notices.first?.seq ?? .max)
        var page = try page(for: subscription, through: through)
        page.isHeld = !stream.notices.isEmpty
        return page
    }

    /// Lets a stream watch what it has become.
    private func switchOver(
        _ stream: OpenStream, to notice: StreamNotice, at seq: Int64
    ) throws(LecternError) -> [[UInt8]] {
        guard let new = notice.value, new.revision > stream.revision else { return [] }
        let subscription = stream.subscription
        let added = new.watch.entries.filter { $0.revision > stream.revision }
        let beginning = try beginning(of: added, by: subscription.viewer, knownTo: nil, isKept: true)
        let names = Set(new.watch.entries.filter { $0.revision <= stream.revision }.map(\.name))
        let isKept = { (part: Part) in part.name.map(names.contains) ?? false }
        stream.sources = zip(subscription.parts, stream.sources).filter { isKept($0.0) }.map(\.1) + beginning.sources
        models.listen(subscription, keeping: isKept, told: seq, adding: beginning.parts)
        prepareWindows(of: stream)
        stream.revision = new.revision
        stream.hasSwitched = true
        subscription.style = .named(folds: new.policy == .latest)
        subscription.marks?.add(revision: new.revision, at: beginning.head)
        if let earliest = beginning.earliest {
            subscription.marks?.raiseFloor(to: seq)
            stream.rewind = min(earliest, stream.rewind ?? .max)
        }
        var frames = [EventFrame.subscribed(added.map(\.name), revision: new.revision, at: notice.seq)]
        frames += beginning.frames
        if beginning.earliest == nil { subscription.identify(&frames, at: seq, epoch) }
        return frames
    }

    /// The parts of a subscription that cannot go on from where it is, and why; nil where its reader may see them no more.
    private func gaps(of subscription: Subscription) throws(LecternError) -> [(part: Int, reason: String?)] {
        let (viewer, cursor) = (subscription.viewer, subscription.state.cursor)
        let floor = try reads.floor()
        var memberships: [Int64: Int64?] = [:]
        var gaps: [(part: Int, reason: String?)] = []
        for (index, part) in subscription.parts.enumerated() where !part.isOver {
            let from = max(cursor, part.since)
            if from < floor {
                gaps.append((index, "the cursor is older than the log"))
            } else if let club = part.club {
                if memberships[club] == nil {
                    memberships[club] = try reads.membershipBegan(of: viewer.readerKey, inClub: club)
                }
                if let began = memberships[club] ?? nil {
                    if from < began { gaps.append((index, "the cursor is older than the membership")) }
                } else {
                    gaps.append((index, nil))
                }
            }
        }
        return gaps
    }

    /// Lets parts begin anew with what there is.
    private func restart(
        _ stream: OpenStream, _ gaps: [(part: Int, reason: String?)]
    ) throws(LecternError) -> ObservableModels.Page {
        let subscription = stream.subscription
        let head = try reads.head()
        var snapshots: [(part: Int, page: EncodedPage)] = []
        var gone: [String] = []
        for gap in gaps {
            let name = subscription.parts[gap.part].name ?? ""
            do throws(LecternError) {
                guard gap.reason != nil else { throw .notFound }
                snapshots.append((gap.part, try snapshot(of: stream, part: gap.part)))
            } catch {
                guard error.isNo else { throw error }
                gone.append(name)
            }
        }
        let isWhole = gaps.count == subscription.parts.lazy.filter { !$0.isOver }.count
        var frames = gone.map { EventFrame.gone($0, "noLongerYours") }
        for name in gone { if let part = subscription.part(named: name) { models.end(subscription, part: part) } }
        if isWhole, let reason = gaps.lazy.compactMap(\.reason).first {
            frames.append(EventFrame.reset(reason: reason))
        }
        for (part, page) in snapshots {
            let name = subscription.parts[part].name ?? ""
            if !isWhole, let reason = gaps.first(where: { $0.part == part })?.reason {
                frames.append(EventFrame.reset(reason: reason, of: name))
            }
            frames.append(EventFrame.snapshot(page.body, of: name, asOf: head, id: nil))
            if subscription.parts[part].form == .view { stream.sources[part].shown = page.digest }
            subscription.settle(part: part, at: head)
        }
        models.counters.resets += 1
        guard isWhole else {
            return .said(frames, at: subscription.state.cursor, isHeld: true)
        }
        if let last = frames.popLast() { frames.append(EventFrame.with(id: subscription.id(at: head, epoch), last)) }
        return .said(frames, at: head, isHeld: !stream.notices.isEmpty)
    }
}
