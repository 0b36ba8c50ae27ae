import JSON
import Model
import Passwords

/// On what a session is opened, and how its secret is to be kept.
struct SessionDraft: Sendable {
    let device: String
    /// Whether a browser keeps it.
    let isCookie: Bool

    init(_ decoder: inout ObjectDecoder) {
        var (device, isCookie) = ("a device", false)
        decoder.required("device", decoder.string("device", length: 1...100), .patch).apply(to: &device)
        decoder.required("cookie", decoder.bool("cookie"), .patch).apply(to: &isCookie)
        (self.device, self.isCookie) = (device, isCookie)
    }
}

/// What a request says to sign in.
struct SignInDraft: Sendable {
    /// Whatever was typed: also what can be nobody's name takes its time.
    let name: String
    let password: Password
    let session: SessionDraft

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var (name, password) = ("", "")
        decoder.required("name", decoder.string("name", length: 1...200), .whole).apply(to: &name)
        decoder.required("password", decoder.string("password", length: 1...Password.bytesMax), .whole)
            .apply(to: &password)
        session = SessionDraft(&decoder)
        (self.name, self.password) = (name, Password(said: password))
        try decoder.demandValid()
    }
}

/// What a request says to become a reader.
struct AccountDraft: Sendable {
    let name: SignInName
    /// What the reader is called by others.
    let readerName: String
    let password: Password
    /// The secret of an invitation.
    let link: String?
    let session: SessionDraft

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    init(_ body: JSONValue) throws(LecternError) {
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

/// What a request says to choose a password by a link.
struct PasswordResetDraft: Sendable {
    let link: String
    /// For who has none yet.
    let name: SignInName?
    let password: Password
    /// Whether all other ways in end, too, and not the sessions only.
    let endsAll: Bool
    let session: SessionDraft

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    init(_ body: JSONValue) throws(LecternError) {
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

/// What a reader says to change their password.
struct PasswordDraft: Sendable {
    /// The one that they have, where they have one.
    let current: Password?
    /// Another name to sign in by, or the first one.
    let name: SignInName?
    let password: Password

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var current: String?
        decoder.string("current", length: 1...Password.bytesMax).patch.apply(to: &current)
        let name = decoder.signInName(isRequired: false)
        let password = decoder.newPassword(of: name)
        try decoder.demandValid()
        guard let password else { throw .internalError("a body that is valid has no password") }
        (self.current, self.name, self.password) = (current.map { Password(said: $0) }, name, password)
    }
}

extension ObjectDecoder {
    fileprivate mutating func signInName(isRequired: Bool) -> SignInName? {
        var text: String?
        let said = string("name", length: 1...200)
        (isRequired ? required("name", said, .whole) : said.patch).apply(to: &text)
        guard let text else { return nil }
        let name = SignInName(text)
        if name == nil { refuse("name", SignInName.rule) }
        return name
    }

    /// A password that somebody chooses.
    fileprivate mutating func newPassword(of name: SignInName?) -> Password? {
        var text: String?
        required("password", string("password", length: 1...Password.bytesMax), .whole).apply(to: &text)
        guard let text else { return nil }
        let password = Password(new: text)
        if password == nil { refuse("password", Password.rule) }
        if let name, SignInName(text)?.folded.utf8.elementsEqual(name.folded.utf8) ?? false {
            refuse("password", "must not be the name")
        }
        return password
    }
}
