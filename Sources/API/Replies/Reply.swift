import Model
import ObservableModels
import Store

/// What a handler decided to answer. The desk writes it, or turns it into a stream where one is asked for.
enum Reply {
    /// A resource under its id.
    case one(One)
    /// A page of a list, or what else can be watched.
    indirect case list(Watch, page: () throws(LecternError) -> EncodedPage)
    case document(Document)
    case landing(Landing)
    /// To be answered when another server has.
    indirect case errand(Errand)
    /// The changes after a cursor, or those that are waited for.
    indirect case changes(after: String, limit: Int)
    /// The events of a stream, for the viewer whose it is.
    indirect case stream(Model.Stream, Viewer)
    /// What was opened has ended for good.
    case ended
    /// What is written into a file first, and then sent.
    indirect case export(Export)
    /// A command for the writer.
    indirect case commit(
        Command, location: Exchange.Location = .here, secret: Secret? = nil, cookie: String? = nil)
    /// The same of what follows from what the password thread finds. Nothing of such a request is kept under an `Idempotency-Key`: its
    /// digest would be one of a password.
    indirect case password(PasswordWork, Guess, location: Exchange.Location, secret: Secret?, cookie: String?)
    /// The lines of a batch, for the writer.
    case batch([BatchLine], isAtomic: Bool)

    /// One resource: how it is found and held.
    struct One {
        let kind: ResourceKind
        let id: ResourceID
        /// Who may see it, where that never changes: then its representation is held. What is not held is read anew each time.
        let held: Scope?
        let load: (ReadConnection) throws(LecternError) -> EncodedResource
    }
}

extension Call {
    /// A resource under its id; without a value there is none. It is watched by its own changes, and ends with the `whole` that it is a
    /// part of, unless `watch` says otherwise. `club` is the key of the club whose it is.
    @inline(__always)
    func one<Value: Resource>(
        _ id: ResourceID, of club: Int64? = nil, whole: Topic? = nil, watch: @autoclosure () -> Watch? = nil,
        held: Scope? = nil, _ load: @escaping (ReadConnection) throws(LecternError) -> Value?
    ) -> Reply {
        let encoded = { (reads: ReadConnection) throws(LecternError) in
            guard let value = try load(reads) else { throw .notFound }
            return EncodedResource(version: value.version, bytes: value.encoded())
        }
        guard isWatched else { return .one(Reply.One(kind: Value.kind, id: id, held: held, load: encoded)) }
        return watched(Value.kind, id, of: club, whole: whole, watch: watch(), encoded)
    }

    @inline(never)
    private func watched(
        _ kind: ResourceKind, _ id: ResourceID, of club: Int64?, whole: Topic?, watch: Watch?,
        _ encoded: @escaping (ReadConnection) throws(LecternError) -> EncodedResource
    ) -> Reply {
        let own = Watch(topics: [.resource(kind, id)], kind: kind, club: club, whole: whole)
        return .list(watch ?? own) { [reads] () throws(LecternError) in
            EncodedPage(body: try encoded(reads).bytes, next: nil)
        }
    }
}

/// A resource's representation, and of which version it is.
struct EncodedResource {
    let version: Int64
    let bytes: [UInt8]
}
