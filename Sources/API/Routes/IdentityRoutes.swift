import HTTPServer
import JSON
import Model
import OpenID
import Store

/// Who somebody is to the identity provider of the house, and the page on which people sign in.
extension Route {
    static let identities: [Route] = [
        Route(
            .get, "/sign-in", "getSignInPage", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { _ in .landing(SignInPage.whole) },
        Route(
            .get, "/join", "getJoinPage", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { _ in .landing(SignInPage.whole) },
        Route(
            .get, "/reset", "getResetPage", admission: .anyone,
            watching: .no(because: "It changes only with the program.")
        ) { _ in .landing(SignInPage.whole) },
        Route(
            .get, "/v1/sign-in", "getSignIn", admission: .anyone,
            watching: .no(because: "It changes only when the service is started anew.")
        ) { call in
            var json = JSONWriter(capacity: 64)
            json.beginObject()
            json.name("registration")
            json.string(call.service.accounts.settings.registration.rawValue)
            json.name("provider")
            if let provider = call.service.accounts.provider {
                json.string(provider.settings.host)
            } else {
                json.null()
            }
            json.endObject()
            return .document(Document(json.bytes, "application/json", caching: .never))
        },
        Route(.post, "/v1/oidc/begin", "beginSignIn", admission: .anyone, access: .read) { call throws(LecternError) in
            var decoder = ObjectDecoder(try call.json())
            let device = decoder.string("device", length: 1...100).value ?? "Browser"
            let invitation = decoder.string("link", length: 1...200).value
            try decoder.demandValid()
            return try call.begin(Attempt(.signIn(invitation: invitation), device: device, now: call.now))
        },
        Route(
            .get, "/v1/oidc/callback", "endSignIn", parameters: ["code", "error", "iss", "state"], admission: .anyone,
            watching: .no(because: "The provider sends a browser here, once."), ignoresOthers: true
        ) { call throws(LecternError) in try call.end() },
        Route(
            .get, "/v1/identities", "listIdentities", watching: .no(because: "They are in no log.")
        ) { call throws(LecternError) in
            try call.desk.requireJSON(call.request)
            let items = try call.reads.identities(of: call.viewer.readerKey)
            return .document(Document(encoded(items), "application/json", caching: .never))
        },
        Route(.post, "/v1/identities", "connectIdentity") { call throws(LecternError) in
            let viewer = call.viewer
            guard let token = viewer.token, viewer.expiresAt == nil else {
                throw .refused(.tokenEnds, "The token ends, and what is connected does not: sign in first.")
            }
            let purpose = Attempt.Purpose.connect(reader: viewer.reader, token: token)
            return try call.begin(Attempt(purpose, device: "", now: call.now))
        },
        Route(.delete, "/v1/identities/{id}", "deleteIdentity") { call throws(LecternError) in
            guard let id = call.text(0) else { throw .notFound }
            return .commit(.disconnect(id))
        },
    ]

    private static func encoded(_ identities: [ConnectedIdentity]) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for identity in identities {
            json.beginObject()
            json.name("id")
            json.string(identity.id)
            json.name("issuer")
            json.string(identity.issuer)
            json.name("subject")
            json.string(identity.subject)
            json.name("createdAt")
            json.instant(identity.createdAt)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
