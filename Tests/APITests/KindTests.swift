import Foundation
import Model
import Testing

@Suite("What the contract says of each kind of resource")
struct KindTests {
    /// The schema of a kind, where it is not called like it.
    static let schemas: [ResourceKind: String] = [.note: "BookNote"]

    @Test("Has the fields that the resource has, in their order", arguments: ResourceKind.allCases)
    func fields(_ kind: ResourceKind) throws {
        let contract = try String(contentsOf: HouseTests.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let name = Self.schemas[kind] ?? kind.name.prefix(1).uppercased() + kind.name.dropFirst()
        let schema = try #require(
            contract.components(separatedBy: "\n  schemas:\n").last?.components(separatedBy: "\n    \(name):\n")
                .dropFirst().first, "the contract has no schema \(name)")
        let required = try #require(schema.firstMatch(of: #/\s+required:\s+\[([^\]]*)\]/#), "\(name)")
        let fields = required.1.replacing("\n", with: " ").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let times: Set = ["createdAt", "updatedAt"]
        #expect(fields.filter { !times.contains($0) } == ["id", "version"] + kind.fieldNames.map(\.description))
    }
}
