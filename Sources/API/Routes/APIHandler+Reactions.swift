import HTTPServer
import JSON
import Model
import Store

extension APIHandler {
    /// Says that one has a reaction, or has it no longer.
    func putReaction(
        _ id: ResourceID, _ captures: Captures, isThere: Bool, _ request: borrowing Request, _ viewer: Viewer,
        _ response: inout ResponseWriter
    ) throws(LecternError) -> Disposition {
        guard let reaction = captures.text(1, in: request.path).flatMap({ Reaction(rawValue: $0) }) else {
            let names = Reaction.allCases.map(\.rawValue).joined(separator: ", ")
            throw .refused(.unknownReaction, "The reaction must be one of \(names).")
        }
        return try commit(.react(reaction, to: id, isThere: isThere), request, viewer, &response, location: "")
    }
}
