import HTTPServer
import JSON
import Model
import Store

/// A write on its way: what the store is asked to do, and how its outcome is to be told.
struct PendingWrite {
    let viewer: Viewer
    let command: Command
    let asker: Asker
    let idempotency: IdempotencyKey?
    let exchange: Exchange

    var isBatch: Bool { exchange.isBatch }
}

/// What is needed of a request to answer it once its command is on disk.
struct Exchange: Sendable {
    let connection: ConnectionID
    private let prefersMinimal: Bool
    private let place: Place
    let isBatch: Bool
    private let secret: Secret?
    /// The value of Set-Cookie.
    private let cookie: String?

    init(_ request: borrowing Request, _ location: Location, _ secret: Secret?, cookie: String? = nil) {
        connection = request.connection
        prefersMinimal = Prefer.has(request, "return=minimal")
        let isPost = request.method == .post
        switch location {
        // The ids in it are as bodies have them, however the request wrote them.
        case .here: place = .init(text(of: request.path).lowercased(), isList: isPost)
        case .under(let list): place = .list("\(list)")
        case .at(let path): place = .init(path, isList: isPost)
        case .inClub: place = .membership
        case .inReading: place = .entry
        case .secret: place = secret.map { .shownOnce($0.text) } ?? .none
        case .nowhere, .ofBatch: place = .none
        }
        if case .ofBatch = location { isBatch = true } else { isBatch = false }
        (self.secret, self.cookie) = (secret, cookie)
    }

    /// Where what a command makes can be found.
    enum Location {
        /// Under the request's path: of itself, or of the list that it joins by a `POST`.
        case here
        case under(StaticString)
        /// Under a path in which capitals count.
        case at(String)
        /// Among the members of its club.
        case inClub
        /// Among the entries of its reading, which the answer names.
        case inReading
        /// Where the secret says, which is shown only once.
        case secret
        case nowhere
        /// The answers to the lines of a batch, each of which has its own.
        case ofBatch
    }

    /// The URL of a new resource, as far as the request determines it.
    private enum Place {
        case none
        case one(String)
        /// Followed by the resource's id.
        case list(String)
        case membership
        case entry
        /// A URL that a repeated request does not get again.
        case shownOnce(String)

        init(_ path: String, isList: Bool) { self = isList ? .list(path) : .one(path) }
    }

    /// Where what was made is found.
    func location(of outcome: Outcome) -> String? {
        guard outcome.effect == .created else { return nil }
        switch place {
        case .none: return nil
        case .one(let path): return path
        case .list(let path): return "\(path)/\(outcome.id)"
        case .membership: return outcome.value.flatMap(Self.membership)
        case .entry: return outcome.value.flatMap { Self.entry(outcome.id, in: $0) }
        case .shownOnce(let path): return outcome.isReplay ? nil : path
        }
    }

    /// The URL of a member, which has the reader's id in the place of the member's own.
    private static func membership(of member: [UInt8]) -> String? {
        // A representation is JSON, for the server wrote it.
        guard let member = try? JSONDocument(member).root, let club = member["club"]?.string,
            let reader = member["reader"]?.string
        else { return nil }
        return "/v1/clubs/\(club)/members/\(reader)"
    }

    private static func entry(_ id: ResourceID, in entry: [UInt8]) -> String? {
        // The same.
        (try? JSONDocument(entry).root["reading"]?.string).map { "/v1/readings/\($0)/entries/\(id)" }
    }

    /// Writes what became of the command.
    func write(_ outcome: Outcome, epoch: Epoch, to response: inout ResponseWriter) {
        let isNew = outcome.effect == .created
        let isMinimal = prefersMinimal && !isBatch || outcome.value == nil
        response.status(isNew ? 201 : isMinimal ? 204 : 200)
        if let location = location(of: outcome) { response.field("Location", location) }
        if outcome.value != nil, !isBatch {
            response.field("ETag", ETag.bytes(EventID(epoch: epoch, seq: outcome.validator)))
        }
        if outcome.effect == .unchanged { response.field("Lectern-Unchanged", "true") }
        if outcome.isReplay { response.field("Idempotency-Replayed", "true") }
        if prefersMinimal { response.field("Preference-Applied", "return=minimal") }
        if let cookie, !outcome.isReplay { response.field("Set-Cookie", cookie) }
        if isMinimal && secret == nil { return response.empty() }
        response.field("Cache-Control", secret == nil && cookie == nil ? "private, no-cache" : "no-store")
        response.body(body(outcome), type: "application/json")
    }

    private func body(_ outcome: Outcome) -> [UInt8] {
        let value = outcome.value ?? Array("{}".utf8)
        // A repeated request is answered with the token it made, but its secret was shown once and is not kept.
        guard let secret, !outcome.isReplay else { return value }
        return value.dropLast() + Array(",\"\(secret.name)\":\"\(secret.text)\"}".utf8)
    }
}

/// What an answer shows this once, in a member of this name.
struct Secret: Sendable {
    let name: String
    let text: String
}

extension IdempotencyKey {
    /// The key that makes a write safe to repeat, with a digest of what it must be repeated with: the method, the target, and
    /// what the body says, however it is written. Nil for a write that is not to be repeated.
    init?(_ request: borrowing Request, _ viewer: Viewer) throws(LecternError) {
        guard let field = request.field("idempotency-key") else { return nil }
        try request.demandOnce("idempotency-key")
        let key = text(of: field)
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .refused(
                .malformedIdempotencyKey, "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.")
        }
        var said = bytes(of: request.methodText) + [0] + bytes(of: request.target) + [0]
        let body = bytes(of: request.body)
        do {
            try JSONDocument(body).root.appendCanonical(to: &said)
        } catch {
            // Where a body means nothing it need not be JSON.
            said += body
        }
        self.init(readerKey: viewer.readerKey, key: key, request: SHA256.digest(of: said))
    }
}
