import Bytes
import Testing

@testable import HTTPServer

@Suite("Query parameters")
struct QueryParametersTests {
    private func read(_ query: String, countMax: Int = 4) -> Result<[String], InvalidText> {
        let bytes = [UInt8](query.utf8)
        do throws(InvalidText) {
            let parameters = try QueryParameters(bytes.span.bytes, countMax: countMax)
            return .success(parameters.all.map { "\($0.name)=\($0.value)" })
        } catch {
            return .failure(error)
        }
    }

    private static let valid: [(String, [String])] = [
        ("", []), ("a=b", ["a=b"]), ("a=b&c=d", ["a=b", "c=d"]), ("a", ["a="]), ("a=", ["a="]), ("=b", ["=b"]),
        ("a=b=c", ["a=b=c"]), ("&&a=b&", ["a=b"]), ("a+b=c+d", ["a b=c d"]), ("a%2Bb=%26%3D", ["a+b=&="]),
        ("q=%C3%A4", ["q=ä"]),
    ]

    @Test("Queries are decoded", arguments: valid)
    func decodes(_ query: String, _ expected: [String]) { #expect(read(query) == .success(expected)) }

    private static let invalid: [(String, String)] =
        ["a=%", "a=%4", "a=%ff", "%zz=1"].map { ($0, "Query parameter 1 is not percent-encoded UTF-8 text") } + [
            ("b=1&a=%4g", "Query parameter 2 is not percent-encoded UTF-8 text"),
            ("a=1&a=2", "The query parameter \"a\" is given more than once"),
            ("a=1&%61=2", "The query parameter \"a\" is given more than once"),
            ("a&b&c&d&e", "The query has more than 4 parameters"),
        ]

    @Test("Malformed, repeated and too many are refused", arguments: invalid)
    func refuses(_ query: String, _ reason: String) {
        #expect(read(query) == .failure(InvalidText(reason: reason)))
    }

    @Test("An unknown name is found")
    func unknown() throws {
        let bytes = [UInt8]("limit=3&colour=red".utf8)
        let parameters = try QueryParameters(bytes.span.bytes)
        #expect(parameters["limit"] == "3")
        #expect(parameters["after"] == nil)
        #expect(parameters.firstUnknown(["limit", "after"]) == "colour")
        #expect(parameters.firstUnknown(["limit", "colour"]) == nil)
    }
}
