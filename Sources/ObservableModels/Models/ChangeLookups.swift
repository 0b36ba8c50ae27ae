package import Model

/// The database look-ups that the models of a loop need for some changes. They are called on the loop's thread.
///
/// An error is not a "no": after one, the subscribers get the change, and all later ones, from the log.
package struct ChangeLookups {
    package typealias Recipients = (Change, Set<Int64>) throws(RequestError) -> Set<Int64>
    package typealias VisibilityChanges = (Change) throws(RequestError) -> [Change]
    package typealias Composed = (Change, WatchedComposites) throws(RequestError) -> [Change]

    /// Returns those of some readers, by key, who may see a change whose visibility depends on the reader.
    let recipients: Recipients
    /// Returns the changes that one row of the log stands for if it unlocks or hides several resources.
    let visibilityChanges: VisibilityChanges
    /// Returns the changes of watched composed resources that follow from a change of one of their parts.
    let composed: Composed
    /// Reports a failed look-up for a commit.
    let report: (RequestError) -> Void

    package init(
        recipients: @escaping Recipients, visibilityChanges: @escaping VisibilityChanges, composed: @escaping Composed,
        report: @escaping (RequestError) -> Void
    ) {
        (self.recipients, self.visibilityChanges, self.composed, self.report) = (
            recipients, visibilityChanges, composed, report
        )
    }
}

extension ObservableModels {
    /// The maximum number of log rows about visibility that are read at once for a commit. A larger commit, which hides
    /// or shows thousands of resources, would delay everybody on the loop. Its subscribers read it from the log, each
    /// in its reader's turns.
    private static let visibilityRowsMax = 4

    /// Returns whether a commit has so many changes of visibility that its subscribers get them from the log.
    func isLarge(_ commit: Commit) -> Bool {
        let rows = commit.changes.count {
            $0.operation.isHiding || $0.operation == .unlocked && WatchTopic.lists(of: $0).contains(where: isWatched)
        }
        return rows > Self.visibilityRowsMax
    }

    /// Returns the topics of a row of the log that names several resources. A stream of one resource must learn that it
    /// is hidden.
    func topics(of row: Change) -> [WatchTopic] {
        let single = row.operation.isHiding ? models.keys.filter { $0.isOne(of: row.kind) } : []
        return WatchTopic.lists(of: row) + single
    }

    func isWatched(_ topic: WatchTopic) -> Bool { models[topic]?.isWatched ?? false }

    /// Returns the readers, by key, who receive a change now, or `nil` if its visibility does not depend on the reader.
    func recipients(of change: Change) throws(RequestError) -> Set<Int64>? {
        guard change.isGated else { return nil }
        var listeners: Set<Int64> = []
        for topic in WatchTopic.all(of: change) { models[topic]?.addListeners(to: change.seq, &listeners) }
        return listeners.isEmpty ? [] : try lookups.recipients(change, listeners)
    }

    /// Returns the watched composed resources to which a change of one of their parts may be a change, or `nil` if
    /// there are none.
    func composites(of change: Change) -> WatchedComposites? {
        guard composedCount > 0, change.composedKind != nil else { return nil }
        var topics = models[.list(change.kind, change.scope)]?.composites ?? []
        topics.formUnion(models[.resource(change.kind, change.id)]?.composites ?? [])
        return topics.isEmpty ? nil : WatchedComposites(topics: topics, reader: nil)
    }

    /// Returns the composed resources that a subscription watches, or `nil` if there are none.
    func composites(of subscription: Subscription) -> WatchedComposites? {
        let topics = Set(subscription.topics.filter { $0.kind?.composition != nil }.flatMap(\.unfiltered))
        return topics.isEmpty ? nil : WatchedComposites(topics: topics, reader: subscription.viewer.readerKey)
    }
}
