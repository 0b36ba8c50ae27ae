import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of presence in a club. A token with read access suffices, because nothing is stored.
extension Route {
    static let presence: [Route] = [
        Route(.get, "/v1/clubs/{id}/presence", "getPresence", watching: .whole) { call throws(RequestError) in
            let (id, viewer, presence, epoch) = (
                try call.id(0), call.viewer, call.service.presence, call.pipeline.epoch
            )
            let (reads, club) = (call.reads, try call.club(.see))
            return .list(.view(of: [.presence(club.key)], club: club.key, isFullyLogged: false)) {
                () throws(RequestError) in
                let club = try reads.club(id, for: viewer, to: .see)
                let (count, first) = presence.look(into: club.key)
                let seq = try reads.lastSeq(of: club.scope, seenBy: viewer)
                return ListPage(whole: first).encoded(epoch, seq: seq, extra: ("count", Int64(count))) {
                    $1.object($0.write)
                }
            }
        },
        Route(.put, "/v1/clubs/{id}/presence", "putPresence", access: .read) { call throws(RequestError) in
            let (draft, viewer) = (try PresenceDraft(call.json()), call.viewer)
            let (club, reads) = (try call.club(.see), call.reads)
            let place = try reads.read { () throws(RequestError) in
                guard try reads.settings(of: viewer.readerKey)?.presence ?? false else {
                    throw RequestError.refused(
                        .presenceOff, "Your setting presence is off. Turn it on with PATCH /v1/settings.")
                }
                return try draft.place(in: club, for: viewer, reads)
            }
            let signal = PresenceSignal.requested(token: viewer.token)
            guard let left = call.service.presence.announce(signal, viewer, at: [place], now: call.now) else {
                throw .exceeded(
                    .tooManyRequests, limit: "presentMax", max: PresenceTracker.presentMax,
                    "Too many readers are present in all clubs together.",
                    retryAfterSeconds: 60)
            }
            let expiry = Instant(milliseconds: call.now.milliseconds + left)
            return .json { $0.member("expiresAt", expiry) }
        },
        Route(.delete, "/v1/clubs/{id}/presence", "deletePresence", access: .read) { call throws(RequestError) in
            call.service.presence.end(call.viewer.readerKey, in: try call.club(.see).key)
            return .document(.nothing)
        },
    ]
}

/// A reader's presence as a request describes it.
struct PresenceDraft: RequestBody {
    /// A book on the club's list, or `nil` for no particular book.
    let book: ResourceID?
    /// One of the reader's own readings that the club follows, or `nil`.
    let reading: ResourceID?

    init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        book = decoder.id("book")
        reading = decoder.id("reading")
        if book != nil, reading != nil { decoder.refuse("reading", "must not be given with book") }
    }

    /// Returns the presence to announce: the viewer's membership of the club, and the book that they read there.
    fileprivate func place(
        in club: Club, for viewer: Viewer, _ reads: ReadConnection
    ) throws(RequestError) -> PresenceClubContext {
        let places = try reads.places(of: viewer.readerKey, in: [club.key], reading: reading.map { [$0] } ?? [])
        guard var place = places.first(where: { $0.member.clubKey == club.key }) else { throw .notFound }
        if let book {
            guard try reads.has(book, inRunsOfClub: club.key) else {
                throw .violation("/book", "is not on the club's reading list")
            }
            place.book = book
        }
        guard reading == nil || place.isOfReading else {
            throw .violation("/reading", "must be one of your readings that the club follows")
        }
        return place
    }
}
