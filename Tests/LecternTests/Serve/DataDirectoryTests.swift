import Foundation
import Glibc
import JSON
import Outbound
import SharedByTests
import Testing

@Suite("The program and its data directory", .ownThreads)
struct DataDirectoryTests {
    private let data = NSTemporaryDirectory() + "lectern-data-\(UUID().uuidString)"

    @Test("Only serve and import create a data directory, and they say so")
    func making() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        for words in [["token", "create", "--name", "t"], ["token", "list"], ["token", "revoke", "x"], ["check"]] {
            let result = try Binary.run(words + ["--data", data])
            #expect(result.code == 1 && result.err.contains("There is no database in \(data)"), "\(result.err)")
            #expect(access(data, F_OK) != 0)
        }
        let file = data + ".csv"
        try "title\nKindred\n".write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try Binary.run(["import", "books", file, "--data", data])
        #expect(result.code == 0 && result.err.contains("\(data) is a new data directory"), "\(result.err)")
        #expect(try Binary.run(["token", "list", "--data", data]).code == 0)
    }

    @Test("Files that root's commands create belong to the owner of the data directory", .enabled(if: geteuid() == 0))
    func owner() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        _ = try Binary.newData(data)
        let someone: UInt32 = 10_001
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        for path in [data] + names.map({ data + "/" + $0 }) { #expect(lchown(path, someone, someone) == 0) }
        for command in [["compact"], ["backup", data + "/b.sqlite"], ["token", "list"], ["check"]] {
            let result = try Binary.run(command + ["--data", data])
            #expect(result.code == 0, "\(result.err)")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: data) {
            var state = stat()
            #expect(lstat(data + "/" + name, &state) == 0 && state.st_uid == someone, "\(name)")
        }
    }

    @Test("A deleted database file is not created again")
    func lost() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        _ = try Binary.newData(data)
        try FileManager.default.removeItem(atPath: data + "/lectern.sqlite")
        for words in [["serve", "--listen", "127.0.0.1:0"], ["token", "list"]] {
            let result = try Binary.run(words + ["--data", data])
            #expect(result.code == 1 && result.err.contains("restore a backup"), "\(result.err)")
        }
    }

    @Test(
        "A server whose directory is deleted or moved ends with code 1 and a reason", arguments: ["delete", "move"])
    func pulled(_ how: String) throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        defer { try? FileManager.default.removeItem(atPath: data + ".moved") }
        let server = try Binary(data: data)
        if how == "delete" {
            try FileManager.default.removeItem(atPath: data)
        } else {
            try FileManager.default.moveItem(atPath: data, toPath: data + ".moved")
        }
        #expect(eventually { !server.process.isRunning })
        #expect(server.process.terminationStatus == 1)
    }

    /// Returns the error of `serve` on an unusable file system, which has the path and the reason.
    private func refusal(of data: String) throws -> String {
        let result = try Binary.run(["serve", "--listen", "127.0.0.1:0", "--data", data])
        #expect(result.code == 1 && result.err.contains(data), "\(result.err)")
        return result.err
    }

    @Test(
        "A first start on a full disk says so, and the next one with space creates the database",
        .enabled(if: SmallDisk.isPossible))
    func noRoom() throws {
        let disk = try #require(SmallDisk())
        disk.fill()
        #expect(try refusal(of: disk.path + "/data").contains("space"))
        disk.fill(leaving: 64 << 10)
        #expect(try refusal(of: disk.path + "/data").contains("space"))
        disk.empty()
        #expect(try !Binary.newData(disk.path + "/data").isEmpty)
    }

    @Test("A read-only file system is reported with its path", .enabled(if: SmallDisk.isPossible))
    func readOnly() throws {
        let disk = try #require(SmallDisk())
        _ = try Binary.newData(disk.path + "/data")
        #expect(mount("lectern", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        #expect(try refusal(of: disk.path + "/data").contains("Read-only file system"))
    }

    @Test("A server whose socket was deleted is reported as in need of a restart")
    func socketGone() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Binary(data: data)
        try FileManager.default.removeItem(atPath: data + "/lectern.sock")
        for words in [["token", "list"], ["check"]] {
            let result = try Binary.run(words + ["--data", data])
            #expect(result.code == 1 && result.err.contains("(process \(server.process.processIdentifier))"))
            #expect(
                result.err.contains("\(data)/lectern.sock") && result.err.contains("restart the server"),
                "\(result.err)")
        }
        #expect(server.stop(with: SIGTERM) == 0)
    }

    @Test("A server that cannot create its socket continues without it")
    func noSocket() throws {
        let long = data + String(repeating: "x", count: 100)
        defer { try? FileManager.default.removeItem(atPath: long) }
        let server = try Binary(data: long)
        #expect(try Client(port: server.port, token: "").exchange("GET", "/healthz").status == 200)
        #expect(server.stop(with: SIGTERM) == 0)
    }
}
