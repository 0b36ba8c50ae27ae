import JSON
import Model
import Observation
import SharedByTests
import Testing

@testable import LecternClient

@Suite("Observable resources of the client", .ownProcess("LecternClientTests.ObservableTests"))
@MainActor
struct ObservableTests {
    private static let id = ResourceID("0199b7a2-5f0e-7c3a-9d41-6b8e2f10c4d7")!
    private static let ids = (0..<9).map { ResourceID(high: 7, low: $0) }

    private static func client(_ server: ScriptedServer) throws -> LecternClient {
        try LecternClient("http://127.0.0.1:\(server.port)", token: "secret")
    }

    private static func club(_ version: Int64, _ name: String, _ id: ResourceID = id) -> String {
        var club = Club(id: id, name: name, createdAt: Instant(milliseconds: 0))
        club.version = version
        return String(decoding: club.encoded(), as: UTF8.self)
    }

    private static func snapshot(_ version: Int64, _ name: String) -> String {
        "id: 7c9e6679-\(version)\nevent: snapshot\ndata: \(club(version, name))\n\n"
    }

    private static func event(
        _ name: String, _ seq: Int64, _ id: ResourceID = id, _ more: String = "", _ text: String = "x"
    ) -> String {
        let value = name == "leave" || name == "deleted" ? "" : ",\"value\":\(club(seq, text, id))"
        return "id: 7c9e6679-\(seq)\nevent: \(name)\n"
            + "data: {\"seq\":\(seq),\"resource\":\"club\",\"id\":\"\(id)\"\(more)\(value)}\n\n"
    }

    @Test("An observable resource has the current value, keeps it while the server is away, and becomes live again")
    func offline() async throws {
        let server = ScriptedServer([
            .stream(Self.snapshot(5, "Tuesdays")), .status("503 Service Unavailable"),
            .status("503 Service Unavailable"),
            .stream(Self.event("updated", 6, Self.id, "", "Mondays"), staysOpen: true),
        ])
        let club = ObservableClub(try Self.client(server), id: Self.id)
        #expect(club.value == nil)
        #expect(await comesTrue { club.value?.name == "Tuesdays" })
        #expect(
            await comesTrue {
                if case .offline = club.state { return club.value?.name == "Tuesdays" }
                return false
            })
        #expect(await comesTrue { club.value?.name == "Mondays" && club.value?.version == 6 })
        #expect(
            await comesTrue {
                if case .live = club.state { return true }
                return false
            })
        #expect(server.requests[0].hasPrefix("GET /v1/clubs/\(Self.id) "))
    }

    @Test("A view is notified of a change")
    func received() async throws {
        let server = ScriptedServer([.stream(Self.snapshot(5, "Tuesdays"), staysOpen: true)])
        let club = ObservableClub(try Self.client(server), id: Self.id)
        await confirmation { confirm in
            withObservationTracking {
                _ = club.value
            } onChange: {
                confirm()
            }
            _ = await comesTrue { club.value != nil }
        }
    }

    @Test("An observable resource closes its connection with its last reference")
    func lettingGo() async throws {
        let server = ScriptedServer([.stream(Self.snapshot(5, "Tuesdays"), staysOpen: true)])
        var club: ObservableClub? = ObservableClub(try Self.client(server), id: Self.id)
        #expect(await comesTrue { club?.value != nil })
        club = nil
        #expect(await comesTrue { server.wasLeft })
    }

    @Test("An observable resource ends with the server's refusal and its reason, and is nil when deleted")
    func ending() async throws {
        let server = ScriptedServer([
            .stream(Self.snapshot(5, "Tuesdays") + Self.event("deleted", 6)), .status("404 Not Found"),
        ])
        let club = ObservableClub(try Self.client(server), id: Self.id)
        #expect(
            await comesTrue {
                if case .ended(.failed(.refused(let problem))) = club.state { return problem.status == 404 }
                return false
            })
        #expect(club.value == nil)
    }

    @Test("Writes use the shown value one after the other, and later events of the stream do not undo them")
    func writing() async throws {
        let server = ScriptedServer([
            .stream(
                Self.snapshot(5, "Tuesdays"),
                then: Self.event("updated", 8, Self.id, "", "Mondays")
                    + Self.event("updated", 10, Self.id, "", "Sundays"),
                staysOpen: true),
            .status("200 OK", "ETag: \"7c9e6679-8\"\r\n", body: Self.club(8, "Mondays")),
            .status("200 OK", "ETag: \"7c9e6679-9\"\r\n", body: Self.club(9, "Fridays")),
        ])
        let club = ObservableClub(try Self.client(server), id: Self.id)
        await #expect(throws: LecternClientError.self) { try await club.update { $0.name = "early" } }
        #expect(await comesTrue { club.value != nil })
        let first = Task { try await club.update { $0.name = "Mondays" } }
        let second = Task {
            try await club.update {
                $0.name = "Fridays"
                $0.countsAhead = true
            }
        }
        try await first.value
        try await second.value
        #expect(club.value?.version == 9)
        let writes = server.requests.dropFirst()
        #expect(writes.allSatisfy { $0.hasPrefix("PATCH /v1/clubs/\(Self.id) ") })
        #expect(writes.map { $0.contains("If-Match: \"7c9e6679-5\"\r\n") } == [true, false])
        #expect(writes.map { $0.contains("If-Match: \"7c9e6679-8\"\r\n") } == [false, true])
        #expect(writes.map { $0.hasSuffix("\r\n\r\n{\"name\":\"Mondays\"}") } == [true, false])
        #expect(writes.map { $0.hasSuffix("{\"name\":\"Fridays\",\"countsAhead\":true}") } == [false, true])
        server.proceed()
        var shown: [Int64] = []
        #expect(
            await comesTrue {
                shown.append(club.value?.version ?? 0)
                return club.value?.name == "Sundays"
            })
        #expect(Set(shown).isSubset(of: [9, 10]))
        // A change without a difference is not sent.
        try await club.update { _ in }
    }

    @Test("A write of a changed value is refused by name, and brings the current one")
    func moved() async throws {
        let problem =
            "{\"type\":\"/problems/precondition-failed\",\"detail\":\"d\",\"current\":\(Self.club(7, "Mondays"))}"
        let server = ScriptedServer([
            .stream(Self.snapshot(5, "Tuesdays"), staysOpen: true),
            .status("412 Precondition Failed", "ETag: \"7c9e6679-7\"\r\n", body: problem),
            .status("200 OK", "ETag: \"7c9e6679-8\"\r\n", body: Self.club(8, "Fridays")),
        ])
        let club = ObservableClub(try Self.client(server), id: Self.id)
        #expect(await comesTrue { club.value != nil })
        do throws(LecternClientError) {
            try await club.update { $0.name = "Fridays" }
            Issue.record("it was not refused")
        } catch {
            guard case .outdated(let problem) = error else { throw error }
            #expect(problem.kind == .preconditionFailed)
        }
        #expect(club.value?.name == "Mondays")
        try await club.update { $0.name = "Fridays" }
        #expect(club.value?.name == "Fridays" && server.requests[2].contains("If-Match: \"7c9e6679-7\"\r\n"))
    }

    private static func page(_ seq: Int, _ numbers: [Int]) -> String {
        let items = numbers.map { club(1, "\($0)", ids[$0]) }.joined(separator: ",")
        return "{\"items\":[\(items)],\"next\":null,\"seq\":\(seq),\"after\":\"7c9e6679-\(seq)\"}"
    }

    private static func numbers(_ list: ObservableList<Club>) -> [Int] { list.items.map { ids.firstIndex(of: $0.id)! } }

    @Test("An observable list has its members in the server's order")
    func placing() async throws {
        let before = ",\"before\":\"\(Self.ids[1])\""
        let server = ScriptedServer([
            .stream(
                "id: 7c9e6679-5\nevent: snapshot\ndata: \(Self.page(5, [0, 1, 2]))\n\n"
                    + Self.event("enter", 6, Self.ids[3], before)
                    + Self.event("enter", 7, Self.ids[4], ",\"before\":null")
                    + Self.event("updated", 8, Self.ids[2], ",\"before\":\"\(Self.ids[4])\"", "two")
                    + Self.event("updated", 9, Self.ids[0], before)
                    + Self.event("leave", 10, Self.ids[4]), staysOpen: true)
        ])
        let list = ObservableList<Club>(try Self.client(server), path: "/v1/clubs?limit=3")
        #expect(await comesTrue { Self.numbers(list) == [3, 0, 1, 2] })
        #expect(list.items.last?.name == "two" && server.requests.count == 1)
    }
}
