import Model
import ObservableModels
import Store

/// What a handler decided to answer. The desk writes it, or turns it into a stream where one is asked for.
enum Reply {
    /// A resource under its id.
    case one(One)
    /// A page of a list.
    case list(Watch, page: () throws(LecternError) -> EncodedPage)
    case document(Document)
    /// The changes after a cursor, or those that are waited for.
    case changes
    /// A command for the writer.
    case commit(Command, location: Exchange.Location = .here, secret: Secret? = nil)

    /// One resource: how it is found, held and watched.
    struct One {
        let kind: ResourceKind
        let id: ResourceID
        /// The key of the club whose it is; nil for what is no club's.
        let club: Int64?
        /// What it is a part of, and ends with.
        let whole: Topic?
        /// How it is watched, when not by its own changes.
        let view: Watch?
        /// Who may see it, where that never changes: then its representation is held. What is not held is read anew each time.
        let held: Scope?
        let load: (ReadConnection) throws(LecternError) -> EncodedResource

        var watch: Watch { view ?? Watch(topics: [.resource(kind, id)], kind: kind, club: club, whole: whole) }
    }

    /// A resource under its id; without a value there is none.
    @inline(__always)
    static func one<Value: Resource>(
        _ id: ResourceID, of club: Int64? = nil, whole: Topic? = nil, watch: Watch? = nil, held: Scope? = nil,
        _ load: @escaping (ReadConnection) throws(LecternError) -> Value?
    ) -> Reply {
        .one(
            One(kind: Value.kind, id: id, club: club, whole: whole, view: watch, held: held) {
                reads throws(LecternError) in
                guard let value = try load(reads) else { throw .notFound }
                return EncodedResource(version: value.version, bytes: value.encoded())
            })
    }
}

/// A resource's representation, and of which version it is.
struct EncodedResource {
    let version: Int64
    let bytes: [UInt8]
}
