import HTTPServer
import JSON
import Model
import OpenID
import Passwords
import Store

/// The routes of identities at the identity provider, and of sign-in for people.
extension Route {
    static let identities: [Route] = [
        Route(
            .get, "/v1/sign-in", "getSignIn", admission: .anyone,
            watching: .no(because: "It changes only at a restart.")
        ) { call in
            let accounts = call.service.accounts
            // A refused cookie is no sign-in.
            let reader = call.isByCookie ? (try? call.optionalViewer())?.reader : nil
            return .json { json in
                json.member("registration", accounts.settings.registration.rawValue)
                json.member("registrationLinks", accounts.settings.linkMakers.rawValue)
                json.member("provider", accounts.provider?.settings.host)
                json.member("browsers", accounts.browserSignIn.rawValue)
                json.member("reader", reader)
            }
        },
        Route(.post, "/v1/oidc/begin", "beginSignIn", admission: .anyone, access: .read) { call throws(RequestError) in
            var decoder = ObjectDecoder(try call.json())
            let device = decoder.string("device", length: 1...100).value ?? "Browser"
            let invitation = decoder.string("link", length: 1...200).value
            try decoder.demandValid()
            let attempt = SignInAttempt(.signIn(invitation: invitation), device: device, now: call.now)
            return .deferred(.job(try call.beginProviderSignIn(for: attempt)))
        },
        Route(
            .get, "/v1/oidc/callback", "endSignIn", parameters: ["code", "error", "iss", "state"], admission: .anyone,
            watching: .no(because: "The provider sends a browser here once."), ignoresOthers: true
        ) { call throws(RequestError) in try call.finishProviderSignIn() },
        Route(
            .get, "/v1/identities", "listIdentities", watching: .no(because: "Identities are not in the log.")
        ) { call throws(RequestError) in
            try call.pipeline.requireJSON(call.request)
            let items = try call.reads.identities(of: call.viewer.readerKey)
            return .json { json in
                json.array("items", items) { identity, json in
                    json.object {
                        $0.member("id", identity.id)
                        $0.member("issuer", identity.issuer)
                        $0.member("subject", identity.subject)
                        $0.member("createdAt", identity.createdAt)
                    }
                }
            }
        },
        Route(.post, "/v1/identities", "createIdentity") { call throws(RequestError) in
            let viewer = call.viewer
            guard let token = viewer.token, viewer.expiresAt == nil else {
                throw .refused(
                    .tokenEnds, "A token that expires cannot connect an identity, which does not expire. Sign in first."
                )
            }
            let current = try call.givenPassword()
            let attempt = SignInAttempt(.connect(reader: viewer.reader, token: token), device: "", now: call.now)
            let begin = try call.beginProviderSignIn(for: attempt)
            guard let known = try call.reads.account(of: viewer.readerKey)?.password else {
                try call.demandFresh(token)
                return .deferred(.job(begin))
            }
            guard let current else { throw .invalid([Violation(pointer: "/current", detail: "is required")]) }
            let accounts = call.service.accounts
            let confirmed = ResponseJob(.signIn, call.request) { () throws(RequestError) in
                let guess = try accounts.admit(.proof(reader: viewer.readerKey))
                let isRight = try await accounts.onPasswordThread(guess) { $0.check(current, against: known) }
                guard isRight else { throw .wrongPassword }
                accounts.recordRight(guess, of: viewer.readerKey)
                return try await begin.run()
            }
            return .deferred(.job(confirmed))
        },
        Route(.delete, "/v1/identities/{id}", "deleteIdentity") { call throws(RequestError) in
            guard let id = call.text(0) else { throw .notFound }
            return .commit(.deleteIdentity(id))
        },
    ]
}

/// Conditions for connecting an identity. A connected identity can sign in after the session has ended. So an open
/// browser or a stolen token must not suffice.
extension RouteCall {
    fileprivate static var freshSeconds: Int64 { 600 }

    /// Returns the password in the body, or `nil` if there is none.
    fileprivate func givenPassword() throws(RequestError) -> Password? {
        guard request.body.byteCount > 0 else { return nil }
        var decoder = ObjectDecoder(try json())
        let current = decoder.string("current", length: 1...Password.bytesMax).value
        try decoder.demandValid()
        return current.map { Password(given: $0) }
    }

    /// Throws unless a recent sign-in created the token.
    fileprivate func demandFresh(_ id: ResourceID) throws(RequestError) {
        guard let token = try reads.token(id), token.isSession, let madeAt = token.createdAt,
            now < madeAt.adding(seconds: Self.freshSeconds)
        else {
            throw .refused(
                .sessionTooOld,
                "You have no password to confirm this with. Sign in again, and connect the identity within ten minutes."
            )
        }
    }
}
