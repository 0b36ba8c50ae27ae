import JSON
import Model

/// A line of an export of a development version, which says the format 1 in its first line.
///
/// Its notes say a share of the book at which they open, and no scale: a note opens where it did, and no line says anything that the
/// server derives.
struct DevelopmentLine {
    /// The format of such exports.
    static let format: Int64 = 1

    private static let derivedKinds: Set<String> = ["reach", "measure"]
    private static let derivedMembers: Set<String> = [
        "isFirst", "hindsight", "opens", "opensAt", "frame", "frameAt", "chaptersAt", "floor", "ceiling", "isReticent",
    ]

    private let line: JSONValue
    private let kind: String

    init?(_ line: JSONValue) {
        guard let kind = line["kind"]?.string, !Self.derivedKinds.contains(kind) else { return nil }
        // What moderators see follows from the club's standing and what its member shares.
        if kind == "standing", line["audience"]?.string == "moderators" { return nil }
        (self.line, self.kind) = (line, kind)
    }

    /// The line as this version exports it.
    var converted: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in line.members where !isLeftOut(name) {
            json.name(name == "at" ? "position" : name)
            if name == "kind", kind == "clubBook" {
                json.string("run")
            } else if name == "id", kind == "member", let id = memberID {
                json.string("\(id)")
            } else {
                json.value(value)
            }
        }
        if kind == "note" { addThreshold(to: &json) }
        json.endObject()
        return json.bytes
    }

    private var memberID: ResourceID? {
        guard let reader = said("reader")?.string.flatMap({ ResourceID($0) }),
            let club = said("club")?.string.flatMap({ ResourceID($0) })
        else { return nil }
        return Member.id(of: reader, in: club)
    }

    private func isLeftOut(_ name: String) -> Bool {
        Self.derivedMembers.contains(name) || kind == "note" && name == "page"
    }

    /// A note of a club opens at the share that it said, and a private one where it is.
    private func addThreshold(to json: inout JSONWriter) {
        let progress = said("progress")
        if said("at") == nil, let place = said("page") ?? progress {
            json.name("position")
            json.beginObject()
            json.name(said("page") == nil ? "progress" : "page")
            json.value(place)
            json.endObject()
        }
        json.name("share")
        let share = said("club") == nil ? progress : said("opensAt") ?? progress
        if line["opens"]?.string == "position", let share {
            json.value(share)
        } else {
            json.integer(line["opens"]?.string == "finished" ? 1 : 0)
        }
    }

    /// Returns the value of a member; `nil` for null, too.
    private func said(_ name: String) -> JSONValue? { line[name].flatMap { $0.isNull ? nil : $0 } }
}
