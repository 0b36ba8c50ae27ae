import Bytes

/// The bytes of a cover: an image in a format that browsers show and that contains no script.
public struct CoverImage: Sendable {
    /// The maximum size of an uploaded image, in bytes.
    public static let uploadedBytesMax = 512 << 10
    /// The maximum size of a fetched image, in bytes.
    public static let fetchedBytesMax = 5 << 20

    public let bytes: [UInt8]
    /// The media type, detected from the first bytes.
    public let type: StaticString

    /// Creates a cover, or returns `nil` unless the bytes begin as JPEG, PNG, WebP or GIF.
    public init?(_ bytes: [UInt8]) {
        guard let type = Self.type(of: bytes) else { return nil }
        (self.bytes, self.type) = (bytes, type)
    }

    /// The media types of the four formats.
    public static let types = "image/jpeg, image/png, image/webp, image/gif"

    private static func type(of bytes: [UInt8]) -> StaticString? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "image/png" }
        if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return "image/gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return nil
    }

    /// The SHA-256 of the bytes in base64url, by which a book refers to its uploaded cover.
    public var digest: String { Base64URL.text(of: SHA256.digest(of: bytes).bytes) }
}
