import JSON
import Model
import Passwords

/// The device name of a new session, and whether a cookie or the response holds its secret.
struct SessionDraft: Sendable {
    let device: String
    /// A Boolean value indicating whether a cookie holds the secret.
    let isCookie: Bool

    init(_ decoder: inout ObjectDecoder) {
        var (device, isCookie) = ("a device", false)
        decoder.required("device", decoder.string("device", length: 1...100), .patch).apply(to: &device)
        decoder.required("cookie", decoder.bool("cookie"), .patch).apply(to: &isCookie)
        (self.device, self.isCookie) = (device, isCookie)
    }
}

/// A sign-in as a request describes it, by a name and password or by a link.
struct SignInDraft: Sendable {
    enum Proof: Sendable {
        /// A password, with the name as it was typed. An invalid name takes as long to refuse as an unknown one.
        case password(Password, of: String)
        /// The secret of a link.
        case link(String)
    }

    let proof: Proof
    let session: SessionDraft

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    init(_ body: JSONValue) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        var (name, password, link): (String, String, String?) = ("", "", nil)
        decoder.string("link", length: 1...200).patch.apply(to: &link)
        let (saidName, givenPassword) = (
            decoder.string("name", length: 1...200), decoder.string("password", length: 1...Password.bytesMax)
        )
        if link == nil {
            decoder.required("name", saidName, .whole).apply(to: &name)
            decoder.required("password", givenPassword, .whole).apply(to: &password)
        } else if saidName.value != nil || givenPassword.value != nil {
            decoder.refuse("link", "must not be given with a name or a password")
        }
        session = SessionDraft(&decoder)
        proof = link.map { .link($0) } ?? .password(Password(given: password), of: name)
        try decoder.demandValid()
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
        var (readerName, link): (String?, String?) = (nil, nil)
        decoder.string("readerName", length: 1...100).patch.apply(to: &readerName)
        decoder.string("link", length: 1...200).patch.apply(to: &link)
        let password = decoder.newPassword(of: name)
        session = SessionDraft(&decoder)
        try decoder.demandValid()
        guard let name, let password else { throw .internalError("a body that is valid has no name or password") }
        (self.name, self.password, self.link) = (name, password, link)
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
        var (link, endsAll) = ("", false)
        decoder.required("link", decoder.string("link", length: 1...200), .whole).apply(to: &link)
        decoder.required("everything", decoder.bool("everything"), .patch).apply(to: &endsAll)
        let name = decoder.signInName(isRequired: false)
        let password = decoder.newPassword(of: name)
        session = SessionDraft(&decoder)
        try decoder.demandValid()
        guard let password else { throw .internalError("a body that is valid has no password") }
        (self.link, self.name, self.password, self.endsAll) = (link, name, password, endsAll)
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
        var current: String?
        decoder.string("current", length: 1...Password.bytesMax).patch.apply(to: &current)
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
        var text: String?
        let given = string("name", length: 1...200)
        (isRequired ? required("name", given, .whole) : given.patch).apply(to: &text)
        guard let text else { return nil }
        let name = SignInName(text)
        if name == nil { refuse("name", SignInName.rule) }
        return name
    }

    /// Decodes a new password, and refuses a weak one or the sign-in name itself.
    fileprivate mutating func newPassword(of name: SignInName?) -> ChosenPassword? {
        var text: String?
        required("password", string("password", length: 1...Password.bytesMax), .whole).apply(to: &text)
        guard let text else { return nil }
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
