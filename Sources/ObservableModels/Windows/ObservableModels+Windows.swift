package import Model

extension ObservableModels {
    /// Returns whether the rows of a window are known.
    package func isFilled(_ topic: WatchTopic) -> Bool { models[topic]?.shown?.window != nil }

    /// Reads the first rows of a watched window and some spare ones. `source` reads rows of its list.
    package func fill(_ topic: WatchTopic, from source: @escaping Window.Source) throws(RequestError) {
        guard let limit = topic.shape?.limit else { return }
        fill(topic, try source(nil, Window.capacity(limit: limit)), from: source)
    }

    /// Sets the first rows of a watched window, and the function that reads more of its list.
    func fill(_ topic: WatchTopic, _ rows: WindowRows, from source: @escaping Window.Source) {
        guard let shown = models[topic]?.shown, shown.window == nil else { return }
        shown.window = Window(rows, order: shown.shape.order, limit: shown.shape.limit)
        shown.source = source
    }

    /// Reads further rows of windows, so that each row that a commit may remove has a successor. A window whose list
    /// cannot be read now gets a new snapshot.
    func extendWindows(before commit: Commit) {
        var changed: [WatchTopic: [ResourceID]] = [:]
        var unknown: [WatchTopic: Int] = [:]
        for change in commit.changes {
            let list = WatchTopic.list(change.kind, change.scope)
            guard let model = models[list] else { continue }
            if model.hasWindows { changed[list, default: []].append(change.id) }
            guard composedCount > 0, change.composedKind != nil else { continue }
            // A part may be in up to four composed resources of a reader. A window with more of them gets a new snapshot.
            for composed in model.composites { unknown[composed, default: 0] += 4 }
        }
        let seq = commit.changes.first?.seq ?? 0
        for list in Set(changed.keys).union(unknown.keys) {
            for model in models[list].map({ Array($0.selections.values) }) ?? [] {
                guard let shown = model.shown, let source = shown.source else { continue }
                shown.entered = [:]
                shown.window?.trim()
                let missing = shown.window?.lacks(beforeLosing: changed[list] ?? [], besides: unknown[list] ?? 0) ?? 0
                guard missing > 0, let horizon = shown.window?.horizon else { continue }
                do throws(RequestError) {
                    model.extend(try source(horizon, missing), before: seq, &touched)
                } catch {
                    lookups.report(error)
                    model.breakUp(at: seq, &touched)
                }
            }
        }
    }
}
