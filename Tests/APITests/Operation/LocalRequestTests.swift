import API
import JSON
import Testing

@Suite("Actions of the user who runs the server")
struct LocalRequestTests {
    @Test("An administrator reads nobody's private data over the network, and acts as nobody else")
    func network() throws {
        let service = try TestService()
        let ada = try service.make("/v1/readers", "{\"name\":\"Ada\"}")
        let token = "{\"name\":\"t\",\"reader\":\"\(ada)\"}"
        let gus = try service.make("/v1/readers", "{\"name\":\"Gus\"}")
        let managed = "{\"name\":\"Ida\",\"guardian\":\"\(gus)\"}"
        let ida = try service.make("/v1/readers", managed)
        let guardian = "{\"guardian\":\"\(ada)\"}"
        let socket = "curl --unix-socket lectern.sock -H 'Content-Type: application"
        let rows = [
            ("GET", "/v1/admin/export", nil, "lectern export FILE"),
            ("GET", "/v1/admin/export?reader=\(ada)", nil, "lectern export FILE"),
            ("POST", "/v1/admin/import", "{\"lines\":[]}", "lectern import FILE"),
            ("POST", "/v1/tokens", token, "lectern token create --name NAME --reader \(ada)"),
            (
                "POST", "/v1/links", "{\"kind\":\"signin\",\"reader\":\"\(ada)\"}",
                "\(socket)/json' -d '{\"kind\":\"signin\",\"reader\":\"\(ada)\"}' http://localhost/v1/links"
            ),
            (
                "PATCH", "/v1/readers/\(ida)", guardian,
                "\(socket)/merge-patch+json' -X PATCH -d '{\"guardian\":\"\(ada)\"}' http://localhost/v1/readers/\(ida)"
            ),
        ]
        for (method, path, body, command) in rows {
            let refused = try service.send(method, path, body, overTCP: true)
            #expect(refused.status == 403 && refused["type"]?.string == "/problems/local-only", "\(refused.text)")
            #expect(refused["detail"]?.string?.contains("run `\(command)`") == true, "\(refused.text)")
        }
        let same = try service.send("PATCH", "/v1/readers/\(ida)", "{\"guardian\":\"\(gus)\"}", overTCP: true)
        #expect(same.status == 200 && same.fields["lectern-unchanged"] == "true", "\(same.text)")
        // A batch gives no other right.
        let line = "{\"method\":\"PATCH\",\"path\":\"/v1/readers/\(ida)\",\"body\":\(guardian)}"
        let batch = "{\"atomic\":true,\"requests\":[\(line)]}"
        #expect(
            try service.send("POST", "/v1/batch", batch, overTCP: true)["type"]?.string == "/problems/local-only")
        #expect(try service.send("PATCH", "/v1/readers/\(ida)", guardian).status == 200)
        #expect(
            try service.send("PATCH", "/v1/readers/\(ida)", "{\"guardian\":null}", overTCP: true).status == 200)
        #expect(try service.send("GET", "/v1/admin/export").text.contains("\"kind\":\"end\""))
        #expect(try service.send("POST", "/v1/tokens", token).status == 201)
        // Readers create their own tokens over any transport.
        let me = try service.send("GET", "/v1/me")["id"]?.string ?? ""
        let own = try service.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(me)\"}", overTCP: true)
        #expect(own.status == 201)
        let link = "{\"kind\":\"signin\",\"reader\":\"\(me)\"}"
        #expect(try service.send("POST", "/v1/links", link, overTCP: true).status == 201)
    }

    @Test("Over the socket, too, only an administrator may do it")
    func others() throws {
        let service = try TestService()
        let ben = try service.reader("Ben")
        let refused = try service.send("GET", "/v1/admin/export", token: ben)
        #expect(refused["type"]?.string == "/problems/administrators-only")
        let me = try service.send("GET", "/v1/me")["id"]?.string ?? ""
        let token = "{\"name\":\"t\",\"reader\":\"\(me)\"}"
        #expect(
            try service.send("POST", "/v1/tokens", token, token: ben)["type"]?.string == "/problems/administrators-only"
        )
    }
}
