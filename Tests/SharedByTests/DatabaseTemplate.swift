import Foundation
import Synchronization

/// A new, empty database that is created once per process and then copied. A migration takes fifty times as long as a
/// copy.
///
/// A copy has no epoch, no reader and no log yet. A store therefore opens it like a database that it would create
/// itself.
package final class DatabaseTemplate: Sendable {
    private let make: @Sendable (_ directory: String) throws -> Void
    private let bytes = Mutex<Data?>(nil)

    /// - Parameter make: Creates `lectern.sqlite` in an existing directory, and closes it.
    package init(make: @escaping @Sendable (_ directory: String) throws -> Void) { self.make = make }

    /// Copies the database into a directory, which is created if it does not exist.
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
