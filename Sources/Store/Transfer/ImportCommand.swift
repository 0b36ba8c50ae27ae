package import JSON
import Model

extension Command {
    /// Imports one line of an export. A line whose row exists and is equal changes nothing.
    package static func importLine(_ line: JSONValue, _ context: ImportContext) -> Command {
        Command(isImport: true) { state, actor throws(RequestError) in
            guard line.kind == .object, let kind = line["kind"]?.string else {
                throw .violation("/kind", "is required")
            }
            guard let codec = StoredTable.codecs[kind] else {
                throw .violation("/kind", "is not known to this version")
            }
            if context.isOfAccount, codec.account == nil { throw .foreign }
            return try codec.read(ImportLine(json: line, context: context, actor: actor), state)
        }
    }
}

/// A line that is imported, with its import and the actor of its command.
struct ImportLine {
    let json: JSONValue
    let context: ImportContext
    let actor: CommandActor

    var now: Instant { actor.now }
    /// A decoder of the members besides `kind`.
    var decoder: ObjectDecoder {
        var decoder = ObjectDecoder(json)
        // The member was read before to choose the codec.
        _ = decoder.value("kind")
        return decoder
    }

    subscript(member: String) -> JSONValue? { json[member] }

    /// Returns the id in a member, or `nil` if it contains none.
    func id(_ member: String) -> ResourceID? { json[member].flatMap { ResourceID(json: $0) } }
}
