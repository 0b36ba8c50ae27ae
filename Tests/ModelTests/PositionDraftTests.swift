import JSON
import Model
import Testing

/// Null beside a position, and instead of one.
@Suite("Drafts of positions")
struct PositionDraftTests {
    private static func milestone(_ members: String, _ form: BodyForm) throws -> MilestonePatch {
        let body = #"{"dueAt":"2090-01-01T00:00:00Z",\#(members)}"#
        return try MilestonePatch(JSONDocument(Array(body.utf8)).root, form: form)
    }

    @Test("Null beside a position says nothing", arguments: [BodyForm.whole, .patch])
    func beside(form: BodyForm) throws {
        let patch = try Self.milestone(#""progress":null,"page":40,"at":null"#, form)
        guard case .set(let position) = patch.position else {
            Issue.record("no position")
            return
        }
        #expect(position == .page(40))
    }

    @Test(
        "Null instead of a position is a missing one where something is made, and removes none in a patch",
        arguments: [
            (BodyForm.whole, "is required, unless"), (.patch, "can be replaced by another position, not removed"),
        ])
    func instead(form: BodyForm, detail: String) throws {
        do {
            _ = try Self.milestone(#""progress":null"#, form)
            Issue.record("taken")
        } catch LecternError.invalid(let violations) {
            #expect(violations.map(\.pointer) == ["/progress"])
            #expect(violations.allSatisfy { $0.detail.hasPrefix(detail) })
        }
    }
}
