import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Who may not come in for now", .serialized)
struct SuspensionTests {
    @Test(
        "is refused with every token and on every stream, until an administrator lifts it; the last administrator stays"
    )
    func suspended() throws {
        let service = try TestService()
        let ben = try service.reader("ben")
        let me = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        let stream = try StreamReader(service, "/v1/me", token: ben)
        #expect(eventually { stream.isOpen })
        let path = "/v1/readers/\(me)/suspension"
        #expect(try service.send("GET", path).status == 404)
        #expect(try service.send("PUT", path, #"{"reason":"Spam"}"#, token: ben).status == 403)
        let made = try service.send("PUT", path, #"{"reason":"Spam"}"#)
        #expect(made.status == 201 && made["id"]?.string == me && made["reason"]?.string == "Spam")
        #expect(eventually { !stream.isOpen })
        let refused = try service.send("GET", "/v1/me", token: ben)
        #expect(refused.status == 403 && refused["type"]?.string == "/problems/reader-suspended")
        let again = try service.send("PUT", path, "{}")
        #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true")
        let listed = try service.send("GET", "/v1/suspensions")["items"].map { Array($0.elements).count }
        #expect(listed == 1)
        #expect(try service.send("DELETE", path).status == 204)
        #expect(try service.send("GET", "/v1/me", token: ben).status == 200)

        let own = try service.send("GET", "/v1/me")["id"]?.string ?? ""
        let last = try service.send("PUT", "/v1/readers/\(own)/suspension", "{}")
        #expect(last.status == 409 && last["type"]?.string == "/problems/last-administrator")
        #expect(try service.send("DELETE", "/v1/readers/\(own)").status == 409)
        // Another administrator who is suspended is none who may come in.
        _ = try service.send("PATCH", "/v1/readers/\(me)", #"{"role":"administrator"}"#)
        _ = try service.send("PUT", path, "{}")
        #expect(try service.send("DELETE", "/v1/me?confirm=administrator").status == 409)
        #expect(try service.send("DELETE", path).status == 204)
        #expect(try service.send("DELETE", "/v1/me?confirm=administrator").status == 204)
        #expect(try service.send("GET", "/v1/readers", token: ben).status == 200)
    }

    @Test("leaves no way in behind: no link to somebody else's password, and no address of a calendar")
    func waysIn() throws {
        let service = try TestService()
        let (ada, ben) = (try service.reader("ada"), try service.reader("ben"))
        let adas = try service.send("GET", "/v1/me", token: ada)["id"]?.string ?? ""
        let bens = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        _ = try service.send("PATCH", "/v1/readers/\(bens)", #"{"role":"administrator"}"#)
        let link = try service.send("POST", "/v1/links", #"{"kind":"reset","reader":"\#(adas)"}"#, token: ben)
        let secret = try #require(link["url"]?.string?.split(separator: "#").last)
        let club = try service.make("/v1/clubs", #"{"name":"Tuesdays"}"#, token: ben)
        let address = try service.send("POST", "/v1/clubs/\(club)/calendars", token: ben)
        let path = try #require(address["path"]?.string)
        #expect(try service.send("GET", path, token: "").status == 200)

        #expect(try service.send("PUT", "/v1/readers/\(bens)/suspension", "{}").status == 201)
        let body = #"{"link":"\#(secret)","name":"ada","password":"correct horse","device":"phone"}"#
        let reset = try service.send("POST", "/v1/password-resets", body, token: "")
        #expect(reset.status == 422, "\(reset.text)")
        #expect(try service.send("GET", path, token: "").status == 404)
        // What was open then is closed for good; an address is its member's, who comes in again.
        #expect(try service.send("DELETE", "/v1/readers/\(bens)/suspension").status == 204)
        #expect(try service.send("POST", "/v1/password-resets", body, token: "").status == 422)
        #expect(try service.send("GET", path, token: "").status == 200)
    }
}
