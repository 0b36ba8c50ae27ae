import Foundation
import HTTPServer
import JSON
import Model
import Testing

@testable import API

@Suite("The contract and the routes")
struct ContractTests {
    private static let read = Result {
        let text = try String(contentsOf: ModuleTests.root.appending(path: "openapi.yaml"), encoding: .utf8)
        return (text: text, contract: Contract(text))
    }

    static func text() throws -> String { try read.get().text }

    static func contract() throws -> Contract { try read.get().contract }

    /// Returns the routes with their operations in the contract.
    static func pairs() throws -> [(route: Route, given: Contract.Operation)] {
        let contract = try contract()
        return try Route.all.map { route in
            let given = contract.operations.first { $0.name == "\(route.operation)" }
            return (route, try #require(given, "\(route.operation) is not in the contract"))
        }
    }

    @Test("The served contract is the contract in the repository")
    func served() throws {
        let service = try TestService()
        #expect(try service.send("GET", "/openapi.yaml", token: "").text == (try Self.text()))
    }

    @Test("The contract as JSON is of the same version, and is served as it is in the repository")
    func json() throws {
        let file = ModuleTests.root.appending(path: "Sources/CContract/openapi.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let service = try TestService()
        #expect(try service.send("GET", "/openapi.json", token: "").text == text)
        let json = try JSONDocument(Array(text.utf8), limits: JSONLimits(bytesMax: 1 << 20, valuesMax: 100_000)).root
        let digest = SHA256.digest(of: Array(try Self.text().utf8)).bytes
        #expect(
            json["x-sha256-of-yaml"]?.string == digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
            "openapi.yaml was edited: run .ci/openapi_json")
        let paths = json["paths"]?.members.map(\.name) ?? []
        #expect(Set(paths) == Set(try Self.contract().operations.map(\.path)))
    }

    @Test("Every operation of the contract is exactly one route, with its path and method")
    func operations() throws {
        let contract = try Self.contract()
        let given = contract.operations.map { "\($0.name): \($0.method) \($0.path)" }
        let routes = Route.all.map { "\($0.operation): \($0.method.text) \($0.path)" }
        #expect(Set(routes).subtracting(given).sorted() == [])
        #expect(Set(given).subtracting(routes).sorted() == [])
        #expect(Set(routes).count == routes.count && routes.count > 80)
    }

    @Test("All groups of routes are in the list of routes")
    func families() throws {
        let declaration = #/static let (\w+): \[Route\] =/#
        let list = try String(
            contentsOf: ModuleTests.root.appending(path: "Sources/API/Routes/Routes.swift"), encoding: .utf8)
        for file in try ModuleTests.sources("Sources/API") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for family in text.matches(of: declaration).map({ String($0.1) }) where family != "all" {
                #expect(list.contains(try Regex("\\b\(family)\\b")), "Route.all lacks \(family)")
            }
        }
    }

    @Test("Routes accept exactly the query parameters in the contract")
    func parameters() throws {
        let query = try Self.contract().query
        for (route, given) in try Self.pairs() {
            let names = given.parameters.compactMap { query[$0] }
            #expect(Set(route.parameters) == Set(names), "\(route.operation)")
        }
    }

    @Test("Routes admit exactly the callers in the contract")
    func admission() throws {
        // A preview says more to whoever is signed in.
        let optional = ["previewLink": "[{}, {token: []}, {session: []}]"]
        for (route, given) in try Self.pairs() {
            let security = optional["\(route.operation)"] ?? "[]"
            #expect(given.security == (route.admission == .anyone ? security : nil), "\(route.operation)")
        }
    }

    @Test("Routes can be watched as the contract says, and each route that cannot has a reason")
    func watching() throws {
        for (route, given) in try Self.pairs() {
            // It is always a stream.
            let isStream = route.isWatchable || "\(route.operation)" == "openStream"
            #expect(given.types.contains("text/event-stream") == isStream, "\(route.operation)")
            #expect(given.parameters.contains("LastEventID") == isStream, "\(route.operation)")
            if case .no(let reason) = route.watching { #expect(reason.utf8CodeUnitCount > 0, "\(route.operation)") }
        }
    }

    /// The operations that are named by an action, because they do not concern one resource.
    private static let named = [
        "postBatch", "importAccount", "importEverything", "resetPassword", "beginSignIn",
        "previewLink",
    ]

    @Test("Operation ids begin with their method")
    func names() {
        let verbs = ["PUT": "put", "PATCH": "update", "DELETE": "delete", "POST": "create"]
        for route in Route.all where !Self.named.contains("\(route.operation)") {
            guard let verb = verbs["\(route.method.text)"] else { continue }
            #expect("\(route.operation)".hasPrefix(verb), "\(route.method.text) \(route.operation)")
        }
    }

    /// The lists that are always short.
    private static let whole = ["listIdentities", "listBackups"]

    @Test("Every list has pages, and returns its cursor under the same name")
    func pages() {
        for route in Route.all where "\(route.operation)".hasPrefix("list") {
            let hasPages = ["limit", "cursor"].allSatisfy(route.parameters.contains)
            #expect(hasPages != Self.whole.contains("\(route.operation)"), "\(route.operation)")
        }
    }

    @Test("The contract has every response that a route implies")
    func answers() throws {
        for (route, given) in try Self.pairs() {
            let isTagged = given.parameters.contains("IfNoneMatch")
            #expect(given.answers.contains("304") == isTagged, "\(route.operation)")
            let isConditional = given.parameters.contains("IfMatch")
            // A batch has no precondition, but its lines do.
            let isBatch = route.operation.description == "postBatch"
            #expect(given.answers.contains("412") == isConditional || isBatch, "\(route.operation)")
            if route.parameters.contains("cursor") { #expect(given.answers.contains("409"), "\(route.operation)") }
        }
    }

    @Test("Every operation refers to the common errors, and lists only the errors that are specific to it")
    func commonErrors() throws {
        let text = try Self.text()
        let response = text.components(separatedBy: "\n    Problem:\n      description: |-\n")
        let description = try #require(response.last?.components(separatedBy: "\n      headers:").first)
        let common = Set(description.matches(of: #/(?:\* |, )`(\d{3})`/#).map { String($0.1) })
        let specific: Set = ["409", "410", "412"]
        #expect(response.count == 2 && common.count > 15 && common.isDisjoint(with: specific))
        let reference = "\n        default: {$ref: '#/components/responses/Problem'}\n"
        #expect(text.ranges(of: reference).count == Route.all.count)
        for given in try Self.contract().operations {
            #expect(given.answers.contains("default"), "\(given.name)")
            // A 503 is a regular response of this operation.
            let listed = given.name == "getReadiness" ? given.answers.subtracting(["503"]) : given.answers
            #expect(listed.isDisjoint(with: common), "\(given.name)")
        }
        let types = text.matches(of: #/\n        \/problems\/[a-z0-9-]+: '(\d{3}): /#)
        #expect(Set(types.map { String($0.1) }) == common.union(specific))
    }
}
