import Foundation
import Glibc
import JSON
import Outbound
import Synchronization
import Testing

/// A file system of its own, in memory, as small as one likes. Taken away with the instance.
final class SmallDisk {
    let path: String

    /// Nil where mounting is not allowed: that needs the rights of an administrator.
    init?(mebibytes: Int) {
        path = NSTemporaryDirectory() + "lectern-disk-\(UUID().uuidString)"
        mkdir(path, 0o700)
        guard mount("lectern", path, "tmpfs", 0, "size=\(mebibytes)m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Writes a file until not a byte more fits.
    func fill() {
        let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        var size = 1 << 20
        let zeros = [UInt8](repeating: 0, count: size)
        while size > 0 { if write(descriptor, zeros, size) <= 0 { size /= 2 } }
    }

    func empty() { unlink(path + "/filler") }

    static let isPossible = SmallDisk(mebibytes: 1) != nil
}

@Suite("The program on a full disk")
struct FullDiskTests {
    @Test(
        "Writes are refused with 507, reads and streams go on, and all is well again when there is room",
        .enabled(if: SmallDisk.isPossible, "needs the right to mount a tmpfs"))
    func fullDisk() throws {
        let disk = try #require(SmallDisk(mebibytes: 40))
        let data = disk.path + "/data"
        let token = try Binary.run(["token", "create", "--name", "t", "--data", data]).out.trimmingCharacters(
            in: .whitespacesAndNewlines)
        let server = try Binary(data: data)
        let client = Client(port: server.port, token: token)
        let reading = try client.setUp()
        let start = try client.head()
        let received = Mutex<[Int64]>([])
        let stream = StreamReader(port: server.port, token: token, after: start) { id in
            received.withLock { $0.append(Int64(id.dropFirst(9)) ?? 0) }
        }
        let path = "/v1/readings/\(reading)/entries"
        let body = "{\"progress\":0.5,\"note\":\"\(String(repeating: "x", count: 4000))\"}"
        var acknowledged: [String] = []

        disk.fill()
        var refusal = (status: 0, type: "", title: "")
        for _ in 0..<20_000 where refusal.status == 0 {
            let answer = try client.exchange("POST", path, body)
            if answer.status == 201 {
                acknowledged.append(try JSONDocument(answer.body).root["id"]?.string ?? "")
            } else {
                let problem = try JSONDocument(answer.body).root
                refusal = (answer.status, answer.fields["content-type"] ?? "", problem["title"]?.string ?? "")
            }
        }
        #expect(refusal == (507, "application/problem+json", "Insufficient Storage"))
        for _ in 0..<50 { #expect(try client.exchange("POST", path, body).status == 507) }
        #expect(try client.exchange("GET", "/v1/readings/\(reading)").status == 200)
        #expect(try client.exchange("GET", path).status == 200)
        disk.empty()
        let deadline = Date().addingTimeInterval(20)
        var isWritable = false
        while !isWritable, Date() < deadline {
            if let id = client.write(path, body) {
                acknowledged.append(id)
                isWritable = true
            } else {
                usleep(50_000)
            }
        }
        #expect(isWritable, "no write was taken within 20 seconds of there being room")
        let logged = try client.log().filter { $0.seq > Int64(start.dropFirst(9)) ?? 0 }
        while received.withLock({ $0.last }) != logged.last?.seq, Date() < deadline { usleep(10_000) }
        server.kill()
        stream.wait()
        #expect(received.withLock { $0 } == logged.map(\.seq), "the stream did not hear exactly the log")
        #expect(
            logged.filter { $0.resource == "entry" }.map(\.id) == acknowledged, "the log is not what was acknowledged")
        #expect(try Binary.run(["check", "--data", data]).code == 0)
        let again = try Binary(data: data)
        let found = try Client(port: again.port, token: token).log().filter { $0.resource == "entry" }.map(\.id)
        #expect(found == acknowledged)
        again.kill()
    }
}
