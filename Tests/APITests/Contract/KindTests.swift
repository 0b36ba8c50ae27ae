import Foundation
import Testing

@testable import Model

@Suite("The contract's description of each kind of resource")
struct KindTests {
    private static let schemas = Result { try components("schemas") }
    private static let parameters = Result { try components("parameters") }

    /// Returns a section of the contract's components, by name.
    private static func components(_ section: String) throws -> [String: String] {
        var (components, name): ([String: String], String) = ([:], "")
        let lines = try ContractTests.text().split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != "  \(section):" }.dropFirst()
        for line in lines.prefix(while: { $0.isEmpty || $0.hasPrefix("   ") }) {
            if line.hasPrefix("    "), !line.hasPrefix("     "), let end = line.firstIndex(of: ":") {
                name = String(line[..<end].dropFirst(4))
            }
            components[name, default: ""] += line + "\n"
        }
        return components
    }

    private static func text(of schema: String) throws -> String {
        try #require(try schemas.get()[schema], "the contract has no schema \(schema)")
    }

    private static func title(of kind: ResourceKind) -> String {
        "\(kind)".prefix(1).uppercased() + "\(kind)".dropFirst()
    }

    /// Returns the schema's name for a kind.
    private static func schema(of kind: ResourceKind) -> String {
        switch kind {
        case .note: "BookNote"
        case .moderatorStanding: "Standing"
        default: title(of: kind)
        }
    }

    @Test("A schema has the fields of its resource, in their order", arguments: ResourceKind.allCases)
    func fields(_ kind: ResourceKind) throws {
        let schema = try Self.text(of: Self.schema(of: kind))
        let required = try #require(schema.firstMatch(of: #/\s+required:\s+\[([^\]]*)\]/#), "\(kind)")
        let fields = required.1.replacing("\n", with: " ").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let times: Set = ["createdAt", "updatedAt"]
        func sparse<Kind: Resource>(_ type: Kind.Type) -> [String] {
            Kind.fields.named.filter { $0.isLeftOut != nil }.compactMap { $0.name?.description }
        }
        // Optional fields are not required, and come after all others except the times.
        let leftOut = Resources.all.filter { $0.kind == kind }.flatMap { sparse($0) }
        let always = fields.filter { !times.contains($0) }
        #expect(always + leftOut == ["id", "version"] + kind.fieldNames.map(\.description))
        let properties = schema.components(separatedBy: "\n      properties:").last ?? ""
        // These are specific to the viewer, and not fields of notes and tokens.
        let added = [ResourceKind.note: "opened", .token: "isCurrent"][kind]
        let given = properties.matches(of: #/\n        (\w+):/#).map { String($0.1) }.filter { $0 != added }
        #expect(given == always + leftOut + fields.filter { times.contains($0) })
    }

    @Test(
        "Each kind of resource is in the contract's list of event resources",
        arguments: ResourceKind.allCases.filter { $0 != .stream })
    func events(_ kind: ResourceKind) throws {
        let isNamed = try Self.text(of: "Kind").contains(try Regex("\\b\(kind.name)\\b"))
        #expect(isNamed, "the schema Kind lacks \(kind)")
        let isBrought = try Self.text(of: "Value").contains("/\(Self.schema(of: kind))'")
        #expect(isBrought, "the schema Value lacks \(Self.schema(of: kind))")
    }

    @Test("Request schemas have each field with a rule", arguments: ResourceKind.allCases)
    func requests(_ kind: ResourceKind) throws {
        func ruled<Kind: Resource>(_ type: Kind.Type) -> [String] {
            Kind.fields.named.filter { $0.rule != nil }.compactMap { $0.name?.description }
        }
        let names = Resources.all.filter { $0.kind == kind }.flatMap { ruled($0) }
        for body in ["Draft", "Patch"].map({ Self.schema(of: kind) + $0 }) {
            guard !names.isEmpty, let text = try Self.schemas.get()[body] else { continue }
            for name in names {
                let isSaid = text.contains(try Regex("\\n +\(name):"))
                #expect(isSaid, "the schema \(body) lacks \(name)")
            }
        }
    }

    @Test("The parameter fields lists each field that can change", arguments: ResourceKind.allCases)
    func streams(_ kind: ResourceKind) throws {
        func changing<Kind: Resource>(_ type: Kind.Type) -> [String] {
            let fields = Kind.fields.named.filter { $0.columns.contains { $0.use == .changing } }
            return fields.compactMap { $0.name?.description }
        }
        let parameter = Self.title(of: kind) + "Fields"
        guard let text = try Self.parameters.get()[parameter] else { return }
        for name in Resources.all.filter({ $0.kind == kind }).flatMap({ changing($0) }) {
            let isSaid = text.contains(try Regex("[\\[ ]\(name)[,\\]]"))
            #expect(isSaid, "the parameter \(parameter) lacks \(name)")
        }
    }
}
