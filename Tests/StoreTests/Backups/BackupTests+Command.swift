import Foundation
import Glibc
import SharedByTests
import Synchronization
import Testing

@testable import Store

extension BackupTests {
    @Test(
        "The backup command gets the file and its name without the server's settings, and its failure is logged and counted"
    )
    func command() throws {
        setenv("LECTERN_CANARY", "secret", 1)
        let out = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(out) }
        let fixture = try fixture(bytes: 1000) {
            $0.backups.command = "cat > '\(out)/copy'; echo \"$LECTERN_BACKUP$LECTERN_CANARY\" > '\(out)/name'"
        }
        let backup = try wait(for: fixture.store.backups.ask(), fixture)
        #expect(backup.state == .done, "\(backup)")
        let copy = FileManager.default.contents(atPath: out + "/copy")
        #expect(copy == FileManager.default.contents(atPath: Self.path(backup, fixture)) && copy != nil)
        #expect(try String(contentsOfFile: out + "/name", encoding: .utf8) == backup.file + "\n")
        let other = try self.fixture(bytes: 1000) { $0.backups.command = "echo far; echo away >&2; exit 3" }
        let failed = try wait(for: other.store.backups.ask(), other)
        #expect(
            failed.state == .failed && failed.reason?.contains("ended with 3, output: far\naway") == true, "\(failed)"
        )
        #expect(other.store.backups.counts == (0, 1) && other.store.backups.lastGood == nil)
    }

    @Test(
        "After restarts, a backup that the command did not accept has failed for good, and another one is due at once")
    func refused() throws {
        let fixture = try fixture(bytes: 1000) { $0.backups.command = "true" }
        let good = try wait(for: fixture.store.backups.ask(), fixture)
        let time = fixture.store.backups.lastGood
        fixture.keepsDirectory.store(true, ordering: .relaxed)
        fixture.store.close()
        func restarted(_ command: String?, hours: Int = 0) throws -> StoreFixture {
            var configuration = StoreFixture.durable
            (configuration.backups.command, configuration.backups.hours) = (command, hours)
            let next = try StoreFixture(configuration, in: fixture.directory)
            next.keepsDirectory.store(true, ordering: .relaxed)
            return next
        }
        let hanging = try restarted("tail -f /dev/null")
        #expect(hanging.store.backups.all.map(\.state) == [.done] && hanging.store.backups.lastGood == time)
        let unsent = hanging.store.backups.ask()
        #expect(eventually { hanging.store.backups.find(unsent.id)?.state == .sending })
        hanging.store.close()
        // A later good one does not make it good, and neither does a start without a command.
        let next = try restarted("true")
        #expect(next.store.backups.all.map(\.state) == [.failed, .done] && next.store.backups.lastGood == time)
        #expect(try wait(for: next.store.backups.ask(), next).state == .done)
        next.store.close()
        let plain = try restarted(nil)
        let all = plain.store.backups.all
        #expect(all.map(\.state) == [.done, .failed, .done] && all.last?.id == good.id)
        #expect(all[1].reason == "the command did not accept it")
        plain.store.close()
        // The process ended while the command ran, and nothing was ever accepted.
        let folder = fixture.directory + "/backups/"
        #expect(rename(folder + all[1].file, folder + all[1].fileToSend) == 0)
        try FileManager.default.removeItem(atPath: fixture.directory + "/last-backup")
        let last = try restarted("tail -f /dev/null", hours: 1)
        #expect(last.store.backups.lastGood == nil)
        #expect(eventually { last.store.backups.all.first?.state == .sending })
        last.store.close()
    }

    @Test(
        "Refused copies delete no accepted ones, the last few are kept, and they end with the accepted ones of their time"
    )
    func refusedCopies() throws {
        let place = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(place) }
        let fixture = try fixture(bytes: 1000) {
            ($0.backups.command, $0.backups.keepMax) = ("test ! -e '\(place)/broken'", 2)
        }
        func backUp(_ count: Int) throws -> [String] {
            try (0..<count).map { _ in try wait(for: fixture.store.backups.ask(), fixture).id }
        }
        func files() -> [Backup] { fixture.store.backups.folder.backups() }
        let good = Array(try backUp(3).suffix(2))
        #expect(FileManager.default.createFile(atPath: place + "/broken", contents: nil))
        let refused = Array(try backUp(5).suffix(BackupSettings.refusedMax))
        #expect(files().map(\.id) == good + refused && files().map(\.isRefused) == [false, false, true, true, true])
        #expect(fixture.store.backups.all.filter { $0.state == .done }.map(\.id) == good.reversed())
        try FileManager.default.removeItem(atPath: place + "/broken")
        let next = try backUp(1)
        #expect(files().map(\.id) == [good[1]] + refused + next)
        let last = try backUp(2)
        #expect(files().map(\.id) == last)
    }

    @Test(
        "A failed backup is logged as an error, and a successful one is not",
        arguments: [("exit 3", true), ("true", false)])
    func notices(_ command: String, isFault: Bool) throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        var configuration = StoreFixture.durable
        configuration.backups.command = command
        let received = Mutex<[OperatorNotice]>([])
        let store = try Store.open(
            directory: directory, configuration: configuration,
            say: { notice in received.withLock { $0.append(notice) } })
        defer { store.close() }
        let beginning = "backup \(store.backups.ask().id)"
        let notice = { received.withLock { $0.first { $0.text.hasPrefix(beginning) } } }
        #expect(eventually { notice() != nil })
        let text = try #require(notice()).text
        #expect(notice() == (isFault ? .fault(text) : .info(text)))
    }

    @Test("A backup command that takes too long is killed with all its processes, logged as an error, and counted")
    func late() throws {
        let place = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(place) }
        let fixture = try fixture(bytes: 1000) {
            $0.backups.command = "echo begun; trap '' TERM; tail -f /dev/null & echo $! > '\(place)/pid'; wait; wait"
            $0.backups.commandMillisecondsMax = 3000
        }
        let failed = try wait(for: fixture.store.backups.ask(), fixture)
        let reason = failed.reason ?? ""
        #expect(failed.state == .failed && reason.contains("was killed after 3000 ms, output: begun"), "\(reason)")
        #expect(fixture.store.backups.lateCommands == 1 && fixture.store.backups.counts == (0, 1))
        #expect(access(Self.path(failed, fixture), F_OK) == 0, "the copy was removed")
        let child = try String(contentsOfFile: place + "/pid", encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(
            eventually {
                // A process whose parent does not wait for it stays as a zombie.
                guard let line = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8) else {
                    return true
                }
                return line.contains(") Z ")
            })
    }

    @Test("While a backup command hangs, one more copy is made")
    func hanging() throws {
        let fixture = try fixture(bytes: 1000) { $0.backups.command = "tail -f /dev/null" }
        let first = fixture.store.backups.ask()
        #expect(eventually { fixture.store.backups.find(first.id)?.state == .sending })
        let second = fixture.store.backups.ask()
        #expect(eventually { fixture.store.backups.find(second.id)?.state == .sending })
        fixture.store.close()
        for id in [first.id, second.id] { #expect(fixture.store.backups.find(id)?.state == .failed) }
    }

    @Test("A backup directory that cannot be used is reported at the start, and a missing one is created")
    func directory() throws {
        let place = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(place) }
        for (directory, isFault) in [(place + "/missing/backups", true), (place + "/backups", false)] {
            var configuration = StoreFixture.durable
            configuration.backups.directory = directory
            let received = Mutex<[OperatorNotice]>([])
            let store = try Store.open(
                directory: place + "/data", configuration: configuration,
                say: { notice in received.withLock { $0.append(notice) } })
            defer { store.close() }
            let faults = received.withLock { $0.filter { if case .fault = $0 { true } else { false } } }
            #expect(faults.contains { $0.text.contains("cannot make backups: \(directory)") } == isFault)
            #expect((access(directory, F_OK) == 0) == !isFault)
        }
    }
}
