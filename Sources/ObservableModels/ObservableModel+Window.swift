import Model

/// A window that somebody watches.
final class ShownWindow {
    let shape: WindowShape
    /// Nil until its first rows have been read, and after what it shows could not be told.
    var window: Window?
    /// How its list is read.
    var source: Window.Source?

    init(_ shape: WindowShape) { self.shape = shape }
}

/// The model of a window.
extension ObservableModel {
    /// Whether a subscription has had so much that what the window tells goes on from there.
    func serves(_ subscription: Subscription, at slot: Int) -> Bool {
        guard let shown else { return true }
        return shown.window?.serves(from: subscription.progress(of: Int(subscription.seats[slot].part))) ?? false
    }

    /// Takes a change in, and tells what it does to what is shown.
    func take(
        _ published: PublishedChange, _ told: Told?, in shown: ShownWindow, _ touched: inout [Subscription]
    ) {
        guard shown.window != nil else { return }
        let change = published.change
        if let told, let reader = shown.shape.reader, !told.readers.contains(reader) {
            // An error, or not to have asked, is no "no".
            if !told.asked.contains(reader) { breakUp(at: change.seq, &touched) }
            return
        }
        let place = published.place(in: shown.shape.order, shown.shape.filter)
        guard place != nil || shown.window?.holds(change.id) ?? false else { return }
        let events =
            shown.window?.take(
                change.id, at: place, change.value, seq: change.seq,
                leaving: EventFrame.reason(ofLeaving: change)) ?? []
        for event in events { tell(event, of: published, &touched) }
        if shown.window?.isShort ?? false { breakUp(at: change.seq, &touched) }
    }

    private func tell(_ event: WindowEvent, of published: PublishedChange, _ touched: inout [Subscription]) {
        guard !audience.members.isEmpty else { return }
        let told = event.row.map { published.moving($0, isShown: event.name == .enter) } ?? published
        for (subscription, slot) in audience.members {
            // What stands elsewhere is told also to those who want none of the fields that differ.
            if event.name == .updated, !event.isMoved, !subscription.wants(published.change.changed, at: slot) {
                continue
            }
            subscription.hear(told, at: slot, in: event.heard, &touched)
        }
    }

    /// What it shows cannot be told from a change on: who listens is given what there is, from which it is known again.
    func breakUp(at seq: Int64, _ touched: inout [Subscription]) {
        shown?.window = nil
        for (subscription, slot) in audience.members { subscription.owe(at: slot, from: seq, &touched) }
    }

    /// Takes in rows that come after those that it knows; who has not what is in them, and is past that, is given what there is.
    func extend(_ rows: WindowRows, before seq: Int64, _ touched: inout [Subscription]) {
        shown?.window?.extend(rows, before: seq)
        for (subscription, slot) in audience.members where !serves(subscription, at: slot) {
            let part = Int(subscription.seats[slot].part)
            subscription.owe(at: slot, from: subscription.progress(of: part) + 1, &touched)
        }
    }
}
