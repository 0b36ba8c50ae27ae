import Model

/// The state of a window that a subscription watches.
final class WindowState {
    let shape: WindowShape
    /// The window, or `nil` until its first rows have been read and after its changes became unknown.
    var window: Window?
    /// The function that reads rows of the list from which the window takes its rows.
    var source: Window.Source?
    /// The rows that the present commit has moved into the rows shown, with the change that did so.
    var entered: [ResourceID: Int64] = [:]

    init(_ shape: WindowShape) { self.shape = shape }
}

/// Windows.
extension ObservableModel {
    /// A Boolean value indicating whether windows observe the list.
    var hasWindows: Bool { selections.values.contains { $0.shown != nil } }

    /// Returns whether a subscription can continue from the rows shown, given the changes that it has received.
    func serves(_ subscription: Subscription, at registration: Int) -> Bool {
        guard let shown else { return true }
        return shown.window?.serves(
            from: subscription.progress(of: Int(subscription.registrations[registration].urlIndex)))
            ?? false
    }

    /// Applies a change, and sends its effect on the rows shown to the subscriptions.
    func take(
        _ published: PublishedChange, _ readers: Set<Int64>?, in shown: WindowState,
        _ touched: inout [Subscription]
    ) {
        guard shown.window != nil else { return }
        let change = published.change
        if let readers, let reader = shown.shape.reader, !readers.contains(reader) { return }
        let place = published.place(in: shown.shape.order, shown.shape.filter)
        guard place != nil || shown.window?.holds(change.id) ?? false else { return }
        if change.operation.isHiding, let seq = shown.entered[change.id] {
            // One commit moves the row in and hides it. Such a row is not sent.
            return breakUp(at: seq, &touched)
        }
        let events =
            shown.window?.take(
                change.id, at: place, change.shown ?? change.value, seq: change.seq,
                leaving: EventFrame.reason(ofLeaving: change)) ?? []
        for event in events {
            if event.subscribed.event == .enter, let row = event.row { shown.entered[row.id] = change.seq }
            deliver(event, of: published, &touched)
        }
        if shown.window?.isShort ?? false { breakUp(at: change.seq, &touched) }
    }

    private func deliver(_ event: WindowEvent, of published: PublishedChange, _ touched: inout [Subscription]) {
        guard !audience.isEmpty else { return }
        let name = event.subscribed.event
        let moved = event.row.map { published.moving($0, isShown: name == .enter) } ?? published
        for (subscription, registration) in audience {
            // A moved row concerns every subscription, whichever fields it selects.
            if name == .updated, !event.isMoved, !subscription.wants(published.change.changed, at: registration) {
                continue
            }
            subscription.receive(moved, at: registration, in: event.subscribed, &touched)
        }
    }

    /// Discards the window, whose changes are unknown from a change on. Subscriptions get a new snapshot, from which it
    /// is known again.
    func breakUp(at seq: Int64, _ touched: inout [Subscription]) {
        shown?.window = nil
        for (subscription, registration) in audience { subscription.invalidate(at: registration, from: seq, &touched) }
    }

    /// Appends rows that come after the known ones. A subscription gets a new snapshot if its cursor is at or after
    /// `seq` but before the rows were read.
    func extend(_ rows: WindowRows, before seq: Int64, _ touched: inout [Subscription]) {
        shown?.window?.extend(rows, before: seq)
        for (subscription, registration) in audience where !serves(subscription, at: registration) {
            let index = Int(subscription.registrations[registration].urlIndex)
            subscription.invalidate(at: registration, from: subscription.progress(of: index) + 1, &touched)
        }
    }
}
