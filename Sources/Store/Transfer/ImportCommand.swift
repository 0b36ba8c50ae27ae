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
            return try codec.read(line, state, actor, context)
        }
    }
}
