import Bytes
import Model

/// The one page: it signs in and out, takes invitations, and shows what one has here. Nothing in it comes from elsewhere, and only its own
/// script runs.
enum SignInPage {
    /// The page; it is the same for everybody.
    static let whole: Landing = {
        let (style, script) = (PageFiles.style, PageFiles.script)
        let html = String(decoding: PageFiles.html, as: UTF8.self)
            .replacing("/*style*/", with: String(decoding: style, as: UTF8.self))
            .replacing("/*script*/", with: String(decoding: script, as: UTF8.self))
        let policy = """
            default-src 'none'; script-src \(hash(script)); style-src \(hash(style)); connect-src 'self'; img-src data:; \
            base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
            """
        return Landing(body: Array(html.utf8), type: "text/html; charset=utf-8", policy: policy, isKept: true)
    }()

    /// What somebody sees whom the provider sent back in vain.
    static func refusal(_ problem: Problem, cookies: [String]) -> Landing {
        let style = PageFiles.style
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Lectern</title><link rel="icon" href="data:,"><style>\(String(decoding: style, as: UTF8.self))</style></head>
            <body><main><h1>Lectern</h1><h2>\(escaped(problem.kind.page.title))</h2>
            <p role="alert">\(escaped(problem.detail))</p><p><a href="/sign-in">Begin again</a></p></main></body></html>

            """
        let policy = """
            default-src 'none'; style-src \(hash(style)); img-src data:; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'
            """
        return Landing(
            status: problem.kind.page.status, cookies: cookies, body: Array(html.utf8),
            type: "text/html; charset=utf-8",
            policy: policy)
    }

    private static func hash(_ source: [UInt8]) -> String {
        "'sha256-\(Base64URL.padded(SHA256.digest(of: source).bytes))'"
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
