import HTTPServer
import Model

/// A browser sends the cookie with whatever a page makes it ask for: so what comes with it must come from the service's own pages.
/// `SameSite` says so to the browser, this to whoever asks. A program that sends a token is asked nothing.
extension Accounts {
    /// Throws unless a page of ours, or the person at the browser, asks. What changes something must say that one does, by `Origin`,
    /// `Sec-Fetch-Site` or both, and must not say otherwise by either.
    func demandOwnPage(_ request: borrowing Request) throws(LecternError) {
        try request.demandOnce("origin")
        try request.demandOnce("sec-fetch-site")
        let (site, origin) = (said("sec-fetch-site", request), said("origin", request))
        if request.method.isSafe {
            // Whoever follows a link, or types an address, shows what was answered to themselves.
            let isShown = said("sec-fetch-mode", request) == "navigate"
            guard site == nil || site == "same-origin" || site == "none" || isShown else { throw foreignPage }
            guard origin == nil || isShown || isOwn(origin ?? "", request) else { throw foreignPage }
            return
        }
        guard site ?? "same-origin" == "same-origin", origin.map({ isOwn($0, request) }) ?? true,
            site != nil || origin != nil
        else { throw foreignPage }
    }

    /// Whether pages of that origin are the service's. Where no public URL is set only this machine comes in: then a page is of the
    /// address at which it was fetched, of which no name that others give it is one.
    private func isOwn(_ origin: String, _ request: borrowing Request) -> Bool {
        if let known = settings.publicOrigin { return origin.utf8.elementsEqual(known.text.utf8) }
        let host = text(of: request.host)
        return Origin.isLoopback(host: Origin.withoutPort(host)) && origin.utf8.elementsEqual("http://\(host)".utf8)
    }

    private func said(_ field: StaticString, _ request: borrowing Request) -> String? {
        guard let value = request.field(field) else { return nil }
        return text(of: value)
    }

    /// The refusal for the person at the browser: mostly they opened the server at another address than the public one.
    var foreignPage: LecternError {
        let place = "Open the address that your administrator gave you."
        let isPlain = settings.publicOrigin.map { !$0.isSecure } ?? (browserSignIn == .secure)
        return .refused(
            .foreignPage, (isPlain ? "Sign-in does not work here. " : "Sign-in needs HTTPS here. ") + place)
    }
}

extension Method {
    /// Whether it is for looking only.
    fileprivate var isSafe: Bool { self == .get || self == .head || self == .options }
}
