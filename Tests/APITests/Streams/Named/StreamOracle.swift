import Foundation
import JSON

/// The expected events of a stream with names, derived from streams of single URLs and from the responses to its PATCH
/// requests.
struct StreamOracle {
    /// The assignment of a name to a URL, or its removal.
    struct Assignment {
        let name: String
        let revision: Int64
        /// The URL, or `nil` for a removal.
        let url: String?
        /// The change after which the name begins, or `nil` for a snapshot.
        var after: Int64?
        var isDebounced = false
        /// The change right after which the assignment applies, or `nil` for the initial ones.
        var seq: Int64?
        /// The connection that was open then, or `nil`.
        var connection: Int?
    }

    let singles: [String: SingleLog]
    let assignments: [Assignment]

    /// Returns all deviations in a log.
    func problems(_ log: StreamLog) -> [String] {
        var found = log.problems
        for (url, single) in singles { found += single.problems.map { "\(url): \($0)" } }
        for (index, life) in log.lives.enumerated() {
            let isRepeated = log.lives[(index + 1)...].contains { $0.name == life.name && $0.revision == life.revision }
            found += differences(life, log, isCut: isRepeated).map {
                "\(life.name).r\(life.revision)@\(life.seq): \($0)"
            }
        }
        for assignment in assignments {
            guard let seq = assignment.seq, let connection = assignment.connection,
                let shown = log.subscribed.first(where: { $0.revision == assignment.revision }),
                shown.connection == connection, shown.seq != seq
            else { continue }
            found.append("revision \(assignment.revision) is said to hold after \(seq), and shown after \(shown.seq)")
        }
        return found
    }

    private func differences(_ life: StreamLog.Life, _ log: StreamLog, isCut: Bool) -> [String] {
        guard let mine = assignments.last(where: { $0.name == life.name && $0.revision <= life.revision }),
            let url = mine.url, let single = singles[url]
        else { return ["nobody asked for it"] }
        let next = assignments.first { $0.name == life.name && $0.revision > life.revision }
        let shown = next.flatMap { next in log.subscribed.first { $0.revision == next.revision } }
        // The URL's state before a reconnection is no longer known if the name has another URL now.
        let isWhole =
            !isCut && life.gone == nil
            && (next == nil || (shown != nil && shown?.connection == next?.connection))
        if mine.isDebounced || single.isView { return wholes(life, single, isLast: next == nil && !isCut) }
        return changes(life, single, from: mine.after, to: next.map { $0.seq ?? 0 }, isWhole: isWhole)
    }

    /// Compares changes one by one with the stream of the URL.
    private func changes(
        _ life: StreamLog.Life, _ single: SingleLog, from: Int64?, to end: Int64?, isWhole: Bool
    ) -> [String] {
        var found: [String] = []
        var expected = single.received.filter { $0.seq <= end ?? .max }[...]
        var begun = from != nil
        if let from { expected = expected.drop { $0.seq <= from } }
        for item in life.items {
            switch item {
            case .snapshot(let seq, let value):
                // Names begin in turns. A name that is switched before its turn may be shown as of a change after its
                // end. No further event may follow.
                begun = true
                expected = expected.drop { $0.seq <= seq }
                let (ours, theirs) = (ReceivedCopy(value), single.copy(at: seq))
                if let theirs, ours.isWhole, theirs.isWhole, ours != theirs {
                    found.append("the snapshot at \(seq) has \(ours), expected \(theirs)")
                }
            case .received(let received):
                if !begun { found.append("no snapshot before \(received)") }
                guard let next = expected.first else {
                    found.append("too much: \(received)")
                    continue
                }
                if received == next {
                    expected = expected.dropFirst()
                } else {
                    found.append("told \(received), expected \(next)")
                    expected = expected.drop { $0.seq <= received.seq }
                }
            }
        }
        if isWhole, begun, let first = expected.first { found.append("\(expected.count) lost, from \(first)") }
        if isWhole, !begun { found.append("it never began") }
        return Array(found.prefix(3))
    }

    /// Checks snapshots of a view: each must equal an earlier state, and the last one the current state.
    private func wholes(_ life: StreamLog.Life, _ single: SingleLog, isLast: Bool) -> [String] {
        var found: [String] = []
        var last: Int64 = -1
        for item in life.items {
            guard case .snapshot(let seq, let value) = item else {
                found.append("a change of what is sent whole")
                continue
            }
            if seq < last { found.append("a snapshot at \(seq) after \(last)") }
            last = seq
            let (ours, theirs) = (ReceivedCopy(value), single.copy(at: seq))
            if !single.isView, let theirs, ours.isWhole, theirs.isWhole, ours != theirs {
                found.append("whole at \(seq): \(ours), expected \(theirs)")
            }
        }
        if isLast, last < 0 { found.append("never sent") }
        return Array(found.prefix(3))
    }

    /// Returns the names whose client copy differs from the response to `GET`.
    func unequal(_ log: StreamLog, _ get: (String) throws -> JSONValue?) rethrows -> [String] {
        var found: [String] = []
        for (name, life) in Dictionary(grouping: log.lives, by: \.name).compactMapValues(\.last) where life.gone == nil
        {
            guard let mine = assignments.last(where: { $0.name == name }), let url = mine.url,
                mine.revision <= life.revision
            else { continue }
            var copy = mine.after.flatMap { singles[url]?.copy(at: $0) }
            for item in life.items {
                switch item {
                case .snapshot(_, let value): copy = ReceivedCopy(value)
                case .received(let received): copy?.apply(received)
                }
            }
            guard let value = try get(url) else { continue }
            let current = ReceivedCopy(value)
            if copy?.isWhole ?? true, current.isWhole, copy != current {
                found.append("\(name) of \(url) ends as \(copy?.items.count ?? -1) items that GET does not answer")
            }
        }
        return found
    }
}
