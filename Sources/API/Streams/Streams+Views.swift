import HTTPServer
import Model
import ObservableModels

/// Views that are made anew.
extension Streams {
    /// Has the views of a subscription that owe what they show made anew: soon, so that one time does for several changes, or
    /// when their window ends.
    func renew(_ subscription: Subscription) {
        guard let id = connections[subscription.owner], let stream = opened[id] else { return }
        for part in subscription.parts.indices where subscription.parts[part].owes && !stream.sources[part].isDue {
            stream.sources[part].isDue = true
            let name = subscription.parts[part].name
            let job: @Sendable () -> Void = { [self] in self.makeAnew(id, partNamed: name) }
            let window = stream.sources[part].isUrgent ? 0 : Int(stream.sources[part].window)
            stream.sources[part].isUrgent = false
            if window > 0 { loop.execute(after: window, job) } else { loop.execute(job) }
        }
    }

    /// Sends what there is of a view now. Who is behind gets it when that is over.
    private func makeAnew(_ id: ConnectionID, partNamed name: String?) {
        guard let stream = opened[id], let part = stream.subscription.parts.firstIndex(where: { $0.name == name })
        else {
            return
        }
        let subscription = stream.subscription
        stream.sources[part].isDue = false
        guard subscription.parts[part].owes, subscription.state.phase == .live else { return }
        do throws(LecternError) {
            let (frames, through) = try desk.renewal(of: stream, part: part)
            stream.failures = 0
            perform(models.say(frames, to: subscription, through: through))
        } catch {
            guard let name, error.isNo else { return put(off: stream, id, error) }
            perform(models.lose(subscription, name: name, because: "notFound"))
        }
    }
}

extension Subscription {
    /// Has who is behind get what there is of a topic's views when that is over.
    func owe(_ topic: Topic) {
        for part in parts.indices where parts[part].form == .view && topics(ofPart: part).contains(topic) {
            owe(part: part)
        }
    }
}

extension LecternError {
    /// Whether what is asked for is not there, or not for who asks.
    var isNo: Bool {
        switch self {
        case .notFound, .refused: true
        default: false
        }
    }
}
