import Foundation
import Testing

@testable import ObservableModels

@Suite("Event names")
struct EventNameTests {
    @Test("The contract names every event of a change", arguments: EventName.allCases)
    func names(_ name: EventName) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let contract = try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8)
        #expect(contract.contains("`\(name.text)`"), "openapi.yaml does not name the event \(name.text)")
    }
}
