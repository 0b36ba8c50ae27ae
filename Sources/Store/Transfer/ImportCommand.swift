package import JSON
import Model

/// A line of an export on its way in.
extension Command {
    /// Makes of a line what it says, if it is not there yet.
    package static func bring(_ line: JSONValue, _ bringing: Bringing) -> Command {
        Command { state, asker throws(LecternError) in
            guard line.kind == .object, let kind = line["kind"]?.string else {
                throw .invalid([Violation(pointer: "/kind", detail: "is required")])
            }
            guard let portable = StoredTable.portable[kind] else {
                throw .invalid([Violation(pointer: "/kind", detail: "is nothing that this version knows")])
            }
            return try portable.bring(line, state, asker, bringing)
        }
    }
}
