import API
import Foundation
import HTTPServer
import JSON
import Testing

@Suite("Sign-in links and previews of links")
struct SignInLinkTests {
    private let scenario: AccountScenario
    private let ben: String

    init() throws {
        scenario = try AccountScenario()
        ben = try #require(try scenario.register("Ben")["reader"]?.string)
    }

    private func secret(more: String = "") throws -> String {
        try scenario.link("{\"kind\":\"signin\",\"reader\":\"\(ben)\"\(more)}")
    }

    private func signIn(_ secret: String, more: String = "", fields: [String] = []) throws -> Answer {
        try scenario.service.send(
            "POST", "/v1/sessions", "{\"link\":\"\(secret)\"\(more)}", token: "", fields: fields)
    }

    @Test("A sign-in link opens one session of its reader, for a program or a browser")
    func once() throws {
        let first = try secret()
        let answer = try signIn(first, more: ",\"device\":\"phone\"")
        #expect(answer.status == 201 && answer["name"]?.string == "phone")
        let token = try #require(answer["token"]?.string)
        #expect(try scenario.service.send("GET", "/v1/me", token: token)["id"]?.string == ben)
        #expect(try signIn(first).pointers == ["/link"])
        #expect(try scenario.service.send("GET", "/v1/links")["items"]?.elements.map { $0 }.isEmpty == true)
        let kept = try signIn(try secret(), more: ",\"cookie\":true", fields: ["Origin: \(scenario.origin)"])
        #expect(kept.status == 201 && kept["token"] == nil && kept.fields["set-cookie"] != nil)
    }

    @Test("A page of another site, or a repeated request, does not use a link up")
    func foreign() throws {
        let link = try secret()
        let foreign = ["Origin: https://evil.example"]
        #expect(try signIn(link, more: ",\"cookie\":true", fields: foreign).status == 403)
        let repeated = ["Idempotency-Key: once"]
        #expect(try signIn(link, fields: repeated).status == 201)
        #expect(try signIn(link, fields: repeated).pointers == ["/link"])
    }

    @Test(
        "An invalid sign-in link, or one beside a name, signs nobody in",
        arguments: [
            (",\"name\":\"Ben\"", ["/link"]), (",\"password\":\"a rope of sand\"", ["/link"]),
            (",\"more\":1", ["/more"]),
        ])
    func refused(more: String, pointers: [String]) throws {
        let link = try secret()
        #expect(try signIn(link, more: more).pointers == pointers)
        #expect(try signIn("signin_none").pointers == ["/link"])
        #expect(try signIn(try scenario.link()).pointers == ["/link"])
        let reset = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(ben)\"}")
        #expect(try signIn(reset).pointers == ["/link"])
        let asReset = "{\"link\":\"\(link)\",\"password\":\"a rope of silk\"}"
        #expect(try scenario.service.send("POST", "/v1/password-resets", asReset, token: "").pointers == ["/link"])
        #expect(try signIn(link).status == 201)
    }

    @Test("A sign-in link ends within ten minutes, with its creator's role, and with the reader's password")
    func ends() throws {
        func body(_ seconds: Double) -> String {
            let end = Date().addingTimeInterval(seconds).formatted(.iso8601)
            return "{\"kind\":\"signin\",\"reader\":\"\(ben)\",\"expiresAt\":\"\(end)\"}"
        }
        #expect(try scenario.service.send("POST", "/v1/links", body(540)).status == 201)
        #expect(try scenario.service.send("POST", "/v1/links", body(700)).pointers == ["/expiresAt"])
        let token = try scenario.token("Ben")
        #expect(try scenario.service.send("POST", "/v1/links", body(60), token: token).status == 403)
        #expect(try scenario.service.send("POST", "/v1/links", "{\"kind\":\"signin\"}").pointers == ["/reader"])
        let link = try secret()
        let change = #"{"current":"a rope of sand","password":"a rope of silk"}"#
        #expect(try scenario.service.send("PUT", "/v1/me/password", change, token: token).status < 300)
        #expect(try signIn(link).pointers == ["/link"])
    }

    @Test("A suspended reader cannot use a sign-in link")
    func suspended() throws {
        let link = try secret()
        #expect(try scenario.service.send("PATCH", "/v1/readers/\(ben)", #"{"suspension":{}}"#).status == 200)
        #expect(try signIn(link)["type"]?.string == "/problems/reader-suspended")
    }

    @Test("The preview of a link shows who created it and what it does")
    func preview() throws {
        func preview(_ secret: String) throws -> Answer {
            try scenario.service.send("POST", "/v1/links/preview", "{\"link\":\"\(secret)\"}", token: "")
        }
        _ = try scenario.service.send("PATCH", "/v1/me", #"{"name":"Ada"}"#)
        let made = try scenario.service.send("POST", "/v1/clubs", #"{"name":"Tuesdays","description":"Tea."}"#)
        let club = try #require(made["id"]?.string)
        let other = try #require(try scenario.service.send("POST", "/v1/readers", #"{"name":"Cleo"}"#)["id"]?.string)
        let rows: [(String, String)] = [
            ("{}", #"{"kind":"invitation","maker":{"name":"Ada"},"club":null,"reader":null}"#),
            (
                "{\"club\":\"\(club)\"}",
                "{\"kind\":\"invitation\",\"maker\":{\"name\":\"Ada\"},\"club\":{\"id\":\"\(club)\","
                    + #""name":"Tuesdays","description":"Tea.","isArchived":false},"reader":null}"#
            ),
            (
                "{\"kind\":\"reset\",\"reader\":\"\(ben)\"}",
                #"{"kind":"reset","maker":{"name":"Ada"},"club":null,"reader":{"name":"Ben","signInName":"Ben"}}"#
            ),
            (
                "{\"kind\":\"signin\",\"reader\":\"\(other)\"}",
                #"{"kind":"signin","maker":{"name":"Ada"},"club":null,"reader":{"name":"Cleo","signInName":null}}"#
            ),
        ]
        for (body, text) in rows { #expect(try preview(try scenario.link(body)).text == text) }
        let used = try secret()
        _ = try signIn(used)
        #expect(try preview(used).pointers == ["/link"])
        #expect(try preview("invitation_none").pointers == ["/link"])
    }

    @Test("A page learns from the cookie who is signed in, and nothing about other readers")
    func whoIsHere() throws {
        func reader(_ fields: [String]) throws -> String? {
            let answer = try scenario.service.send("GET", "/v1/sign-in", token: "", fields: fields)
            #expect(answer.status == 200)
            return answer["reader"]?.string
        }
        let cookie = try scenario.cookie("Ben")
        #expect(try reader([cookie, "Sec-Fetch-Site: same-origin"]) == ben)
        #expect(try reader([]) == nil && reader([cookie + "x"]) == nil)
        #expect(try reader([cookie, "Sec-Fetch-Site: cross-site"]) == nil)
        let out = try scenario.service.send(
            "DELETE", "/v1/sessions", token: "", fields: [cookie, "Origin: \(scenario.origin)"])
        #expect(try out.status == 204 && reader([cookie]) == nil)
    }

    @Test("The first start's link creates the administrator's account, once")
    func administrator() throws {
        let url = try scenario.service.issueAdministratorLink()
        let parts = url.split(separator: "#").map(String.init)
        #expect(parts[0] == "\(scenario.origin)/sign-in")
        let body = "{\"link\":\"\(parts[1])\",\"name\":\"ada\",\"password\":\"a rope of sand\"}"
        let answer = try scenario.service.send("POST", "/v1/password-resets", body, token: "")
        let token = try #require(answer["token"]?.string)
        #expect(try scenario.service.send("GET", "/v1/me", token: token)["role"]?.string == "administrator")
        #expect(try scenario.service.send("POST", "/v1/password-resets", body, token: "").pointers == ["/link"])
    }
}
