import Model

/// The reply counts of threads' first notes, which change in the same commits as the replies.
extension WriteState {
    /// Returns the writes that update the reply counts of threads' first notes after replies are created, changed or
    /// deleted.
    func counting(
        _ changes: [(before: Note?, after: Note?)], keepsTimes: Bool = false
    ) throws(RequestError) -> [any CommandChange] {
        let deleted = Set(changes.lazy.filter { $0.after == nil }.compactMap { $0.before?.id })
        var roots: [ResourceID: (old: Note, new: Note)] = [:]
        for (before, after) in changes {
            guard let thread = (after ?? before)?.thread, !deleted.contains(thread) else { continue }
            if roots[thread] == nil, let root = try query(NoteTable.find(thread, in: db)) {
                roots[thread] = (root, root)
            }
            guard let root = roots[thread]?.old else { continue }
            let (was, isNow) = (before?.isCounted(in: root) ?? false, after?.isCounted(in: root) ?? false)
            if was != isNow { roots[thread]?.new.replyCount += isNow ? 1 : -1 }
        }
        return roots.values.filter { $0.old.replyCount != $0.new.replyCount }.sorted { $0.old.key < $1.old.key }.map {
            RowWrite<NoteTable>(before: $0.old, after: $0.new, keepsTimes: keepsTimes)
        }
    }

    /// Returns the reply count of a changed first note, given the replies that change with it.
    func replyCount(of root: Note, _ changes: [(before: Note, after: Note)]) throws(RequestError) -> Int32 {
        let changed = Dictionary(changes.map { ($0.before.key, $0.after) }) { $1 }
        let replies = try query(NoteTable.replies(inThread: root.id, in: db))
        return Int32(clamping: replies.count { (changed[$0.key] ?? $0).isCounted(in: root) })
    }
}
