package import Model

/// A look-up that a change requires before its subscribers can receive it.
package struct CommitLookup: Sendable {
    package enum Question: Sendable {
        /// Asks which of these readers, by key, may see a change whose visibility depends on the reader.
        case recipients(Set<Int64>)
        /// The changes that one row of the log stands for if it unlocks or hides several resources.
        case unlocked
        /// The changes of composed resources that follow from a change of one of their parts.
        case composed(WatchedComposites)
        /// A number of rows after a place in the list of a window.
        case successors(WatchTopic, after: ListPlace, count: Int)
    }

    package let change: Change
    package let question: Question

    /// A Boolean value indicating whether the question is for the resources that a row of the log names.
    package var isVisibilityChange: Bool {
        if case .unlocked = question { true } else { false }
    }
}

/// The result of a look-up. After an error the subscribers get the change, and all later ones, from the log.
package struct CommitLookupResult: Sendable {
    let need: CommitLookup
    let result: Result<CommitLookupAnswer, RequestError>

    package init(_ need: CommitLookup, _ result: Result<CommitLookupAnswer, RequestError>) {
        (self.need, self.result) = (need, result)
    }

    /// Creates an answer without content. The subscribers get the change from the log.
    package init(fromLog need: CommitLookup) { self.init(need, .success(.fromLog)) }

    /// Creates the result of a closure that returns the answer or throws.
    package init(_ need: CommitLookup, _ known: () throws(RequestError) -> CommitLookupAnswer) {
        self.need = need
        do throws(RequestError) { result = .success(try known()) } catch { result = .failure(error) }
    }

    package var error: RequestError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Returns the changes in the answer, or `nil` if the subscribers get them from the log.
    func changes() throws(RequestError) -> [Change]? {
        switch try result.get() {
        case .changes(let changes): changes
        case .fromLog: nil
        case .readers, .rows: []
        }
    }
}

package enum CommitLookupAnswer: Sendable {
    case readers(Set<Int64>)
    case changes([Change])
    case rows(WindowRows)
    /// Nothing was read. The subscribers get the change from the log.
    case fromLog
}

/// The readers who may see a change, and the readers for whom that was looked up.
struct ChangeRecipients {
    let asked: Set<Int64>
    let readers: Set<Int64>

    static let unasked = ChangeRecipients(asked: [], readers: [])
}

extension ObservableModels {
    /// Returns the look-ups that a commit requires before it is published. There are none unless a subscription needs
    /// them.
    package func needs(of commit: Commit) -> [CommitLookup] {
        var needs = windowCount > 0 ? successors(of: commit) : []
        for change in commit.changes {
            if change.operation.isVisibilityChange {
                // A stream of one resource must learn that it is hidden, too.
                guard change.operation.isHiding || WatchTopic.lists(of: change).contains(where: isWatched) else {
                    continue
                }
                needs.append(CommitLookup(change: change, question: .unlocked))
            } else {
                let readers = change.isGated ? listeners(to: change) : []
                if !readers.isEmpty { needs.append(CommitLookup(change: change, question: .recipients(readers))) }
                if composedCount > 0 { addComposed(of: change, to: &needs) }
            }
        }
        return needs
    }

    /// Returns the look-ups that a subscription requires for a page of the log. All given changes must be visible to
    /// its reader.
    package func needs(of changes: [Change], for subscription: Subscription) -> [CommitLookup] {
        let composites = Set(subscription.topics.filter { $0.kind?.composition != nil }.flatMap(\.unfiltered))
        guard !composites.isEmpty else { return [] }
        let watched = WatchedComposites(topics: composites, reader: subscription.viewer.readerKey)
        return changes.filter { $0.seq <= head && $0.composedKind != nil }
            .map { CommitLookup(change: $0, question: .composed(watched)) }
    }

    private func addComposed(of change: Change, to needs: inout [CommitLookup]) {
        guard change.composedKind != nil else { return }
        var topics = models[.list(change.kind, change.scope)]?.composites ?? []
        topics.formUnion(models[.resource(change.kind, change.id)]?.composites ?? [])
        guard !topics.isEmpty else { return }
        needs.append(CommitLookup(change: change, question: .composed(WatchedComposites(topics: topics, reader: nil))))
    }

    /// Returns the readers, by key, who get a change now if they may see it.
    private func listeners(to change: Change) -> Set<Int64> {
        var readers: Set<Int64> = []
        for topic in WatchTopic.all(of: change) { models[topic]?.addListeners(to: change.seq, &readers) }
        return readers
    }

    private func isWatched(_ topic: WatchTopic) -> Bool { models[topic]?.isWatched ?? false }
}
