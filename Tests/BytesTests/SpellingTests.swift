import Bytes
import Testing

@Suite("Spelling")
struct SpellingTests {
    private static let known = ["title", "authors", "pageCount", "id", "at"]

    @Test(
        "The most similar known name is suggested, and no dissimilar one",
        arguments: [
            ("titel", "title"), ("author", "authors"), ("page_count", "pageCount"), ("PAGECOUNT", "pageCount"),
            ("pagecounts", "pageCount"), ("ID", "id"), ("x", nil), ("it", nil), ("colour", nil), ("", nil),
            (String(repeating: "title", count: 1_000_000), nil),
        ] as [(String, String?)])
    func nearest(_ name: String, _ suggestion: String?) {
        #expect(SimilarNameSearch.nearest(name, among: Self.known) == suggestion)
    }

    @Test("The first of two equally similar names is suggested, and a caller may allow more differences")
    func choice() {
        #expect(SimilarNameSearch.nearest("abcx", among: ["abcd", "abce"]) == "abcd")
        #expect(SimilarNameSearch.nearest("srv", among: ["serve"]) == nil)
        #expect(SimilarNameSearch.nearest("srv", among: ["serve"], differencesMax: 3) == "serve")
    }
}
