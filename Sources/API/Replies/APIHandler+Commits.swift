import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    /// Hands a command to the writer; the answer is written when it is on disk.
    func commit(
        _ command: Command, _ request: borrowing Request, _ viewer: Viewer, _ response: inout ResponseWriter,
        secret: Secret? = nil, location: String? = nil
    ) throws(LecternError) -> Disposition {
        let idempotency = try idempotencyKey(request, viewer)
        let exchange = Exchange(
            connection: request.connection, prefersMinimal: Prefer.has(request, "return=minimal"),
            path: location ?? text(of: request.path), isPost: request.method == .post, secret: secret)
        let reader = viewer.readerKey
        let waiting = waitingWrites[reader, default: 0]
        guard waiting < service.writesPerReaderMax || viewer.token == nil else {
            throw .tooManyRequests(
                limit: "writesPerReaderMax", max: service.writesPerReaderMax,
                "\(waiting) of your writes are waiting, which is the limit writesPerReaderMax. Wait for their answers.",
                retryAfterSeconds: 1)
        }
        let asker = Asker(viewer, precondition: Precondition(request, epoch: epoch))
        let submission = Submission(command: command, asker: asker, idempotency: idempotency) { [self] result in
            loop.execute {
                self.noteAnswered(reader)
                self.complete(exchange, result)
            }
        }
        guard service.store.submit(submission) else {
            throw .unavailable(.tooManyWrites, "Too many writes are waiting.", retryAfterSeconds: 1)
        }
        waitingWrites[reader] = waiting + 1
        return .deferred
    }

    private func noteAnswered(_ reader: Int64) {
        guard let waiting = waitingWrites[reader] else { return }
        waitingWrites[reader] = waiting > 1 ? waiting - 1 : nil
    }

    /// What an answer shows this once, in a member of this name.
    struct Secret: Sendable {
        let name: String
        let text: String
    }

    /// What is needed of a request to answer it later.
    struct Exchange: Sendable {
        let connection: ConnectionID
        let prefersMinimal: Bool
        /// The request's path: of a new resource, or of the list that it joins; empty for what has no place of its own.
        let path: String
        /// Whether a new resource lives under the path and its id.
        let isPost: Bool
        /// Shown once.
        let secret: Secret?
    }

    private func complete(_ exchange: Exchange, _ result: Result<Outcome, LecternError>) {
        loop.answer(exchange.connection) { response in
            switch result {
            case .failure(let error): _ = self.refuse(error, &response)
            case .success(let outcome): self.write(outcome, exchange, &response)
            }
        }
    }

    private func write(_ outcome: Outcome, _ exchange: Exchange, _ response: inout ResponseWriter) {
        let created = outcome.effect == .created
        let minimal = exchange.prefersMinimal || outcome.value == nil
        response.status(created ? 201 : minimal ? 204 : 200)
        if created, !exchange.path.isEmpty {
            // The ids in it are as bodies have them, however the request wrote them.
            let path = exchange.path.lowercased()
            response.field("Location", exchange.isPost ? "\(path)/\(outcome.id)" : path)
        }
        if outcome.value != nil { response.field("ETag", ETag.bytes(EventID(epoch: epoch, seq: outcome.version))) }
        if outcome.effect == .unchanged { response.field("Lectern-Unchanged", "true") }
        if outcome.isReplay { response.field("Idempotency-Replayed", "true") }
        if exchange.prefersMinimal { response.field("Preference-Applied", "return=minimal") }
        if minimal && exchange.secret == nil { return response.empty() }
        response.field("Cache-Control", exchange.secret == nil ? "private, no-cache" : "no-store")
        response.body(body(outcome, exchange), type: "application/json")
    }

    private func body(_ outcome: Outcome, _ exchange: Exchange) -> [UInt8] {
        let value = outcome.value ?? Array("{}".utf8)
        // A repeated request is answered with the token it made, but its secret was shown once and is not kept.
        guard let secret = exchange.secret, !outcome.isReplay else { return value }
        return value.dropLast() + Array(",\"\(secret.name)\":\"\(secret.text)\"}".utf8)
    }

    /// The key that makes a write safe to repeat, with a digest of what it must be repeated with: the method, the target, and
    /// what the body says, however it is written.
    private func idempotencyKey(_ request: borrowing Request, _ viewer: Viewer) throws(LecternError) -> IdempotencyKey?
    {
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
        return IdempotencyKey(readerKey: viewer.readerKey, key: key, request: SHA256.digest(of: said))
    }
}
