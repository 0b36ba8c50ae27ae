import Foundation
import JSON
import SharedByTests
import Testing

@Suite("A restored database", .serialized, .ownThreads)
struct RestoreTests {
    @Test("After a restore no older ETag matches, and a resumed stream gets a reset")
    func restored() throws {
        let test = try TestService()
        let made = try test.send("POST", "/v1/books", "{\"title\":\"Kindred\"}")
        let tag = made.etag
        let path = "/v1/books/" + (made["id"]?.string ?? "")
        test.stop()
        let database = test.directory + "/lectern.sqlite"
        try FileManager.default.copyItem(atPath: database, toPath: database + ".backup")
        try test.restart()
        #expect(try test.send("PATCH", path, "{\"title\":\"Dawn\"}", fields: ["If-Match: \(tag)"]).status == 200)
        test.stop()
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: database + ".backup", toPath: database)
        try test.restart()
        #expect(try test.send("PATCH", path, "{\"title\":\"Kin\"}", fields: ["If-Match: \(tag)"]).status == 412)
        let watcher = try Watcher(test, path, lastEventID: tag.replacing("\"", with: ""))
        #expect(watcher.wait(count: 2))
        #expect(watcher.names == ["reset", "snapshot"])
    }
}
