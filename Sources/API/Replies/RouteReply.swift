import JSON
import Model
import ObservableModels
import Passwords
import Store

/// A handler's reply. The pipeline writes it, or makes a stream of it if the request asks for one.
enum RouteReply {
    /// A page of a list, or another resource that can be watched.
    indirect case list(WatchPlan, page: () throws(RequestError) -> EncodedListPage)
    case document(DocumentResponse)
    /// A response that is written later.
    case deferred(DeferredResponse)
    /// A command for the writer.
    indirect case commit(
        Command, location: ResponseContext.Location = .here, secret: ShownSecret? = nil, cookie: String? = nil)
}

extension RouteReply {
    /// Returns the reply with a JSON object that must not be stored. `write` writes its members.
    static func json(status: Int = 200, _ write: (inout JSONWriter) -> Void) -> RouteReply {
        .document(DocumentResponse(status: status, body: JSONWriter.object(write), caching: "no-store"))
    }
}

extension RouteCall {
    /// Returns the reply of a command that depends on the password thread. `then` is called when it is on disk. Nothing
    /// of such a request is stored under an `Idempotency-Key`, because its digest would include a password.
    func password(
        _ guess: CountedPasswordGuess, location: ResponseContext.Location = .nowhere, opening: SessionCreation? = nil,
        _ work: @escaping @Sendable (PasswordHasher) throws(RequestError) -> Command,
        then: @escaping @Sendable () -> Void = {}
    ) -> RouteReply {
        let (service, actor) = (service, CommandActor(viewer, at: now))
        let context = ResponseContext(request, location, opening?.secret, cookie: opening?.cookie)
        let job = ResponseJob(.password, request) { () throws(RequestError) in
            let command = try await service.accounts.onPasswordThread(guess, work)
            let outcome = try await service.store.submitAndWait(command, as: actor)
            then()
            return .outcome(outcome, context)
        }
        return .deferred(.job(job))
    }

    /// Returns the reply with a resource, or `notFound` if `load` returns `nil`. It is watched by its own changes, and
    /// ends with `whole`, which contains it, unless `watch` is given. `club` is the key of its club. `cacheScope` is its
    /// audience, if that never changes: the representation is then cached.
    @inline(__always)
    func one<Value: Resource>(
        _ id: ResourceID, of club: Int64? = nil, whole: WatchTopic? = nil, watch: @autoclosure () -> WatchPlan? = nil,
        cacheScope: ChangeScope? = nil, _ load: @escaping (ReadConnection) throws(RequestError) -> Value?
    ) throws(RequestError) -> RouteReply {
        let encoded = { (reads: ReadConnection) throws(RequestError) in
            guard let value = try load(reads) else { throw .notFound }
            return EncodedResource(version: value.version, validator: value.validator, bytes: value.encoded())
        }
        guard isWatched else {
            return .document(try document(Value.kind, id, cacheScope: cacheScope, encoded))
        }
        return watched(Value.kind, id, of: club, whole: whole, watch: watch(), encoded)
    }

    /// Returns a resource from the cache or the database.
    private func document(
        _ kind: ResourceKind, _ id: ResourceID, cacheScope: ChangeScope?,
        _ load: (ReadConnection) throws(RequestError) -> EncodedResource
    ) throws(RequestError) -> DocumentResponse {
        _ = try query.fields(of: kind)
        try pipeline.requireJSON(request)
        let (models, epoch) = (pipeline.models, pipeline.epoch)
        if cacheScope != nil, let known = models.value(kind, id) {
            guard viewer.maySee(known.scope) else { throw .notFound }
            let seq = id.validator(version: known.version)
            return .own(known.bytes, tag: ETag.bytes(EventID(epoch: epoch, seq: seq)))
        }
        let found = try load(reads)
        if let scope = cacheScope { models.store(kind, id, version: found.version, bytes: found.bytes, scope: scope) }
        return .own(found.bytes, tag: ETag.bytes(EventID(epoch: epoch, seq: found.validator)))
    }

    @inline(never)
    private func watched(
        _ kind: ResourceKind, _ id: ResourceID, of club: Int64?, whole: WatchTopic?, watch: WatchPlan?,
        _ encoded: @escaping (ReadConnection) throws(RequestError) -> EncodedResource
    ) -> RouteReply {
        let own = WatchPlan(topics: [.resource(kind, id)], kind: kind, club: club, whole: whole)
        return .list(watch ?? own) { [reads] () throws(RequestError) in
            EncodedListPage(body: try encoded(reads).bytes)
        }
    }
}

/// A resource's representation and version.
struct EncodedResource {
    let version: Int64
    /// The number in the ETag.
    let validator: Int64
    let bytes: [UInt8]
}
