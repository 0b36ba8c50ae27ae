import Testing

@testable import HTTPServer

@Suite("The response writer")
struct ResponseWriterTests {
    /// Returns the writer's output without its Date.
    private func write(
        head: Bool = false, isHTTP10: Bool = false, keepsAlive: Bool = true, _ body: (inout ResponseWriter) -> Void
    ) -> String {
        let output = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: 1)
        output.initialize(to: ByteBuffer())
        let date = UnsafeMutablePointer<DateHeaderField>.allocate(capacity: 1)
        date.initialize(to: DateHeaderField())
        defer {
            output.deinitialize(count: 1)
            output.deallocate()
            date.deinitialize(count: 1)
            date.deallocate()
        }
        output.pointee.append("before|")
        var response = ResponseWriter(
            output: output, date: date, ResponseTerms(omitsBody: head, isHTTP10: isHTTP10, keepsAlive: keepsAlive))
        body(&response)
        response.finish()
        return output.pointee.text
    }

    @Test("A response has its status, fields and length")
    func plain() {
        let text = write {
            $0.status(201)
            $0.field("X", "a")
            $0.field("Y", [98])
            $0.field("N", -7)
            $0.body([104, 105], type: "text/plain")
        }
        #expect(
            text
                == "before|HTTP/1.1 201 Created\r\nX: a\r\nY: b\r\nN: -7\r\nContent-Type: text/plain\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 2\r\n\r\nhi"
        )
    }

    @Test("A late status replaces an early one")
    func lateStatus() {
        let text = write {
            $0.field("X", "a")
            $0.status(404)
            $0.field("Y", "b")
        }
        #expect(text == "before|HTTP/1.1 404 Not Found\r\nX: a\r\nY: b\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("HEAD has the length without the bytes; 204 and 304 have neither")
    func withoutBody() {
        #expect(write(head: true) { $0.body([1, 2, 3], type: "a/b") }.hasSuffix("Content-Length: 3\r\n\r\n"))
        for code in [204, 304] {
            let text = write {
                $0.status(code)
                $0.body([1, 2, 3], type: "a/b")
            }
            #expect(!text.contains("Content-") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("The Connection field says whether the connection stays open")
    func connection() {
        #expect(write(keepsAlive: false) { $0.empty() }.contains("\r\nConnection: close\r\n"))
        #expect(write(isHTTP10: true) { $0.empty() }.contains("\r\nConnection: keep-alive\r\n"))
        #expect(!write { $0.empty() }.contains("Connection"))
        let stream = "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n:\n\r\n"
        #expect(write { $0.stream([58, 10], type: "text/event-stream") }.hasSuffix(stream))
        let toHead = write(head: true) { $0.stream([58, 10], type: "text/event-stream") }
        #expect(toHead.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(toHead.hasSuffix("\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"))
        let to10 = write(isHTTP10: true) { $0.stream([58, 10], type: "text/event-stream") }
        #expect(to10.hasSuffix("\r\nConnection: close\r\n\r\n:\n") && !to10.contains("chunked"))
    }

    @Test("CR, LF and NUL never reach a head", arguments: ["a\rb", "a\nb", "a\0b", "\r\n"])
    func injection(_ value: String) {
        var refusal: String?
        let text = write {
            $0.status(200)
            $0.field("X", value)
            $0.field("Y", "late")
            $0.body([104, 105], type: "text/plain")
            refusal = $0.refusal.map { "\($0)" }
        }
        #expect(text.hasPrefix("before|HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(!text.contains("X:") && !text.contains("hi") && refusal != nil)
    }

    @Test("Numbers are written in decimal")
    func decimal() {
        for value in [0, 9, 10, 99, 100, 12345, Int.max, Int.min] {
            var buffer = ByteBuffer()
            buffer.append(decimal: value)
            #expect(buffer.text == "\(value)")
        }
    }
}
