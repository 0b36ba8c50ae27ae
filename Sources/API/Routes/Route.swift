import HTTPServer
import Model

/// What can be asked of the service: a method and a path, who may come in by it, and what is answered. The contract in openapi.yaml says the
/// same to clients; a test compares the two.
///
/// A class, because every request takes one out of the router: one count, where a value's texts and closure would be several.
final class Route: Sendable {
    typealias Answer = @Sendable (borrowing Call) throws(LecternError) -> Reply

    let method: Method
    /// What stands in braces is captured.
    let path: StaticString
    /// The contract's operationId.
    let operation: StaticString
    /// Whether it may be a line of a batch. What opens or ends a way in, or shows a secret, and what is no write, is asked for on its own:
    /// so is whatever does not say otherwise.
    let inBatches: Bool
    /// All that its query may say.
    let parameters: [String]
    let admission: Admission
    /// The command that does it on the server's machine, where only requests over the Unix socket may; nil where others may, too.
    let localCommand: StaticString?
    /// What a token must allow.
    let access: Token.Access
    let watching: Watching
    /// Whether everyone gets the same pages, so that they are held as they were sent.
    let sharesPages: Bool
    /// Whether it says to probes how the service is: it is never refused for being asked often.
    let isProbe: Bool
    /// Whether it answers with pages, of which some are dear.
    let isList: Bool
    /// Whether what its query says besides is passed over, because another server wrote it (RFC 6749, 4.1.2).
    let ignoresOthers: Bool
    /// Decides on the reply. What the query says besides `parameters` has been refused.
    let answer: Answer

    /// A route; whoever has a token may come in, to read with a `GET`, and to write with any other method.
    @inline(never)
    init(
        _ method: Method, _ path: StaticString, _ operation: StaticString, inBatches: Bool = false,
        parameters: [String] = [],
        admission: Admission = .readers, localCommand: StaticString? = nil, access: Token.Access? = nil,
        watching: Watching? = nil,
        sharesPages: Bool = false, ignoresOthers: Bool = false, answer: @escaping Answer
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.inBatches = inBatches
        self.admission = admission
        self.localCommand = localCommand
        self.access = access ?? (method == .get ? .read : .write)
        self.watching = watching ?? (method == .get ? .yes : .no(because: "It writes."))
        self.sharesPages = sharesPages
        self.ignoresOthers = ignoresOthers
        self.answer = answer
        isList = parameters.contains("limit")
        isProbe = ["/healthz", "/readyz"].contains("\(path)")
        self.parameters = parameters + self.watching.parameters.filter { !parameters.contains($0) }
    }

    /// Whether what it answers is always a stream.
    var isStream: Bool { if case .always = watching { true } else { false } }

    var isWatchable: Bool { if case .no = watching { false } else { true } }

    /// What a list's query may say: of it, and of the page.
    @inline(never)
    static func paged(_ own: String...) -> [String] { own + ["limit", "cursor"] }
}

/// Who may come in by a route. What they may then see and do, the commands and queries decide.
enum Admission: Sendable {
    case anyone
    case readers
    case administrators
}

/// Whether a route can be watched: `Accept: text/event-stream`.
enum Watching: Sendable {
    case yes
    /// Its events cannot be narrowed to fields.
    case whole
    /// It is a stream and nothing else.
    case always
    case no(because: StaticString)

    /// What a request that watches may say besides.
    var parameters: [String] {
        switch self {
        case .yes: ["after", "fields"]
        case .whole: ["after"]
        case .always, .no: []
        }
    }
}
