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
            let job = { [self] in
                loop.schedule(id) { [self] in
                    desk.work(for: subscription.viewer) { makeAnew(id, partNamed: name) }
                }
            }
            let window = stream.sources[part].isUrgent ? 0 : Int(stream.sources[part].window)
            stream.sources[part].isUrgent = false
            if window > 0 { loop.execute(after: window, job) } else { job() }
        }
        for part in subscription.parts.indices
        where subscription.parts[part].owesCount && !stream.sources[part].isCountDue {
            stream.sources[part].isCountDue = true
            let name = subscription.parts[part].name
            loop.execute(after: Self.countMilliseconds) { [self] in recount(id, partNamed: name) }
        }
    }

    /// Milliseconds within which the number beside a list is read at most once: each change of the list may change everybody's.
    private static let countMilliseconds = 1000

    /// Sends the number beside a list where it is another. Who is behind gets it when that is over.
    private func recount(_ id: ConnectionID, partNamed name: String?) {
        guard let stream = opened[id], let part = stream.subscription.parts.firstIndex(where: { $0.name == name })
        else {
            return
        }
        stream.sources[part].isCountDue = false
        guard stream.subscription.parts[part].owesCount, stream.subscription.state.phase == .live else { return }
        do throws(LecternError) {
            let frames = try desk.recount(stream, part: part)
            stream.failures = 0
            perform(models.say(frames, to: stream.subscription, through: models.head))
        } catch {
            // The end of the right, or of the list, is told by itself.
            if !error.isNo { put(off: stream, id, error) }
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
