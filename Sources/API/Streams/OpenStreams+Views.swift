import HTTPServer
import Model
import ObservableModels

/// New snapshots of views and counts.
extension OpenStreams {
    /// Schedules the due views and counts of a subscription. Views come soon, so that one view includes several
    /// changes, or when their interval ends.
    func renew(_ subscription: Subscription) {
        let id = subscription.connection
        guard opened[id] != nil else { return }
        for index in subscription.urls.indices
        where subscription.urls[index].needsSnapshot && !subscription.urls[index].isDue {
            subscription.urls[index].isDue = true
            let name = subscription.urls[index].name
            let window = subscription.urls[index].isUrgent ? 0 : Int(subscription.urls[index].viewIntervalMilliseconds)
            subscription.urls[index].isUrgent = false
            schedule(subscription, after: window) { [self] in sendNewView(id, urlNamed: name) }
        }
        for index in subscription.urls.indices
        where subscription.urls[index].needsCount && !subscription.urls[index].isCountDue {
            subscription.urls[index].isCountDue = true
            let name = subscription.urls[index].name
            schedule(subscription, after: Self.countMilliseconds) { [self] in recount(id, urlNamed: name) }
        }
    }

    /// Runs a job for a subscription in a turn of its viewer, who is charged for it.
    private func schedule(_ subscription: Subscription, after milliseconds: Int, _ job: @escaping () -> Void) {
        let scheduling = { [self] in
            loop.schedule(subscription.connection) { [self] in pipeline.work(for: subscription.viewer, job) }
        }
        if milliseconds > 0 { loop.execute(after: milliseconds, scheduling) } else { scheduling() }
    }

    private func indexOfURL(named name: String?, of id: ConnectionID) -> (OpenStream, Int)? {
        guard let stream = opened[id] else { return nil }
        return stream.subscription.urls.firstIndex { $0.name == name }.map { (stream, $0) }
    }

    /// The minimum interval between two reads of a count, in milliseconds. Each change of the list may change
    /// everybody's count.
    private static let countMilliseconds = 1000

    /// Sends a list's count if it has changed. A stream that is behind gets it when it has caught up.
    private func recount(_ id: ConnectionID, urlNamed name: String?) {
        guard let (stream, index) = indexOfURL(named: name, of: id) else { return }
        stream.subscription.urls[index].isCountDue = false
        guard stream.subscription.urls[index].needsCount, stream.subscription.state.phase == .live else { return }
        do throws(RequestError) {
            let frames = try pipeline.recount(stream, urlAt: index)
            perform(models.sending(frames, to: stream.subscription, through: models.head))
        } catch {
            // The loss of access, or the end of the list, is sent separately.
            if !error.isRefusal { closeUnreadable(id, error) }
        }
    }

    /// Sends a new view. A stream that is behind gets it when it has caught up.
    private func sendNewView(_ id: ConnectionID, urlNamed name: String?) {
        guard let (stream, index) = indexOfURL(named: name, of: id) else { return }
        let subscription = stream.subscription
        subscription.urls[index].isDue = false
        guard subscription.urls[index].needsSnapshot, subscription.state.phase == .live else { return }
        do throws(RequestError) {
            let (frames, through) = try pipeline.renewal(of: stream, urlAt: index)
            perform(models.sending(frames, to: subscription, through: through))
        } catch {
            if let name, error.isRefusal {
                return perform(models.ending(subscription, name: name, because: "notFound"))
            }
            closeUnreadable(id, error)
        }
    }
}

extension OpenStreams {
    /// Requests new views of a topic. Streams that are behind get them when they have caught up.
    func renew(_ topic: WatchTopic) {
        for stream in opened.values where stream.subscription.state.phase != .live {
            let subscription = stream.subscription
            for index in subscription.urls.indices
            where subscription.urls[index].form == .view && subscription.topics(ofURLAt: index).contains(topic) {
                subscription.urls[index].needsSnapshot = true
            }
        }
        for effect in models.renew(topic) { perform(effect) }
    }
}

extension RequestError {
    /// A Boolean value indicating whether the resource does not exist or the request was refused.
    var isRefusal: Bool {
        switch self {
        case .notFound, .refused: true
        default: false
        }
    }
}
