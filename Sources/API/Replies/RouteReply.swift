import JSON
import Model
import ObservableModels
import Passwords
import Store

/// A handler's reply. The pipeline writes it, or makes a stream of it if the request asks for one.
enum RouteReply {
    /// A resource by its id.
    case one(SingleResource)
    /// A page of a list, or another resource that can be watched.
    indirect case list(WatchPlan, page: () throws(RequestError) -> EncodedListPage)
    case document(DocumentResponse)
    /// A response that is written later.
    case deferred(DeferredResponse)
    /// A command for the writer.
    indirect case commit(
        Command, location: ResponseContext.Location = .here, secret: ShownSecret? = nil, cookie: String? = nil)

    /// A resource, with the way to read and cache it.
    struct SingleResource {
        let kind: ResourceKind
        let id: ResourceID
        /// The audience, if it never changes. The representation is then cached. Otherwise it is read each time.
        let cacheScope: ChangeScope?
        let load: (ReadConnection) throws(RequestError) -> EncodedResource
    }
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
        let exchange = ResponseContext(request, location, opening?.secret, cookie: opening?.cookie)
        let job = ResponseJob(.password, request) { () throws(RequestError) in
            let command = try await service.accounts.onPasswordThread(guess, work)
            let outcome = try await service.store.perform(command, as: actor)
            then()
            return .outcome(outcome, exchange)
        }
        return .deferred(.job(job))
    }

    /// Returns the reply with a resource, or `notFound` if `load` returns `nil`. It is watched by its own changes, and
    /// ends with `whole`, which contains it, unless `watch` is given. `club` is the key of its club.
    @inline(__always)
    func one<Value: Resource>(
        _ id: ResourceID, of club: Int64? = nil, whole: WatchTopic? = nil, watch: @autoclosure () -> WatchPlan? = nil,
        cacheScope: ChangeScope? = nil, _ load: @escaping (ReadConnection) throws(RequestError) -> Value?
    ) -> RouteReply {
        let encoded = { (reads: ReadConnection) throws(RequestError) in
            guard let value = try load(reads) else { throw .notFound }
            return EncodedResource(version: value.version, validator: value.validator, bytes: value.encoded())
        }
        guard isWatched else {
            return .one(RouteReply.SingleResource(kind: Value.kind, id: id, cacheScope: cacheScope, load: encoded))
        }
        return watched(Value.kind, id, of: club, whole: whole, watch: watch(), encoded)
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
