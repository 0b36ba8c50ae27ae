import Model
import SharedByTests
import Synchronization
import Testing

@testable import API

/// Tests of presence with a manual clock.
@Suite("Presence of readers")
struct PresenceStateTests {
    private final class Clock: Sendable {
        let milliseconds = Atomic<Int64>(1_000_000)
        func pass(seconds: Int64) { milliseconds.wrappingAdd(seconds * 1000, ordering: .relaxed) }
    }

    private let clock = Clock()
    private let presence: PresenceTracker
    private let club = (id: ResourceID(high: 1, low: 1), key: Int64(7))
    private let book = ResourceID(high: 2, low: 2)

    init() {
        presence = PresenceTracker(loops: 2) { [clock] in clock.milliseconds.load(ordering: .relaxed) }
    }

    private func viewer(_ key: Int64, token: UInt64 = 1, expiresAt: Instant? = nil) -> Viewer {
        Viewer(
            reader: ResourceID(high: 9, low: UInt64(key)), readerKey: key, role: .reader, access: .read,
            token: ResourceID(high: 8, low: token), expiresAt: expiresAt)
    }

    private func place(
        _ key: Int64, book: ResourceID? = nil, shares: Member.Sharing = .exact, isOfReading: Bool = false,
        asOf: Int64 = 10
    ) -> PresenceClubContext {
        var member = Member(
            club: club,
            reader: (ResourceID(high: 9, low: UInt64(key)), key), name: "R\(key)", role: .member,
            createdAt: Instant(milliseconds: 0))
        (member.shares, member.version) = (shares, 5)
        return PresenceClubContext(member: member, book: book, isOfReading: isOfReading, asOf: asOf)
    }

    private func change(_ resource: some Resource, _ operation: ChangeOperation, seq: Int64, _ scope: ChangeScope)
        -> Commit
    {
        let value = resource.encoded()
        return Commit(changes: [
            Change(
                seq: seq, transaction: seq, at: Instant(milliseconds: 0), kind: type(of: resource).kind,
                id: resource.id, scope: scope, operation: operation, changed: [],
                value: operation == .deleted ? nil : value, before: operation == .created ? nil : value)
        ])
    }

    private var names: [String] { presence.look(into: club.key).first.map(\.name).sorted() }

    @Test("A stream signals presence while its client is connected, and for a minute after")
    func streams() {
        presence.announce(.stream(1), viewer(1), at: [place(1)])
        for _ in 0..<10 {
            clock.pass(seconds: 15)
            presence.renew([(owner: 1, milliseconds: 0)])
            presence.sweep()
            #expect(names == ["R1"])
        }
        clock.pass(seconds: 15)
        // The client has not acknowledged the last bytes.
        presence.renew([(owner: 1, milliseconds: 15_000)])
        clock.pass(seconds: 44)
        presence.sweep()
        #expect(names == ["R1"])
        clock.pass(seconds: 1)
        presence.sweep()
        #expect(names == [] && presence.isEmpty)
    }

    @Test("A reader who returns within a minute stays present, at no further cost")
    func comingBack() {
        for owner in UInt64(1)...1000 {
            presence.announce(.stream(owner), viewer(1), at: [place(1, book: book)])
            presence.leave(owner)
        }
        _ = (presence.takeChanged(loop: 0), presence.takeChanged(loop: 1))
        clock.pass(seconds: 59)
        presence.announce(.stream(2000), viewer(1), at: [place(1, book: book)])
        clock.pass(seconds: 30)
        presence.sweep()
        #expect(names == ["R1"] && presence.takeChanged(loop: 0) == [])
        presence.leave(2000)
        clock.pass(seconds: 60)
        presence.sweep()
        #expect(names == [] && presence.takeChanged(loop: 0) == [7])
    }

    @Test("A stream that switches to another club signals presence there, and soon no longer at the former one")
    func moving() {
        var other = place(1)
        other = PresenceClubContext(
            member: Member(
                club: (club.id, 8), reader: (other.member.reader, 1), name: "R1",
                role: .member, createdAt: Instant(milliseconds: 0)),
            book: nil, isOfReading: false, asOf: 10)
        presence.announce(.stream(1), viewer(1), at: [place(1)])
        presence.announce(.stream(1), viewer(1), at: [other])
        #expect(names == ["R1"])
        clock.pass(seconds: 59)
        presence.renew([(owner: 1, milliseconds: 0)])
        clock.pass(seconds: 1)
        presence.sweep()
        #expect(names == [] && presence.look(into: 8).count == 1)
        presence.leave(1)
        clock.pass(seconds: 60)
        presence.sweep()
        #expect(presence.isEmpty)
    }

    @Test("A request signals presence for a minute, and no longer than its token is valid")
    func requests() {
        let now = Instant.now
        #expect(presence.announce(.requested(token: nil), viewer(1), at: [place(1)], now: now) == 60_000)
        let short = viewer(2, expiresAt: now.adding(seconds: 10))
        #expect(presence.announce(.requested(token: nil), short, at: [place(2)], now: now) == 10_000)
        clock.pass(seconds: 10)
        presence.sweep()
        #expect(names == ["R1"])
        presence.end(1, in: club.key)
        #expect(names == [])
        presence.announce(.stream(1), viewer(3, expiresAt: now.adding(seconds: 70)), at: [place(3)], now: now)
        clock.pass(seconds: 50)
        presence.renew([(owner: 1, milliseconds: 0)])
        presence.leave(1)
        clock.pass(seconds: 19)
        presence.sweep()
        #expect(names == ["R3"])
        clock.pass(seconds: 1)
        presence.sweep()
        #expect(names == [])
    }

    @Test("An open stream does not end the absence that its reader declared")
    func ended() {
        presence.announce(.stream(1), viewer(1), at: [place(1)])
        presence.end(1, in: club.key)
        presence.renew([(owner: 1, milliseconds: 0)])
        #expect(names == [])
    }

    @Test(
        "Others see as much of a reader's presence as the member shares",
        arguments: [
            (Member.Sharing.exact, true, true, true), (.milestones, true, true, false), (.finished, true, false, false),
            (.nothing, false, false, false),
        ])
    func sharing(_ shares: Member.Sharing, isThere: Bool, hasBook: Bool, hasSince: Bool) {
        presence.announce(.stream(1), viewer(1), at: [place(1, book: book, shares: shares)])
        let seen = presence.look(into: club.key)
        #expect(seen.count == (isThere ? 1 : 0))
        #expect((seen.first.first?.book != nil) == hasBook && (seen.first.first?.since != nil) == hasSince)
        #expect(presence.takeChanged(loop: 0) == (isThere ? [7] : []))
    }

    @Test("A presence becomes another at once, unless the known one is newer")
    func learning() {
        presence.announce(.stream(1), viewer(1), at: [place(1, book: book)])
        var member = place(1).member
        member.shares = .nothing
        presence.receive(change(member, .updated, seq: 4, .club(key: 7)))
        #expect(names == ["R1"])
        presence.receive(change(member, .updated, seq: 6, .club(key: 7)))
        #expect(names == [])
        (member.shares, member.name) = (.finished, "Ada")
        presence.receive(change(member, .updated, seq: 8, .club(key: 7)))
        #expect(names == ["Ada"])
    }

    @Test("Presence ends at once with the setting, the membership, the club and the token, and later presence stays")
    func ends() {
        var settings = Settings(CommonResourceFields(id: ResourceID(high: 9, low: 1)))
        settings.presence = false
        let member = place(1).member
        let token = Token(
            id: ResourceID(high: 8, low: 1), reader: (ResourceID(high: 9, low: 1), 1), name: "t", access: .read,
            expiresAt: nil, createdAt: Instant(milliseconds: 0))
        let club = Club(id: club.id, name: "C", createdAt: Instant(milliseconds: 0))
        let ends = [
            change(settings, .updated, seq: 20, .reader(key: 1)), change(member, .deleted, seq: 20, .club(key: 7)),
            change(club, .deleted, seq: 20, .club(key: 7)),
        ]
        for end in ends + [change(token, .deleted, seq: 20, .reader(key: 1))] {
            presence.announce(.stream(1), viewer(1), at: [place(1)])
            presence.receive(end)
            #expect(names == [], "\(end.changes[0].kind)")
        }
        for end in ends {
            presence.announce(.stream(1), viewer(1), at: [place(1, asOf: 20)])
            presence.receive(end)
            #expect(names == ["R1"], "\(end.changes[0].kind)")
        }
        settings.presence = true
        presence.receive(change(settings, .updated, seq: 30, .reader(key: 1)))
        presence.receive(change(token, .deleted, seq: 31, .reader(key: 1)))
        #expect(names == [])
    }

    @Test("A member who no longer reads a book along is not shown reading it; their presence in the club stays")
    func standing() {
        presence.announce(.stream(1), viewer(1), at: [place(1, book: book, isOfReading: true)])
        presence.announce(.stream(2), viewer(1), at: [place(1)])
        let start = Instant(milliseconds: 0)
        let run = ClubRun(
            id: book, club: club, book: Book(id: book, createdAt: start), place: 1, state: .current, createdAt: start)
        let member = Member(
            club: club, reader: (ResourceID(high: 9, low: 1), 1), name: "Ada", role: .member,
            createdAt: start)
        let standing = Standing(
            id: ResourceID(high: 5, low: 5), in: run, of: member, reading: book,
            createdAt: start)
        #expect(presence.look(into: 7).first.map(\.book) == [book])
        presence.receive(change(standing, .deleted, seq: 20, .club(key: 7)))
        #expect(presence.look(into: 7).first.map(\.book) == [nil])
    }

    @Test("Each event loop receives one notification for each club whose visible presence changes")
    func sending() {
        presence.announce(.stream(1), viewer(1), at: [place(1)])
        #expect(presence.takeChanged(loop: 0) == [7] && presence.takeChanged(loop: 1) == [7])
        presence.announce(.stream(2), viewer(1), at: [place(1)])
        presence.renew([(owner: 2, milliseconds: 0)])
        presence.leave(1)
        #expect(presence.takeChanged(loop: 0) == [] && presence.takeChanged(loop: 1) == [])
    }

    @Test("Of 10,000 present members the latest hundred are listed, and all are counted")
    func many() {
        for key in Int64(1)...10_000 {
            presence.announce(
                .requested(token: nil), viewer(key), at: [place(key)], now: Instant(milliseconds: key * 1000))
        }
        let seen = presence.look(into: club.key)
        #expect(seen.count == 10_000 && seen.first.map(\.name) == (0..<100).map { "R\(10_000 - $0)" })
        clock.pass(seconds: 60)
        presence.sweep()
        #expect(presence.isEmpty)
    }
}
