import Model

extension ObservableModels {
    /// Returns whether the rows of a window are known.
    package func isFilled(_ topic: WatchTopic) -> Bool { models[topic]?.shown?.window != nil }

    /// Sets the first rows of a watched window, and the function that reads more of its list.
    package func fill(_ topic: WatchTopic, _ rows: WindowRows, from source: @escaping Window.Source) {
        guard let shown = models[topic]?.shown, shown.window == nil else { return }
        shown.window = Window(rows, order: shown.shape.order, limit: shown.shape.limit)
        shown.source = source
    }

    /// Returns the function that reads a window's list, or `nil` if nobody watches the window.
    package func source(of topic: WatchTopic) -> Window.Source? { models[topic]?.shown?.source }

    /// Returns the look-ups of further rows that windows need, so that each row that a commit may remove has a
    /// successor.
    func successors(of commit: Commit) -> [CommitLookup] {
        var changed: [WatchTopic: [ResourceID]] = [:]
        var unknown: [WatchTopic: Int] = [:]
        for change in commit.changes {
            let list = WatchTopic.list(change.kind, change.scope)
            guard let model = models[list] else { continue }
            if !model.windows.isEmpty { changed[list, default: []].append(change.id) }
            guard composedCount > 0, change.composedKind != nil else { continue }
            // A part may be in up to four composed resources of a reader. A window with more of them gets a new snapshot.
            for composed in model.composites { unknown[composed, default: 0] += 4 }
        }
        var needs: [CommitLookup] = []
        for list in Set(changed.keys).union(unknown.keys) {
            for (topic, model) in models[list]?.windows ?? [:] {
                guard let shown = model.shown else { continue }
                shown.window?.trim()
                let missing = shown.window?.lacks(beforeLosing: changed[list] ?? [], besides: unknown[list] ?? 0) ?? 0
                guard missing > 0, let horizon = shown.window?.horizon else { continue }
                let question = CommitLookup.Question.successors(topic, after: horizon, count: missing)
                needs.append(CommitLookup(change: commit.changes[0], question: question))
            }
        }
        return needs
    }

    /// Adds the rows that windows needed, and returns the answers to all other look-ups.
    func extendWindows(by answers: [CommitLookupResult]) -> ArraySlice<CommitLookupResult> {
        var rest = answers[...]
        while let answer = rest.first, case .successors(let topic, _, _) = answer.need.question {
            rest.removeFirst()
            let seq = answer.need.change.seq
            guard let model = models[topic] else { continue }
            if case .success(.rows(let rows)) = answer.result {
                model.extend(rows, before: seq, &touched)
            } else {
                model.breakUp(at: seq, &touched)
            }
        }
        return rest
    }
}
