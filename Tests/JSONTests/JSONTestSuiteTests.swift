import JSON
import Testing

@Suite("JSONTestSuite", .enabled(if: JSONTestSuite.isPresent, Comment(rawValue: JSONTestSuite.absent)))
struct JSONTestSuiteTests {
    @Test("All of its files are here")
    func counts() {
        #expect(JSONTestSuite.accepted.count == 95)
        #expect(JSONTestSuite.rejected.count == 188)
    }

    @Test("Valid texts are accepted, and equal when written again", arguments: JSONTestSuite.accepted)
    func accepts(_ file: JSONTestSuite.File) throws {
        let document = try JSONDocument(file.bytes)
        var writer = JSONWriter()
        writer.value(document.root)
        let again = try JSONDocument(writer.bytes)
        #expect(again.root == document.root)
    }

    @Test("Invalid texts are rejected with an offset inside the text", arguments: JSONTestSuite.rejected)
    func rejects(_ file: JSONTestSuite.File) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(file.bytes) }
        #expect((0...file.bytes.count).contains(try #require(error).offset))
    }
}
