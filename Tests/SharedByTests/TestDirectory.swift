import Foundation
import Glibc
import Synchronization

/// The place of a test's data directory.
package enum TestDirectory {
    /// A directory in memory, if the machine has such a file system with enough free space, otherwise `disk`. For tests
    /// of anything but durability.
    case memory
    /// A directory in the directory for temporary files. For tests of durability, disks and backups.
    case disk

    /// The bytes that must be free in memory; all tests together use less.
    private static let memoryBytesFreeMin: UInt64 = 2 << 30

    /// Returns the path of a directory that does not exist yet. It is short, because a Unix socket's path may have 107
    /// bytes.
    package func path(_ name: String) -> String {
        guard case .memory = self, let root = Self.memoryRoot else {
            return "\(Self.diskRoot)/lectern-\(name)-\(UUID().uuidString)"
        }
        return "\(root)/\(name)-\(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    private static let count = Atomic<Int>(0)

    private static let diskRoot = String(NSTemporaryDirectory().dropLast(NSTemporaryDirectory().hasSuffix("/") ? 1 : 0))

    /// A directory of this process, which is removed when the process ends, or `nil` if there is no such memory.
    private static let memoryRoot: String? = {
        let memory = "/dev/shm"
        var state = statvfs()
        guard statvfs(memory, &state) == 0, access(memory, W_OK) == 0,
            UInt64(state.f_bavail) * UInt64(state.f_frsize) >= memoryBytesFreeMin
        else { return nil }
        removeAbandoned(in: memory)
        let root = "\(memory)/\(prefix)\(String(UInt32.random(in: .min ... .max), radix: 16))"
        guard mkdir(root, 0o700) == 0 else { return nil }
        // The lock lasts until the process ends in any way. A later run removes unlocked directories.
        let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        atexit { if let root = TestDirectory.memoryRoot { try? FileManager.default.removeItem(atPath: root) } }
        return root
    }()

    private static let prefix = "lectern-tests-"

    /// Removes the directories of killed processes, but none that may not be locked yet.
    private static func removeAbandoned(in memory: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: memory)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = memory + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var state = stat()
            guard fstat(descriptor, &state) == 0, time(nil) - state.st_mtim.tv_sec > 60 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
