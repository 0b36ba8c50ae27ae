import Bytes
import JSON
import Model

/// A person's identity at a provider, after all claims of an ID token have been checked.
package struct VerifiedIdentity: Sendable, Equatable {
    package let issuer: String
    /// The provider's identifier of the person, which is never reassigned. E-mail addresses are.
    package let subject: String
    /// The person's name, for a new reader.
    package let name: String?
}

/// The claims of an ID token (OpenID Connect Core 1.0, 2).
///
/// The token comes from the token endpoint itself, over verified TLS and without a redirect. Therefore its signature
/// need not be verified (3.1.3.7, 6), but all of its claims must be.
struct IDToken {
    /// The seconds by which clocks may differ.
    static let skewSeconds = 60.0
    static let bytesMax = 16_384
    static let subjectBytesMax = 255

    private let claims: JSONValue

    /// Decodes a token. Throws if it is malformed.
    init(_ text: String) throws(OpenIDError) {
        guard text.utf8.count <= Self.bytesMax else { throw .refused("The ID token is too long.") }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw .refused("The ID token does not have three parts.") }
        let header = try Self.object(parts[0], "header")
        guard header["alg"]?.string != nil else { throw .refused("The ID token's header names no algorithm.") }
        guard header["crit"] == nil else {
            throw .refused("The ID token's header has an unsupported critical parameter (crit).")
        }
        guard Base64URL.bytes(of: parts[2]) != nil else { throw .refused("The ID token's signature is not Base64.") }
        claims = try Self.object(parts[1], "body")
    }

    /// Returns the identity, after checking the token's issuer, client, attempt and times.
    func identity(
        issuer: String, client: String, nonce: String, now: Instant
    ) throws(OpenIDError) -> VerifiedIdentity {
        guard try areEqualInConstantTime(text("iss"), issuer) else {
            throw .refused("The ID token is from another issuer.")
        }
        try checkAudience(client)
        guard try areEqualInConstantTime(text("nonce"), nonce) else {
            throw .refused("The ID token is for another attempt to sign in.")
        }
        try checkTimes(Double(now.milliseconds) / 1000)
        let subject = try text("sub")
        guard (1...Self.subjectBytesMax).contains(subject.utf8.count), !subject.utf8.contains(0) else {
            throw .refused("The ID token's subject is empty or too long.")
        }
        return VerifiedIdentity(issuer: issuer, subject: subject, name: name)
    }

    /// Checks that a single audience is this client. Of several audiences one must be this client, to which the token
    /// must also be issued (3.1.3.7, 3 to 5).
    private func checkAudience(_ client: String) throws(OpenIDError) {
        let stated = claims["aud"]
        let audiences: [String?] =
            if let stated, stated.kind == .array { stated.elements.map(\.string) } else { [stated?.string] }
        guard audiences.contains(where: { $0.map { areEqualInConstantTime($0, client) } ?? false }),
            audiences.allSatisfy({ $0 != nil })
        else { throw .refused("The ID token is for another audience.") }
        let party = claims["azp"]
        if party != nil || audiences.count > 1 {
            guard let party = party?.string, areEqualInConstantTime(party, client) else {
                throw .refused("The ID token was issued to another party.")
            }
        }
    }

    private func checkTimes(_ now: Double) throws(OpenIDError) {
        guard let end = claims["exp"]?.double, end + Self.skewSeconds > now else {
            throw .refused("The ID token has expired.")
        }
        guard let begin = claims["iat"]?.double, begin - Self.skewSeconds <= now else {
            throw .refused("The ID token is from the future.")
        }
        if let begin = claims["nbf"] {
            guard let begin = begin.double, begin - Self.skewSeconds <= now else {
                throw .refused("The ID token is not valid yet.")
            }
        }
    }

    private var name: String? {
        [claims["name"]?.string, claims["preferred_username"]?.string].lazy
            .compactMap { $0 }.first { !$0.isEmpty }
    }

    private func text(_ claim: String) throws(OpenIDError) -> String {
        guard let text = claims[claim]?.string else { throw .refused("The ID token has no \(claim).") }
        return text
    }

    /// Decodes a part of a token: an object without duplicate names.
    private static func object(_ part: String, _ what: String) throws(OpenIDError) -> JSONValue {
        guard let bytes = Base64URL.bytes(of: part) else { throw .refused("The ID token's \(what) is not Base64.") }
        let value: JSONValue
        do { value = try JSONDocument(bytes).root } catch { throw .refused("The ID token's \(what) is not JSON.") }
        guard value.kind == .object else { throw .refused("The ID token's \(what) is not an object.") }
        var names: Set<[UInt8]> = []
        for (name, _) in value.members where !names.insert(Array(name.utf8)).inserted {
            throw .refused("The ID token's \(what) has a repeated member.")
        }
        return value
    }
}
