import HTTPServer
import JSON
import Model
import Store

/// A write that waits for the writer, and the information for its response.
struct PendingWrite {
    let command: Command
    let actor: CommandActor
    let idempotency: IdempotencyKey?
    let context: ResponseContext
}

/// The parts of a request that its response needs when the command is on disk.
struct ResponseContext: Sendable {
    let connection: ConnectionID
    /// A Boolean value indicating whether the client prefers a response without a body, and gets one.
    private let prefersMinimal: Bool
    private let place: Location
    private let isPost: Bool
    private let secret: ShownSecret?
    /// The value of `Set-Cookie`.
    private let cookie: String?

    init(_ request: borrowing Request, _ location: Location, _ secret: ShownSecret?, cookie: String? = nil) {
        connection = request.connection
        prefersMinimal =
            if case .ofBatch(let isMinimal) = location { isMinimal } else {
                secret == nil && PreferField.returnsMinimal(request)
            }
        isPost = request.method == .post
        // Ids in the path are lowercase in the location, as in bodies, however the request wrote them.
        place = if case .here = location { .at(text(of: request.path).lowercased()) } else { location }
        (self.secret, self.cookie) = (secret, cookie)
    }

    /// The location of the resource that a command creates.
    enum Location: Sendable {
        /// The request's path, or after a `POST` a path below it.
        case here
        /// The given path, whose case is kept, or after a `POST` a path below it.
        case at(String)
        /// After a reader joined a club: the path of the new member, with the club's id from the new membership.
        case inClub
        /// The path of an entry in the reading that the representation of the new entry names.
        case inReading
        /// The URL that is the secret of the response, and is shown only once.
        case secret
        case nowhere
        /// None: each line of a batch has a location of its own. The batch says whether its lines have no bodies.
        case ofBatch(isMinimal: Bool)
    }

    var isBatch: Bool { if case .ofBatch = place { true } else { false } }

    /// Returns the URL of a created resource.
    func location(of outcome: CommandOutcome) -> String? {
        guard outcome.effect == .created else { return nil }
        switch place {
        case .at(let path): return isPost ? outcome.resource.map { "\(path)/\($0.id)" } : path
        case .inClub: return Self.url("clubs", "club", "members", "reader", of: outcome.value)
        case .inReading: return Self.url("readings", "reading", "entries", "id", of: outcome.value)
        // A repeated request does not get the secret again.
        case .secret: return outcome.isReplay ? nil : secret?.text
        case .here, .nowhere, .ofBatch: return nil
        }
    }

    /// Returns the URL of a part in the whole that its representation names. A member of a club has the reader's id there.
    private static func url(
        _ wholes: String, _ whole: String, _ parts: String, _ part: String, of value: [UInt8]?
    ) -> String? {
        // A representation is JSON, because the server wrote it.
        guard let value, let value = try? JSONDocument(value).root, let whole = value[whole]?.string,
            let part = value[part]?.string
        else { return nil }
        return "/v1/\(wholes)/\(whole)/\(parts)/\(part)"
    }

    /// Writes the response to a command.
    func write(_ outcome: CommandOutcome, epoch: LogEpoch, to response: inout ResponseWriter) {
        // A repeated request whose resource may not be shown any more.
        let isLost = outcome.isReplay && outcome.value == nil
        let isNew = outcome.effect == .created && !isLost
        let isMinimal = prefersMinimal && !isBatch || outcome.value == nil
        response.status(isNew ? 201 : isMinimal ? 204 : 200)
        if !isLost, let location = location(of: outcome) { response.field("Location", location) }
        if outcome.value != nil, !isBatch {
            response.field("ETag", ETag.bytes(EventID(epoch: epoch, seq: outcome.validator)))
        }
        if outcome.effect == nil { response.field("Lectern-Unchanged", "true") }
        if outcome.isReplay { response.field("Idempotency-Replayed", "true") }
        // A repeated batch has the bodies that its first response had.
        if prefersMinimal, !isBatch || !outcome.isReplay { response.field("Preference-Applied", "return=minimal") }
        if let cookie, !outcome.isReplay { response.field("Set-Cookie", cookie) }
        if isMinimal && secret == nil { return response.empty() }
        response.field("Cache-Control", secret == nil && cookie == nil ? "private, no-cache" : "no-store")
        response.body(body(outcome), type: "application/json")
    }

    private func body(_ outcome: CommandOutcome) -> [UInt8] {
        let value = outcome.value ?? Array("{}".utf8)
        // The response to a repeated request has no secret, because the secret is not stored.
        guard let secret, !outcome.isReplay else { return value }
        return value.dropLast() + Array(",\"\(secret.name)\":\"\(secret.text)\"}".utf8)
    }
}

/// A secret that a response shows once, as the JSON member `name`.
struct ShownSecret: Sendable {
    let name: String
    let text: String
}

extension IdempotencyKey {
    /// Creates the key with which a write can be repeated safely, or returns `nil` without one. It includes a digest of
    /// the method, the target and the body's JSON in canonical form, which a repetition must match.
    init?(_ request: borrowing Request, _ viewer: Viewer) throws(RequestError) {
        guard let field = request.field("idempotency-key") else { return nil }
        try request.demandOnce("idempotency-key")
        let key = text(of: field)
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .refused(
                .malformedIdempotencyKey, "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.")
        }
        var given = bytes(of: request.methodText) + [0] + bytes(of: request.target) + [0]
        let body = bytes(of: request.body)
        do {
            try JSONDocument(body, limits: ImportDraft.limits).root.appendCanonical(to: &given)
        } catch {
            // A body without a meaning need not be JSON.
            given += body
        }
        self.init(readerKey: viewer.readerKey, key: key, request: SHA256.digest(of: given))
    }
}
