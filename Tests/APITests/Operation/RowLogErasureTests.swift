import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

@Suite("The log of rows and readers who leave")
struct RowLogErasureTests {
    @Test("A restored backup has no words of a reader who left after it")
    func erased() throws {
        let service = try TestService {
            ($0.store.backups.hours, $0.store.backups.logsRows) = (24, true)
            $0.loops = 1
        }
        let book = try service.make("/v1/books", "{\"title\":\"x\"}")
        let token = try service.reader("Quentin")
        for number in 0..<30 {
            let body = "{\"book\":\"\(book)\",\"body\":\"plughword\(number) xyzzyword\(number)\"}"
            _ = try service.make("/v1/notes", body, token: token)
        }
        // A backup with the words.
        #expect(try service.send("POST", "/v1/admin/backups", "{}").status == 202)
        #expect(
            try eventually {
                try service.send("GET", "/v1/admin/backups")["items"]?.elements.allSatisfy {
                    $0["state"]?.string == "done"
                } ?? false
            })
        let id = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
        #expect(try service.send("DELETE", "/v1/readers/\(id)?confirm=Quentin").status == 204)
        #expect(try eventually { try service.metric("lectern_erasing") == 0 })
        service.stop()
        let folder = service.directory + "/backups"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sqlite") }
        let last = try #require(names.max())
        let backup = try #require(FileManager.default.contents(atPath: folder + "/" + last))
        #expect(backup.range(of: Data("xyzzyword7".utf8)) != nil)
        let target = TestDirectory.memory.path("restored")
        defer { try? FileManager.default.removeItem(atPath: target) }
        _ = try BackupRestoration(folder + "/" + last, into: target, keepsTokens: true).run()
        let restored = try #require(FileManager.default.contents(atPath: target + "/lectern.sqlite"))
        for word in ["xyzzyword", "plughword", "Quentin"] {
            #expect(restored.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        #expect(try Store.check(directory: target) == [])
    }
}
