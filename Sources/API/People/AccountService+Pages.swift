import HTTPServer
import Model

/// Protection against forged requests. A browser sends the cookie with requests that any page causes, so such requests
/// must come from the service's own pages. `SameSite` tells the browser so, and these checks do the same on the server.
/// Requests with a token are not checked.
extension AccountService {
    /// Throws unless a page of the service, or the person at the browser, sends the request. A request that changes
    /// something must have `Origin`, `Sec-Fetch-Site` or both, and each must name the service's own pages.
    func demandOwnPage(_ request: borrowing Request) throws(RequestError) {
        try request.demandOnce("origin")
        try request.demandOnce("sec-fetch-site")
        let (site, origin) = (fieldText("sec-fetch-site", request), fieldText("origin", request))
        if request.method.isSafe {
            // The response to a followed link or a typed address is shown only to the person at the browser.
            let isShown = fieldText("sec-fetch-mode", request) == "navigate"
            guard isShown || [nil, "same-origin", "none"].contains(site) && origin.map({ isOwn($0, request) }) ?? true
            else { throw Self.otherSite }
            return
        }
        guard site != nil || origin != nil else { throw Self.noOrigin }
        guard site ?? "same-origin" == "same-origin", origin.map({ isOwn($0, request) }) ?? true else {
            // At a wrong address the browser says that the site is the same.
            throw site == "cross-site" || site == "same-site" ? Self.otherSite : foreignPage
        }
    }

    /// Returns whether an origin is the service's. Without a public URL only this machine has access: then the origin
    /// must be the loopback address of the request. A page under any other name is refused.
    private func isOwn(_ origin: String, _ request: borrowing Request) -> Bool {
        if let known = settings.publicOrigin { return origin.utf8.elementsEqual(known.text.utf8) }
        let host = text(of: request.host)
        return WebOrigin.isLoopback(host: WebOrigin.withoutPort(host))
            && origin.utf8.elementsEqual("http://\(host)".utf8)
    }

    private func fieldText(_ field: StaticString, _ request: borrowing Request) -> String? {
        guard let value = request.field(field) else { return nil }
        return text(of: value)
    }

    private static let otherSite = RequestError.refused(
        .foreignPage, "Another site's page sent this request. The cookie works only for the server's own pages.")

    private static let noOrigin = RequestError.refused(
        .foreignPage,
        "A write with the cookie needs Origin or Sec-Fetch-Site, which browsers send. Other programs send a token.")

    /// The refusal for the person at the browser, who usually opened the server at another address than the public one.
    var foreignPage: RequestError {
        let place = "Open the address that your administrator gave you."
        let isPlain = settings.publicOrigin.map { !$0.isSecure } ?? (browserSignIn == .secure)
        return .refused(
            .foreignPage, (isPlain ? "Sign-in does not work here. " : "Sign-in needs HTTPS here. ") + place)
    }
}

extension HTTPMethod {
    /// A Boolean value indicating whether requests with the method only read.
    fileprivate var isSafe: Bool { self == .get || self == .head || self == .options }
}
