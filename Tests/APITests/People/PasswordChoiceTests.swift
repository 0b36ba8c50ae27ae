import API
import JSON
import Testing

@Suite("Chosen passwords")
struct PasswordChoiceTests {
    @Test("A registration refuses common passwords, sequences, and the names of the reader, club or server")
    func registering() throws {
        let scenario = try AccountScenario { $0.guessesAreSlowed = false }
        for refused in ["password", "12345678", "        ", "Lectern2026", "BenJamin1"] {
            let answer = try scenario.register("benjamin", refused)
            #expect(answer.status == 422 && answer.pointers == ["/password"], "\(refused): \(answer.text)")
        }
        let named = ",\"readerName\":\"Zorba Buddha\""
        #expect(try scenario.register("benjamin", "zorbabuddha1", more: named).pointers == ["/password"])
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Hundred Years\"}")
        let link = ",\"link\":\"\(try scenario.link("{\"club\":\"\(club)\"}"))\""
        #expect(try scenario.register("benjamin", "hundredyears1967", more: link).pointers == ["/password"])
        #expect(try scenario.register("benjamin", "a rope of sand", more: link).status == 201)
    }

    @Test("A changed password, or the first one by a link, has the same rules")
    func choosing() throws {
        let scenario = try AccountScenario { $0.guessesAreSlowed = false }
        let ben = try #require(try scenario.register("Benjamin")["token"]?.string)
        let me = try #require(try scenario.service.send("GET", "/v1/me", token: ben)["id"]?.string)
        _ = try scenario.service.make("/v1/clubs", "{\"name\":\"Hundred Years\"}", token: ben)
        let link = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(me)\"}")
        for refused in ["password", "qwertyuiop", "benjamin99", "hundred years"] {
            let change = "{\"current\":\"a rope of sand\",\"password\":\"\(refused)\"}"
            #expect(try scenario.service.send("PUT", "/v1/me/password", change, token: ben).pointers == ["/password"])
            let reset = "{\"link\":\"\(link)\",\"password\":\"\(refused)\"}"
            #expect(
                try scenario.service.send("POST", "/v1/password-resets", reset, token: "").pointers == ["/password"])
        }
        let reset = "{\"link\":\"\(link)\",\"password\":\"another rope\"}"
        #expect(try scenario.service.send("POST", "/v1/password-resets", reset, token: "").status == 201)
    }
}
