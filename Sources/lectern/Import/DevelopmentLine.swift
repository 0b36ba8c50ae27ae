import JSON
import Model

/// A line of an export of a development version, whose first line has format 1.
///
/// Its notes have a share of the book as their threshold, and no scale. The conversion keeps the thresholds and drops
/// all values that the server derives.
struct DevelopmentLine {
    /// The format of such exports.
    static let format: Int64 = 1

    private static let derivedKinds: Set<String> = ["reach", "measure"]
    private static let derivedMembers: Set<String> = [
        "isFirst", "hindsight", "opens", "opensAt", "opensAtUntold", "frame", "frameAt", "depth", "chaptersAt", "floor",
        "ceiling", "isReticent",
    ]
    /// The slack of notes without a share, in millionths.
    private static let slack = 50_000

    private let line: JSONValue
    private let kind: String

    init?(_ line: JSONValue) {
        guard let kind = line["kind"]?.string, !Self.derivedKinds.contains(kind) else { return nil }
        // The moderators' standing follows from the club's standing and its member's sharing.
        if kind == "standing", line["audience"]?.string == "moderators" { return nil }
        (self.line, self.kind) = (line, kind)
    }

    /// The line in this version's export format.
    var converted: [UInt8] {
        JSONWriter.object { json in
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
        }
    }

    private var memberID: ResourceID? {
        guard let reader = member("reader")?.string.flatMap({ ResourceID($0) }),
            let club = member("club")?.string.flatMap({ ResourceID($0) })
        else { return nil }
        return Member.id(of: reader, in: club)
    }

    private func isLeftOut(_ name: String) -> Bool {
        Self.derivedMembers.contains(name) || kind == "note" && name == "page"
            || kind == "standing" && name == "audience"
    }

    /// Writes a note's position and threshold. The threshold of a club's note is its share; that of a private note is
    /// its position. A note with `isReticent` becomes visible to readers who have finished.
    private func addThreshold(to json: inout JSONWriter) {
        let progress = member("progress")
        if member("at") == nil, let place = member("page") ?? progress {
            json.object("position") { json in
                json.name(member("page") == nil ? "progress" : "page")
                json.value(place)
            }
        }
        json.name("share")
        json.decimal(millionths: share)
    }

    /// The threshold in millionths.
    private var share: Int {
        func millionths(_ name: String) -> Int? { member(name)?.double.map { Int(($0 * 1e6).rounded()) } }
        let progress = millionths("progress")
        let isPrivate = member("club") == nil
        switch line["opens"]?.string {
        case "everyone": return 0
        case "position": return (isPrivate ? progress : millionths("opensAt") ?? progress) ?? 1_000_000
        case nil where member("isReticent") == nil:
            return progress.map { min(isPrivate ? $0 : $0 + Self.slack, 1_000_000) } ?? 0
        default: return 1_000_000
        }
    }

    /// Returns the value of a member, or `nil` if it is missing or null.
    private func member(_ name: String) -> JSONValue? { line[name].flatMap { $0.isNull ? nil : $0 } }
}
