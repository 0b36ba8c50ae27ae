package import Model

/// What must be known of a change before those who listen can be told of it.
package struct Need: Sendable {
    package enum Question: Sendable {
        /// Who of these readers, by key, may be told of a change of a club's note.
        case told(Set<Int64>)
        /// The changes that a row of the log stands for which unlocks several notes.
        case unlocked
        /// The changes of cards that it makes as a change of a reading or a book.
        case cards(WatchedCards)
        /// So many rows that come after a place in the list of a window.
        case successors(Topic, after: ListPlace, count: Int)
    }

    package let change: Change
    package let question: Question

    /// Whether it asks for the notes that a row of the log names.
    package var isOfSight: Bool {
        if case .unlocked = question { true } else { false }
    }
}

/// What is known of a need. An error is no "no": who listens gets the change, and what follows it, from the log.
package struct Answer: Sendable {
    package enum Known: Sendable {
        case readers(Set<Int64>)
        case changes([Change])
        case rows(WindowRows)
        /// Nothing was read: those who listen get the change from the log.
        case fromLog
    }

    let need: Need
    let result: Result<Known, LecternError>

    package init(_ need: Need, _ result: Result<Known, LecternError>) { (self.need, self.result) = (need, result) }

    /// An answer without content, by which those who listen get the change from the log.
    package init(fromLog need: Need) { self.init(need, .success(.fromLog)) }

    /// The answer that is read.
    package init(_ need: Need, _ known: () throws(LecternError) -> Known) {
        self.need = need
        do throws(LecternError) { result = .success(try known()) } catch { result = .failure(error) }
    }

    package var error: LecternError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// The changes that it says, or `nil` if those who listen get them from the log.
    func changes() throws(LecternError) -> [Change]? {
        switch try result.get() {
        case .changes(let changes): changes
        case .fromLog: nil
        case .readers, .rows: []
        }
    }
}

/// Who may be told of a change, and of how many that is known.
struct Told {
    let asked: Set<Int64>
    let readers: Set<Int64>

    static let nobodyAsked = Told(asked: [], readers: [])
}

extension ObservableModels {
    /// What must be known before a commit is published: nothing, unless somebody listens to what needs it.
    package func needs(of commit: Commit) -> [Need] {
        var needs = windowCount > 0 ? successors(of: commit) : []
        for change in commit.changes {
            if change.operation.isOfSight {
                // What is hidden may be watched by itself, too.
                guard change.operation.isGoing || Topic.lists(of: change).contains(where: isHeard) else { continue }
                needs.append(Need(change: change, question: .unlocked))
            } else {
                let readers = change.isGated ? listeners(to: change) : []
                if !readers.isEmpty { needs.append(Need(change: change, question: .told(readers))) }
                if composedCount > 0 { addCards(of: change, to: &needs) }
            }
        }
        return needs
    }

    /// What must be known before a subscription gets a page of the log, whose changes its reader may see.
    package func needs(of changes: [Change], for subscription: Subscription) -> [Need] {
        let cards = Set(subscription.topics.filter { $0.kind == .card }.flatMap(\.unfiltered))
        guard !cards.isEmpty else { return [] }
        let watched = WatchedCards(topics: cards, reader: subscription.viewer.readerKey)
        return changes.filter { $0.seq <= head && Card.canChange(by: $0) }
            .map { Need(change: $0, question: .cards(watched)) }
    }

    private func addCards(of change: Change, to needs: inout [Need]) {
        guard Card.canChange(by: change) else { return }
        var topics = models[.list(change.kind, change.scope)]?.cards ?? []
        topics.formUnion(models[.resource(change.kind, change.id)]?.cards ?? [])
        guard !topics.isEmpty else { return }
        needs.append(Need(change: change, question: .cards(WatchedCards(topics: topics, reader: nil))))
    }

    /// The readers, by key, who are to be given a change now if they may be told of it.
    private func listeners(to change: Change) -> Set<Int64> {
        var readers: Set<Int64> = []
        for topic in Topic.all(of: change) { models[topic]?.addListeners(to: change.seq, &readers) }
        return readers
    }

    private func isHeard(_ topic: Topic) -> Bool { models[topic]?.isHeard ?? false }
}
