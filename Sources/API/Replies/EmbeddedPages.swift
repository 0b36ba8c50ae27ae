import CPages
import HTTPServer
import Model

/// The pages for people, and the scripts and styles that they load. All files are part of the program.
enum EmbeddedPages {
    /// The content security policy. A page loads its own files, sends requests to this server, and does nothing else.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    /// The content security policy of a page without a script.
    private static let policyWithoutScript = """
        default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The first path segments of the reader's page. `""` stands for the path `/`.
    private static let readerPaths: Set<String> = [
        "", "books", "readings", "shelves", "clubs", "notes", "meetings", "search", "me", "settings",
    ]
    /// The pages with a single path.
    private static let otherPages: Set<String> = ["sign-in", "inspect", "docs", "admin"]

    /// The responses with the files, by the paths below the folder of pages.
    private static let files: [String: DocumentResponse] = {
        var files: [String: DocumentResponse] = [:]
        for index in 0..<lectern_page_count() {
            let file = lectern_page(index)
            let path = String(cString: file.path)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            let isPage = path.hasSuffix(".html")
            files[path] = DocumentResponse(
                body: bytes, type: type(of: path), caching: "no-cache", tag: ETag.bytes(hashing: bytes),
                vary: isPage ? "Accept" : nil, policy: isPage ? policy : nil, hidesURL: true)
        }
        return files
    }()

    private static func type(of path: String) -> StaticString {
        if path.hasSuffix(".html") { return "text/html; charset=utf-8" }
        return path.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8"
    }

    /// Returns the page or file that a request asks for, or `nil` if it asks for none.
    ///
    /// The reader's page is only sent to clients that name `text/html` in `Accept`, as browsers do. It also says that an
    /// address is unknown.
    static func response(to request: borrowing Request) -> DocumentResponse? {
        guard request.method == .get || request.method == .head else { return nil }
        let path = text(of: request.path)
        let first = String(path.dropFirst().prefix { $0 != "/" })
        let name: String
        var isUnknown = false
        if first == "pages" {
            name = String(path.dropFirst("/pages/".count))
        } else if otherPages.contains(first) {
            name = "\(first)/index.html"
        } else if MediaType.isNamed("text/html", request) {
            name = "reader/index.html"
            isUnknown = !readerPaths.contains(first)
        } else {
            return nil
        }
        guard var page = files[name] else { return nil }
        if isUnknown { (page.status, page.tag) = (404, nil) }
        return page
    }

    /// Returns the page that reports a refused sign-in at the identity provider.
    static func refusal(_ problem: ProblemResponse, cookies: [String]) -> DocumentResponse {
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Lectern</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/pages/shared/base.css"></head>
            <body><main><h1>Lectern</h1><h2>\(escaped(problem.kind.page.title))</h2>
            <p role="alert">\(escaped(problem.detail))</p><p><a href="/sign-in">Begin again</a></p></main></body></html>

            """
        return DocumentResponse(
            status: problem.kind.page.status, body: Array(html.utf8), type: "text/html; charset=utf-8",
            caching: "no-store", cookies: cookies, policy: policyWithoutScript, hidesURL: true)
    }

    /// Returns a text escaped for HTML and XML.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
