import JSON
import Testing

@Suite("Covers in exports")
struct CoverTransferTests {
    private static let gif = Array("GIF89a, another".utf8)

    @Test(
        "A cover is imported with its book, replaced only with --replace, and always matches its digest"
    )
    func moved() throws {
        let (from, to) = (try TestService(), try TestService())
        let book = try from.make("/v1/books", "{\"title\":\"Emma\"}")
        func lines() throws -> [String] {
            try from.lines("/v1/admin/export").filter { $0.contains("\"book\"") }
        }
        func shown(_ service: TestService) throws -> [String?] {
            let cover = try service.send("GET", "/v1/books/\(book)/cover")
            return [try service.send("GET", "/v1/books/\(book)")["coverDigest"]?.string, cover.etag, cover.text]
        }
        #expect(try CoverTests.upload(ImageServer.png, book, from).status == 200)
        #expect(try to.bring(lines())["refused"]?.elements.isEmpty == true)
        let first = try shown(to)
        #expect(try first == shown(from))
        #expect(try CoverTests.upload(Self.gif, book, from).status == 200)
        #expect(try to.bring(lines())["refused"]?.elements.map { $0 }.count == 1)
        #expect(try shown(to) == first)
        #expect(try to.bring(lines(), more: "\"replace\":true,")["refused"]?.elements.isEmpty == true)
        #expect(try shown(to) == shown(from))
        #expect(try to.bring(lines())["unchanged"]?.integer == 2)
    }
}
