import Bytes

/// The device and the name that identify a scene of a reader.
public struct ClientSceneKey: Sendable {
    public let device: String
    public let name: String

    /// Creates an address, or returns `nil` if the device or the name is invalid.
    public init?(device: String, name: String) {
        guard Self.isName(device), Self.isName(name) else { return nil }
        (self.device, self.name) = (device, name)
    }

    /// The rule for names, as text for people.
    public static let rule = "1 to 64 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\", beginning with a letter or a digit"

    /// Returns whether a device or a scene may have the name. Excludes characters that a URL would escape, and "." and
    /// "..".
    public static func isName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first else { return false }
        let marks = ".-_".utf8
        return (first.isLetter || first.isDigit)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) }
    }

    /// Derives the scene's id from the reader and this address. A scene that is created again then has the same id, and
    /// streams that watch it continue.
    public func id(of reader: ResourceID) -> ResourceID {
        ResourceID(following: reader.withBytes { Array($0) } + Array(device.utf8) + [0] + Array(name.utf8))
    }
}
