import Bytes
import JSON
package import Model

/// A sign-in attempt at the provider: its purpose and expiry.
package struct SignInAttempt: Sendable, Equatable {
    package static let secondsMax: Int64 = 600

    package enum Purpose: Sendable, Equatable {
        /// A session. A new reader needs the secret of an invitation, unless registration is open.
        case signIn(invitation: String?)
        /// A connection of this reader's account to the provider, requested with this token.
        case connect(reader: ResourceID, token: ResourceID)
    }

    package let purpose: Purpose
    /// The name for the session.
    package let device: String
    package let expiresAt: Instant

    package init(_ purpose: Purpose, device: String, now: Instant) {
        self.init(purpose, device, expiresAt: now.adding(seconds: Self.secondsMax))
    }

    private init(_ purpose: Purpose, _ device: String, expiresAt: Instant) {
        (self.purpose, self.device, self.expiresAt) = (purpose, device, expiresAt)
    }

    /// Encodes the attempt for the browser's cookie, with a random seed that makes it unique.
    func encoded(seed: String) -> String {
        let json = JSONWriter.object(capacity: 256) { json in
            json.member("seed", seed)
            json.member("until", expiresAt.milliseconds)
            json.member("device", device)
            switch purpose {
            case .signIn(let invitation): json.member("invitation", ifAny: invitation)
            case .connect(let reader, let token):
                json.member("reader", "\(reader)")
                json.member("token", "\(token)")
            }
        }
        return Base64URL.text(of: json)
    }

    /// Decodes an attempt, or returns `nil` for a malformed value.
    init?(encoded: String) {
        // A value that is not JSON was not encoded by this server.
        guard let bytes = Base64URL.bytes(of: encoded), let root = (try? JSONDocument(bytes))?.root,
            let until = root["until"]?.integer, let device = root["device"]?.string
        else { return nil }
        let reader = root["reader"]?.string.flatMap { ResourceID($0) }
        let token = root["token"]?.string.flatMap { ResourceID($0) }
        let purpose: Purpose =
            if let reader, let token {
                .connect(reader: reader, token: token)
            } else {
                .signIn(invitation: root["invitation"]?.string)
            }
        self.init(purpose, device, expiresAt: Instant(milliseconds: until))
    }
}
