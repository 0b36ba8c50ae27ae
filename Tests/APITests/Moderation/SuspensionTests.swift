import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Suspended readers", .serialized)
struct SuspensionTests {
    @Test(
        "A suspension refuses every token and stream until an administrator lifts it; the last administrator cannot be suspended"
    )
    func suspended() throws {
        let service = try TestService()
        let ben = try service.reader("ben")
        let me = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        let stream = try StreamReader(service, "/v1/me", token: ben)
        #expect(eventually { stream.isOpen })
        let path = "/v1/readers/\(me)"
        let (suspending, lifting) = (#"{"suspension":{}}"#, #"{"suspension":null}"#)
        #expect(try service.send("GET", path)["suspension"] == nil)
        #expect(try service.send("PATCH", path, suspending, token: ben).status == 403)
        #expect(try service.send("PATCH", "/v1/me", suspending, token: ben).pointers == ["/suspension"])
        #expect(try service.send("POST", "/v1/readers", #"{"name":"x","suspension":{}}"#).pointers == ["/suspension"])
        let long = String(repeating: "x", count: 1001)
        let wrong = try service.send("PATCH", path, #"{"suspension":{"reason":"\#(long)","since":1}}"#)
        #expect(wrong.pointers == ["/suspension/reason", "/suspension/since"], "\(wrong.text)")
        let made = try service.send("PATCH", path, #"{"suspension":{"reason":"Spam"}}"#)
        #expect(made.status == 200 && made["suspension"]?["reason"]?.string == "Spam", "\(made.text)")
        #expect(eventually { !stream.isOpen })
        let refused = try service.send("GET", "/v1/me", token: ben)
        #expect(refused.status == 403 && refused["type"]?.string == "/problems/reader-suspended")
        let again = try service.send("PATCH", path, suspending)
        #expect(again.status == 200 && again.fields["lectern-unchanged"] == "true" && again.text == made.text)
        let listed = try service.send("GET", "/v1/readers?isSuspended=true")["items"]?.elements.map { $0["id"]?.string }
        #expect(listed == [me])
        #expect(try service.send("GET", "/v1/readers?isSuspended=false").status == 400)
        #expect(try service.send("PATCH", path, lifting)["suspension"] == nil)
        #expect(try service.send("GET", "/v1/me", token: ben).status == 200)

        let own = try service.send("GET", "/v1/me")["id"]?.string ?? ""
        let last = try service.send("PATCH", "/v1/readers/\(own)", suspending)
        #expect(last.status == 409 && last["type"]?.string == "/problems/last-administrator")
        #expect(try service.send("DELETE", "/v1/readers/\(own)?confirm=administrator").status == 409)
        // A suspended administrator does not count as another administrator with access.
        _ = try service.send("PATCH", "/v1/readers/\(me)", #"{"role":"administrator"}"#)
        #expect(try service.send("PATCH", path, suspending).status == 200)
        #expect(try service.send("DELETE", "/v1/readers/\(own)?confirm=administrator").status == 409)
        #expect(try service.send("PATCH", path, lifting).status == 200)
        #expect(try service.send("DELETE", "/v1/readers/\(own)?confirm=administrator").status == 204)
        #expect(try service.send("GET", "/v1/readers", token: ben).status == 200)
    }

    @Test("The codes of a suspended reader's invitations do not work until the suspension is lifted")
    func invitations() throws {
        let service = try TestService()
        let (ada, ben) = (try service.reader("ada"), try service.reader("ben"))
        let bens = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        let club = try service.make("/v1/clubs", #"{"name":"Tuesdays"}"#, token: ben)
        let invitation = try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ben)
        let body = "{\"invitation\":\"\(invitation["code"]?.string ?? "")\"}"
        #expect(try service.send("POST", "/v1/links/preview", body, token: ada).status == 200)
        #expect(try service.send("PATCH", "/v1/readers/\(bens)", #"{"suspension":{}}"#).status == 200)
        for path in ["/v1/links/preview", "/v1/memberships"] {
            let refused = try service.send("POST", path, body, token: ada)
            #expect(refused.status == 422 && refused.pointers == ["/invitation"], "\(refused.text)")
        }
        #expect(try service.send("PATCH", "/v1/readers/\(bens)", #"{"suspension":null}"#).status == 200)
        #expect(try service.send("POST", "/v1/memberships", body, token: ada).status == 201)
    }

    @Test("A suspended reader's reset links and calendar addresses stop working")
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

        #expect(try service.send("PATCH", "/v1/readers/\(bens)", #"{"suspension":{}}"#).status == 200)
        let body = #"{"link":"\#(secret)","name":"ada","password":"correct horse","device":"phone"}"#
        let reset = try service.send("POST", "/v1/password-resets", body, token: "")
        #expect(reset.status == 422, "\(reset.text)")
        #expect(try service.send("GET", path, token: "").status == 404)
        // Links from before stay invalid. A calendar's address belongs to the member, and works again.
        #expect(try service.send("PATCH", "/v1/readers/\(bens)", #"{"suspension":null}"#).status == 200)
        #expect(try service.send("POST", "/v1/password-resets", body, token: "").status == 422)
        #expect(try service.send("GET", path, token: "").status == 200)
    }
}
