import SharedByTests
import Testing

@testable import API

@Suite("The paces of a large club's run")
struct SharedPaceTests {
    @Test("A change in the club makes the figures of all members once, and no pace is older than its snapshot")
    func once() throws {
        let scenario = try PaceScenario()
        let path = "/v1/clubs/\(scenario.club)/runs/\(scenario.run)/pace"
        try scenario.pipeline.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO readers (id, version, name, role, created_at, updated_at)
                SELECT randomblob(16), 1, 'Many', 'reader', 0, 0 FROM n;
            INSERT INTO members (id, version, club, reader, name, role, shares, created_at, updated_at)
                SELECT randomblob(16), 1, (SELECT key FROM clubs), key, name, 'member', 'exact', 0, 0
                FROM readers WHERE name = 'Many';
            INSERT INTO standings (id, version, run, member, name, reading, progress, created_at, updated_at)
                SELECT randomblob(16), 1, (SELECT key FROM runs), key, name, randomblob(16), key * 40, 0, 0
                FROM members WHERE name = 'Many';
            """)
        func measure(as name: String, _ zone: String, _ shown: String, receives: Bool = true) throws -> Int64 {
            if receives { try scenario.receive() }
            let began = threadNanoseconds()
            let answer = try scenario.pipeline.send("GET", path, as: name)
            let time = threadNanoseconds() - began
            #expect(scenario.shown("timeZone standings shown finished", of: answer) == "\(zone) \(shown)")
            return time
        }
        for (name, zone) in [("ada", "UTC"), ("ben", "Pacific/Kiritimati")] {
            let answer = try scenario.pipeline.send("PATCH", "/v1/settings", #"{"timeZone":"\#(zone)"}"#, as: name)
            #expect(answer.status == 200)
        }
        let first = try measure(as: "ada", "UTC", "20000 20000 0")
        #expect(try measure(as: "ben", "Pacific/Kiritimati", "20000 20000 0") < first / 4)
        // Changes elsewhere do not matter.
        _ = try scenario.pipeline.make("/v1/books", #"{"title":"Emma"}"#, as: "admin")
        #expect(try measure(as: "ada", "UTC", "20000 20000 0") < first / 4)
        // A snapshot with a commit that the pipeline has not received yet is read again, and so is one after it.
        let club = "/v1/clubs/\(scenario.club)"
        for receives in [false, true] {
            // Members who share nothing have a standing.
            let name = receives ? "ben" : "ada"
            #expect(try scenario.pipeline.send("POST", "\(club)/standings", "{}", as: name).status == 201)
            let (zone, count) = (receives ? "Pacific/Kiritimati" : "UTC", receives ? 20002 : 20001)
            _ = try measure(as: name, zone, "\(count) 20000 0", receives: receives)
            try scenario.receive()
        }
    }
}
