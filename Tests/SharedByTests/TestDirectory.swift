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
        let root =
            switch self {
            case .memory: Self.memoryRoot ?? Self.diskRoot
            case .disk: Self.diskRoot
            }
        return "\(root)/\(name)-\(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    private static let count = Atomic<Int>(0)

    private static let diskRoot: String = {
        let all = NSTemporaryDirectory()
        guard let root = makeRoot(in: all.hasSuffix("/") ? String(all.dropLast()) : all) else {
            fatalError("cannot make a directory in \(all)")
        }
        atexit { try? FileManager.default.removeItem(atPath: TestDirectory.diskRoot) }
        return root
    }()

    /// `nil` if there is no such memory.
    private static let memoryRoot: String? = {
        let memory = "/dev/shm"
        var state = statvfs()
        guard statvfs(memory, &state) == 0, access(memory, W_OK) == 0,
            UInt64(state.f_bavail) * UInt64(state.f_frsize) >= memoryBytesFreeMin, let root = makeRoot(in: memory)
        else { return nil }
        atexit { if let root = TestDirectory.memoryRoot { try? FileManager.default.removeItem(atPath: root) } }
        return root
    }()

    /// Creates a directory of this process, which is removed when the process ends. Returns `nil` if that fails.
    private static func makeRoot(in parent: String) -> String? {
        removeAbandoned(in: parent)
        let root = "\(parent)/\(prefix)\(String(UInt32.random(in: .min ... .max), radix: 16))"
        guard mkdir(root, 0o700) == 0 else { return nil }
        // The lock lasts until the process ends in any way. A later run removes unlocked directories.
        let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return root
    }

    private static let prefix = "lectern-tests-"

    /// Removes the directories of killed processes, but none that may not be locked yet.
    private static func removeAbandoned(in parent: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var state = stat()
            guard fstat(descriptor, &state) == 0, time(nil) - state.st_mtim.tv_sec > 60 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
