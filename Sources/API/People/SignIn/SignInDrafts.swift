import JSON
import Model
import Passwords

/// The device name of a new session, and whether a cookie or the response holds its secret.
struct SessionDraft: Sendable {
    let device: String
    /// A Boolean value indicating whether a cookie holds the secret.
    let isCookie: Bool

    init(_ decoder: inout ObjectDecoder) {
        device = decoder.required("device", decoder.string("device", length: 1...100), .patch) ?? "a device"
        isCookie = decoder.required("cookie", decoder.bool("cookie"), .patch) ?? false
    }
}

/// A sign-in as a request describes it, by a name and password or by a link.
struct SignInDraft: RequestBody {
    enum Proof: Sendable {
        /// A password, with the name as it was typed. An invalid name takes as long to refuse as an unknown one.
        case password(Password, of: String)
        /// The secret of a link.
        case link(String)
    }

    let proof: Proof
    let session: SessionDraft

    init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        var (name, password) = ("", "")
        let link = decoder.string("link", length: 1...200).value
        let (saidName, givenPassword) = (
            decoder.string("name", length: 1...200), decoder.string("password", length: 1...Password.bytesMax)
        )
        if link == nil {
            name = decoder.required("name", saidName, .whole) ?? ""
            password = decoder.required("password", givenPassword, .whole) ?? ""
        } else if saidName.value != nil || givenPassword.value != nil {
            decoder.refuse("link", "must not be given with a name or a password")
        }
        session = SessionDraft(&decoder)
        proof = link.map { .link($0) } ?? .password(Password(given: password), of: name)
    }
}

/// A registration as a request describes it.
struct AccountDraft: Sendable {
    let name: SignInName
    /// The name that other readers see.
    let readerName: String
    let password: ChosenPassword
    /// The secret of an invitation.
    let link: String?
    let session: SessionDraft

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let name = decoder.signInName(isRequired: true)
        let readerName = decoder.visibleText("readerName", length: 1...100).value
        link = decoder.string("link", length: 1...200).value
        let password = decoder.newPassword(of: name)
        session = SessionDraft(&decoder)
        try decoder.demandValid()
        guard let name, let password else { throw .internalError("a body that is valid has no name or password") }
        (self.name, self.password) = (name, password)
        self.readerName = readerName ?? name.text
    }
}

/// A new password by a link, as a request describes it.
struct PasswordResetDraft: Sendable {
    let link: String
    /// The sign-in name, for a reader who has none yet.
    let name: SignInName?
    let password: ChosenPassword
    /// A Boolean value indicating whether all other tokens, identities and links end, too, and not only sessions.
    let endsAll: Bool
    let session: SessionDraft

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        link = decoder.required("link", decoder.string("link", length: 1...200), .whole) ?? ""
        endsAll = decoder.required("everything", decoder.bool("everything"), .patch) ?? false
        let name = decoder.signInName(isRequired: false)
        let password = decoder.newPassword(of: name)
        session = SessionDraft(&decoder)
        try decoder.demandValid()
        guard let password else { throw .internalError("a body that is valid has no password") }
        (self.name, self.password) = (name, password)
    }
}

/// A change of a password as a request describes it.
struct PasswordChangeDraft: Sendable {
    /// The current password, if the reader has one.
    let current: Password?
    /// A new sign-in name, or the first one.
    let name: SignInName?
    let password: ChosenPassword

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let current = decoder.string("current", length: 1...Password.bytesMax).value
        let name = decoder.signInName(isRequired: false)
        let password = decoder.newPassword(of: name)
        try decoder.demandValid()
        guard let password else { throw .internalError("a body that is valid has no password") }
        (self.current, self.name, self.password) = (current.map { Password(given: $0) }, name, password)
    }
}

extension ChosenPassword {
    fileprivate static let nameRule = "must not be your name or the name of one of your clubs"

    /// Throws if the password is one of the names of a reader and of clubs.
    func demandUnlike(_ names: [String]) throws(RequestError) {
        guard matchesName(names) else { return }
        throw .invalid([Violation(pointer: "/password", detail: Self.nameRule)])
    }
}

extension ObjectDecoder {
    fileprivate mutating func signInName(isRequired: Bool) -> SignInName? {
        // The rule of the name has its own limits.
        let given = string("name", length: 0...400)
        guard let text = isRequired ? required("name", given, .whole) : given.value else { return nil }
        let name = SignInName(text)
        if name == nil { refuse("name", SignInName.rule) }
        return name
    }

    /// Decodes a new password, and refuses a weak one or the sign-in name itself.
    fileprivate mutating func newPassword(of name: SignInName?) -> ChosenPassword? {
        let given = string("password", length: 1...Password.bytesMax)
        guard let text = required("password", given, .whole) else { return nil }
        guard let password = ChosenPassword(text) else {
            refuse("password", Password.rule)
            return nil
        }
        if let refusal = password.refusal {
            refuse("password", refusal)
        } else if password.matchesName([name?.text ?? ""]) {
            refuse("password", ChosenPassword.nameRule)
        }
        return password
    }
}
