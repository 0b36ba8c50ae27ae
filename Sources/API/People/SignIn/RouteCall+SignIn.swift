import HTTPServer
import JSON
import Model
import OpenID
import Store

/// Sign-in with the identity provider.
extension RouteCall {
    /// Returns the job that begins a sign-in at the identity provider. Its response has the provider's URL, and a
    /// cookie that ties the sign-in to the browser.
    func beginProviderSignIn(for attempt: SignInAttempt) throws(RequestError) -> ResponseJob {
        let (provider, binder, service) = (try provider(), try binder(), service)
        let binding = service.accounts.attempts.begin(attempt)
        return ResponseJob(.signIn, request) { () throws(RequestError) in
            do throws(OpenIDError) {
                let url = try await provider.authorization(of: binding, now: .now)
                let body = JSONWriter.object { $0.member("url", url) }
                return .document(
                    DocumentResponse(
                        body: body, caching: "no-store", cookies: [binder.setting(binding.cookie)], hidesURL: true))
            } catch {
                throw error.asRequestError(service)
            }
        }
    }

    /// Returns the reply to a browser that the identity provider sent back, with a state, and a code or an error.
    func finishProviderSignIn() throws(RequestError) -> RouteReply {
        let (provider, binder, service) = (try provider(), try binder(), service)
        let (cookie, address) = (
            binder.secret(in: request).flatMap { String(validating: $0, as: UTF8.self) }, clientAddress
        )
        let answer = (
            state: query.text("state"), code: query.text("code"), error: query.text("error"), issuer: query.text("iss")
        )
        return .deferred(
            .job(
                ResponseJob(.signIn, request, cookies: [binder.clearing]) { () throws(RequestError) in
                    let accounts = service.accounts
                    let counted =
                        answer.code != nil && answer.error == nil ? try accounts.admitCode(from: address) : nil
                    let (attempt, identity): (SignInAttempt, VerifiedIdentity)
                    do throws(OpenIDError) {
                        let binding: BrowserBinding
                        (attempt, binding) = try accounts.attempts.begun(
                            cookie: cookie, state: answer.state, now: .now)
                        if let code = answer.error { throw .declined(code) }
                        guard let code = answer.code, !code.isEmpty else {
                            throw .refused("The provider's response has no code.")
                        }
                        identity = try await provider.identity(code: code, issuer: answer.issuer, binding)
                        try accounts.attempts.end(attempt, binding, now: .now)
                        accounts.recordRightCode(counted)
                    } catch {
                        if case .unreachable = error {} else { accounts.counters.refused.add() }
                        throw error.asRequestError(service)
                    }
                    return .document(try await service.complete(attempt, identity, binder))
                }))
    }

    private func provider() throws(RequestError) -> IdentityProvider {
        guard let provider = service.accounts.provider else {
            throw .refused(
                .noProvider, "This server has no identity provider. The operator sets one with --oidc-issuer.")
        }
        return provider
    }

    private func binder() throws(RequestError) -> SecretCookie {
        guard let session = service.accounts.cookie else {
            throw .refused(
                .noProvider, "Sign-in with an identity provider needs HTTPS: --public-url must begin with https://.")
        }
        return .attempt(isSecure: session == .secureSession)
    }
}

extension SharedServiceState {
    /// Executes the command that follows when the provider has verified an identity, and returns the response.
    fileprivate func complete(
        _ attempt: SignInAttempt, _ identity: VerifiedIdentity, _ binder: SecretCookie
    ) async throws(RequestError) -> DocumentResponse {
        let known = (issuer: identity.issuer, subject: identity.subject)
        switch attempt.purpose {
        case .connect(let reader, let token):
            try await store.submitAndWait(.createIdentity(known, to: reader, by: token))
            return .redirect(to: "/sign-in", cookies: [binder.clearing])
        case .signIn(let invitation):
            let secret = TokenSecret()
            // The browser sends no session cookie from another site. A former session continues, on the list of
            // devices.
            let session = NewSession(id: ResourceID(madeAt: .now), device: attempt.device, secret.digest)
            let (registrationCheck, registrations) = (accounts.registrationCheck, AtomicNumber())
            let command = Command.createSession(
                by: known, named: displayName(identity.name), link: invitation.map { TokenSecret.digest(of: $0) },
                accounts.settings.registrationPolicy, session
            ) { isInvited throws(RequestError) in
                try registrationCheck(isInvited)
                registrations.set(1)
            }
            do throws(RequestError) { try await store.submitAndWait(command) } catch {
                accounts.counters.refused.add()
                throw error
            }
            (registrations.current > 0 ? accounts.counters.registrations : accounts.counters.signIns).add()
            let cookies = [binder.clearing] + (accounts.cookie.map { [$0.setting(secret.text)] } ?? [])
            return .redirect(to: "/sign-in", cookies: cookies)
        }
    }
}

/// Returns a new reader's name: the provider's, as far as it is a valid name.
private func displayName(_ given: String?) -> String {
    let scalars = (given ?? "").unicodeScalars.filter {
        $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
    }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars.prefix(100))
    let text = String(name)
    return text.isVisible ? text : "Reader"
}
