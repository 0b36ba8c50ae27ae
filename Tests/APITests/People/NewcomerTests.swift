import JSON
import Model
import SharedByTests
import Testing

@testable import API

@Suite("Open registration", .serialized, .ownThreads)
struct RegistrationLimitTests {
    @Test("A registration beyond the limit is refused, but not one with a link or an account")
    func bounded() throws {
        let scenario = try AccountScenario { $0.registrationsPerHour = 2 }
        for name in ["Ben", "Cleo"] { #expect(try scenario.register(name).status == 201) }
        let refused = try scenario.register("Dora")
        #expect(refused.status == 429 && refused["limit"]?["name"]?.string == "registrationsPerHour", "\(refused.text)")
        #expect((1790...1800).contains(Int(refused.fields["retry-after"] ?? "") ?? 0))
        #expect(try scenario.register("Dora", more: ",\"link\":\"\(scenario.link())\"").status == 201)
        #expect(try scenario.signIn("Ben").status == 201)
    }

    @Test("Only completed registrations are counted, not those whose name was taken meanwhile")
    func counted() throws {
        let scenario = try AccountScenario { $0.passwordMebibytes = 32 }
        let body = "{\"name\":\"ben\",\"password\":\"a rope of sand\"}"
        let wires = try (0..<2).map { _ in try Wire(scenario.service) }
        // Both requests are checked before the hash of the first is created.
        for wire in wires {
            wire.send(
                "POST /v1/accounts HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
        let statuses = wires.map { String($0.read(until: "}").dropFirst(9).prefix(3)) }
        #expect(statuses.sorted() == ["201", "409"])
        #expect(try scenario.service.metric("lectern_registrations_total") == 1)
    }
}
