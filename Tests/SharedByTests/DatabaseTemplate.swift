import Foundation
import Synchronization

/// A new, empty database that is made once per process and then copied: to migrate one takes fifty times as long as to copy it.
///
/// A copy has no epoch, no reader and no log yet, so a store opens it like the one that it would make itself.
package final class DatabaseTemplate: Sendable {
    private let make: @Sendable (_ directory: String) throws -> Void
    private let bytes = Mutex<Data?>(nil)

    /// - Parameter make: Makes `lectern.sqlite` in a directory that exists, and closes it.
    package init(make: @escaping @Sendable (_ directory: String) throws -> Void) { self.make = make }

    /// Puts a copy into a directory, which is made if it does not exist.
    package func copy(into directory: String) throws {
        try Self.makeDirectory(directory)
        let path = directory + "/lectern.sqlite"
        try original().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func original() throws -> Data {
        try bytes.withLock { bytes in
            if let bytes { return bytes }
            let directory = TestDirectory.memory.path("template")
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try Self.makeDirectory(directory)
            try make(directory)
            let made = try Data(contentsOf: URL(filePath: directory + "/lectern.sqlite"))
            bytes = made
            return made
        }
    }

    private static func makeDirectory(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
