import Bytes

/// Which scene of a reader's.
public struct ScenePlace: Sendable {
    public let device: String
    public let name: String

    /// Nil where one of them is no such name.
    public init?(device: String, name: String) {
        guard Self.isName(device), Self.isName(name) else { return nil }
        (self.device, self.name) = (device, name)
    }

    /// What names may be, for people.
    public static let rule = "1 to 64 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit"

    /// Whether a device or a scene may be called so. Nothing that a URL would write otherwise, and not "." or "..".
    public static func isName(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first else { return false }
        let marks = ".-_".utf8
        return (first.isLetter || first.isDigit)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) }
    }

    /// The id of the scene there. It follows from the place, so that a scene that is made again is the same: who watches it goes
    /// on hearing of it.
    public func id(of reader: ResourceID) -> ResourceID {
        ResourceID(following: reader.withBytes { Array($0) } + Array(device.utf8) + [0] + Array(name.utf8))
    }
}
