import HTTPServer
import Testing

@Suite("Event frames")
struct EventFrameTests {
    private func text(_ frame: [UInt8]?) -> String? { frame.map { String(decoding: $0, as: UTF8.self) } }

    @Test("a frame has its lines, and an empty one at the end")
    func frames() {
        let id = [UInt8]("a-1".utf8)
        let data = [UInt8]("{}".utf8)
        #expect(
            text(EventFrame.encode(id: id, event: "updated", data: data)) == "id: a-1\nevent: updated\ndata: {}\n\n")
        #expect(text(EventFrame.encode(id: id, event: nil, data: nil)) == "id: a-1\n\n")
        #expect(text(EventFrame.retry(milliseconds: 1500)) == "retry: 1500\n\n")
        #expect(text(EventFrame.heartbeat) == ":\n\n")
    }

    @Test("line ends and NUL make no frame", arguments: ["a\nb", "a\rb", "a\0"])
    func refuses(_ value: String) {
        #expect(EventFrame.encode(id: [UInt8](value.utf8), event: nil, data: nil) == nil)
        #expect(EventFrame.encode(id: nil, event: nil, data: [UInt8](value.utf8)) == nil)
    }
}
