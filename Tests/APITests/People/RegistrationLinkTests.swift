import API
import JSON
import Store
import Testing

@Suite("Registration links")
struct RegistrationLinkTests {
    private func scenario(_ makers: RegistrationLinkCreators) throws -> AccountScenario {
        try AccountScenario {
            $0.registration = .invited
            $0.linkMakers = makers
        }
    }

    @Test("By default readers create no registration links, not even club owners, whose invitations admit accounts")
    func administrators() throws {
        let scenario = try AccountScenario { $0.registration = .invited }
        let (ada, ben) = (try scenario.service.reader("Ada"), try scenario.service.reader("Ben"))
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: ada)
        let refused = try scenario.service.send("POST", "/v1/links", "{\"club\":\"\(club)\"}", token: ada)
        #expect(refused.status == 403 && refused["type"]?.string == "/problems/administrators-only", "\(refused.text)")
        #expect(refused["detail"]?.string?.contains("POST /v1/clubs/\(club)/invitations") == true)
        let code = try scenario.service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ada)["code"]?.string
        let joined = try scenario.service.send(
            "POST", "/v1/memberships", "{\"invitation\":\"\(code ?? "")\"}", token: ben)
        #expect(joined.status == 201, "\(joined.text)")
        // An administrator's link into their own club also registers people.
        let own = try scenario.service.make("/v1/clubs", "{\"name\":\"All\"}")
        let link = try scenario.link("{\"club\":\"\(own)\"}")
        #expect(try scenario.register("Cleo", more: ",\"link\":\"\(link)\"").status == 201)
    }

    @Test("A reader's link closes when readers may no longer create any, and an administrator's stays open")
    func afterwards() throws {
        let scenario = try scenario(.readers)
        let ada = try scenario.service.reader("Ada")
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: ada)
        let (first, second) = try (
            scenario.link("{\"club\":\"\(club)\"}", token: ada), scenario.link("{\"club\":\"\(club)\"}", token: ada)
        )
        #expect(try scenario.register("Ben", more: ",\"link\":\"\(first)\"").status == 201)
        let administrators = try scenario.link()
        try scenario.service.restart { $0.accounts.passwordMebibytes = 1 }
        #expect(try scenario.register("Cleo", more: ",\"link\":\"\(second)\"").pointers == ["/link"])
        #expect(try scenario.register("Cleo", more: ",\"link\":\"\(administrators)\"").status == 201)
    }

    @Test("A link that cannot be used now has no preview, and works again when its maker may create it again")
    func preview() throws {
        let scenario = try scenario(.readers)
        let service = scenario.service
        let (ada, cleo) = (try service.reader("Ada"), try service.reader("Cleo"))
        let cleoID = try service.send("GET", "/v1/me", token: cleo)["id"]?.string ?? ""
        let club = "/v1/clubs/" + (try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: ada))
        let code = try service.send("POST", "\(club)/invitations", "{}", token: ada)["code"]?.string ?? ""
        _ = try service.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", token: cleo)
        func become(_ role: String) throws {
            let body = "{\"role\":\"\(role)\"}"
            #expect(try service.send("PATCH", "\(club)/members/\(cleoID)", body, token: ada).status == 200)
        }
        func patch(isArchived: Bool) throws {
            #expect(try service.send("PATCH", club, "{\"isArchived\":\(isArchived)}", token: ada).status == 200)
        }
        try become("moderator")
        let link = try scenario.link("{\"club\":\"\(club.dropFirst(10))\"}", token: cleo)
        func checkRefusal() throws {
            let preview = try service.send("POST", "/v1/links/preview", "{\"link\":\"\(link)\"}", token: "")
            let use = try scenario.register("Dan", more: ",\"link\":\"\(link)\"")
            #expect(preview.status == 422 && preview["violations"] == use["violations"], "\(preview.text)")
            #expect(use.text.contains("its maker"), "\(use.text)")
        }
        try become("member")
        try checkRefusal()
        try become("moderator")
        try patch(isArchived: true)
        try checkRefusal()
        try patch(isArchived: false)
        let preview = try service.send("POST", "/v1/links/preview", "{\"link\":\"\(link)\"}", token: "")
        #expect(preview.status == 200 && preview["maker"]?["name"]?.string == "Cleo", "\(preview.text)")
        #expect(try service.send("DELETE", "\(club)/members/\(cleoID)", token: cleo).status == 204)
        try checkRefusal()
    }

    @Test("While registration is closed, an invitation has no preview, but a link to set a password has one")
    func closed() throws {
        let scenario = try scenario(.readers)
        let reader = try scenario.service.make("/v1/readers", "{\"name\":\"Ben\"}")
        let links = try [scenario.link(), scenario.link("{\"kind\":\"signin\",\"reader\":\"\(reader)\"}")]
        func previews() throws -> [Int] {
            try links.map {
                try scenario.service.send("POST", "/v1/links/preview", "{\"link\":\"\($0)\"}", token: "").status
            }
        }
        #expect(try previews() == [200, 200])
        try scenario.service.restart { $0.accounts.registration = .closed }
        #expect(try previews() == [422, 200])
    }

    @Test("No managed account creates a registration link, whatever the setting")
    func managed() throws {
        let scenario = try scenario(.readers)
        let guardian = try scenario.service.make("/v1/readers", "{\"name\":\"Vera\"}")
        let ida = try scenario.service.reader("Ida", more: ",\"guardian\":\"\(guardian)\"")
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Class 7\"}", token: ida)
        let refused = try scenario.service.send("POST", "/v1/links", "{\"club\":\"\(club)\"}", token: ida)
        #expect(refused.status == 403 && refused["detail"]?.string?.contains("managed") == true, "\(refused.text)")
        #expect(try scenario.service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ida).status == 201)
    }
}
