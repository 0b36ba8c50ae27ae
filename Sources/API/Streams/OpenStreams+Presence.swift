import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// Presence of readers by their streams.
extension OpenStreams {
    /// Announces the reader of a stream if URLs have begun since the last time.
    func announceIfBegun(_ id: ConnectionID) {
        guard let stream = opened[id], stream.hasBegun else { return }
        stream.hasBegun = false
        announce(id)
    }

    /// Announces a stream's reader as present in the clubs that the stream now watches, or that follow a reading it
    /// watches.
    func announce(_ id: ConnectionID) {
        guard let stream = opened[id] else { return }
        let subscription = stream.subscription
        let (viewer, clubs, readings) = (subscription.viewer, subscription.clubs, subscription.readings)
        guard !clubs.isEmpty || !readings.isEmpty || stream.isAnnounced else { return }
        do throws(RequestError) {
            let places = try pipeline.reads.read { () throws(RequestError) in
                try pipeline.reads.places(of: viewer.readerKey, in: clubs, reading: readings)
            }
            if !places.isEmpty {
                service.presence.announce(.stream(subscription.owner), viewer, at: places)
            } else if stream.isAnnounced {
                service.presence.leave(subscription.owner)
            }
            stream.isAnnounced = !places.isEmpty
        } catch {
            service.log.error("cannot read the presence of a stream's reader: \(error)")
        }
    }

    /// Announces the streams of readers who have just turned on presence, or joined a run.
    func announce(after commit: Commit) {
        for change in commit.changes where change.kind == .settings || change.kind == .standing {
            guard !opened.isEmpty, change.operation != .deleted,
                change.kind == .settings || change.operation == .created
            else { continue }
            let reader =
                change.kind == .settings
                ? change.id : change.representation?["reader"].flatMap { ResourceID(json: $0) }
            for (id, stream) in opened where stream.subscription.viewer.reader == reader { announce(id) }
        }
    }

    /// Renews a share of the streams' leases, once a second, and requests new views of changed presence.
    func tickPresence(now: Int64) {
        let presence = service.presence
        let (second, period) = (UInt64(bitPattern: now / 1000), presence.renewalSeconds)
        var acknowledged: [(owner: UInt64, milliseconds: Int64)] = []
        for (id, stream) in opened where stream.isAnnounced && stream.subscription.owner % period == second % period {
            if let milliseconds = loop.millisecondsSinceLastAck(id) {
                acknowledged.append((stream.subscription.owner, milliseconds))
            }
        }
        if !acknowledged.isEmpty { presence.renew(acknowledged) }
        presence.sweep()
        for club in presence.takeChanged(loop: loop.index) { renew(.presence(club)) }
    }
}

extension Subscription {
    /// The keys of the clubs that the subscription watches.
    fileprivate var clubs: Set<Int64> { Set(urls.compactMap(\.group)) }

    /// The readings that the subscription watches, as readings, cards or lists of entries.
    fileprivate var readings: Set<ResourceID> {
        Set(
            topics.compactMap { topic in
                switch topic {
                case .resource(.reading, let id), .resource(.card, let id): id
                default: nil
                }
            })
    }
}

extension ReadConnection {
    /// Returns the clubs, each with a book if known, in which a reader who watches these clubs and readings is present.
    /// Returns none if the reader has turned off presence.
    func places(
        of reader: Int64, in clubs: Set<Int64>, reading readings: Set<ResourceID>
    ) throws(RequestError) -> [PresenceClubContext] {
        guard try settings(of: reader)?.presence ?? false else { return [] }
        let asOf = try head()
        var places: [Int64: PresenceClubContext] = [:]
        for club in clubs {
            guard let member = try member(reader, ofClub: club) else { continue }
            places[club] = PresenceClubContext(member: member, book: nil, isOfReading: false, asOf: asOf)
        }
        for reading in readings {
            for (member, book) in try self.clubs(following: reading, of: reader) {
                places[member.clubKey] = PresenceClubContext(member: member, book: book, isOfReading: true, asOf: asOf)
            }
        }
        return Array(places.values)
    }
}
