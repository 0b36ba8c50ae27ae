import Glibc
import Model

/// The fetched images on disk, within a budget: the least recently used go first. Confined to its loader.
///
/// A file that cannot be read, written or removed costs another fetch, and nothing else.
struct CoverCache {
    private struct Item {
        var bytes: Int
        /// Seconds since 1970.
        var usedAt: Int
    }

    /// Seconds for which a file's time of use may lag behind.
    private static let useResolution = 3600

    private let directory: String
    private let bytesMax: Int
    private var items: [String: Item] = [:]
    /// The bytes of all files.
    private(set) var bytes = 0

    /// Opens the cache in a directory, which is created if it is missing.
    init(directory: String, bytesMax: Int) {
        (self.directory, self.bytesMax) = (directory, bytesMax)
        // Where the directory cannot be made no file can be, which is as if the budget were 0.
        mkdir(directory, 0o700)
        guard let listing = opendir(directory) else { return }
        // The directory was only read from.
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            var found = stat()
            guard lstat(path(name), &found) == 0, name.utf8.count == 43 else {
                // What a killed process left half written.
                unlink(path(name))
                continue
            }
            items[name] = Item(bytes: Int(found.st_size), usedAt: found.st_mtim.tv_sec)
            bytes += Int(found.st_size)
        }
    }

    /// Returns the image of a key, and notes that it was used.
    mutating func read(_ key: String) -> CoverImage? {
        guard var item = items[key] else { return nil }
        guard let read = File.bytes(at: path(key), max: CoverImage.fetchedBytesMax), let image = CoverImage(read) else {
            remove(key)
            return nil
        }
        let now = Int(time(nil))
        if now - item.usedAt > Self.useResolution {
            item.usedAt = now
            // A time that is not kept makes the file older than it is.
            utimes(path(key), nil)
            items[key] = item
        }
        return image
    }

    /// Stores an image, and removes others until all are within the budget.
    mutating func write(_ image: CoverImage, _ key: String) {
        guard image.bytes.count <= bytesMax, File.write(image.bytes, to: path(key), by: path(key + ".part")) else {
            return
        }
        bytes += image.bytes.count - (items[key]?.bytes ?? 0)
        items[key] = Item(bytes: image.bytes.count, usedAt: Int(time(nil)))
        guard bytes > bytesMax else { return }
        for (old, _) in items.filter({ $0.key != key }).sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            remove(old)
            // Some room is made at once, so that not every image sorts them all.
            if bytes <= bytesMax - bytesMax / 16 { break }
        }
    }

    private mutating func remove(_ key: String) {
        guard let item = items.removeValue(forKey: key) else { return }
        bytes -= item.bytes
        // A file that stays is found at the next start.
        unlink(path(key))
    }

    private func path(_ name: String) -> String { directory + "/" + name }
}

/// Whole files.
private enum File {
    static func bytes(at path: String, max: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        // The descriptor was only read from.
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_size <= max else { return nil }
        let count = Int(found.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let read = Glibc.read(descriptor, buffer.baseAddress! + filled, count - filled)
                guard read > 0 else { break }
                filled += read
            }
        }
        return bytes.count == count ? bytes : nil
    }

    /// Writes a file under another name first, so that it is whole or not there.
    static func write(_ bytes: [UInt8], to path: String, by part: String) -> Bool {
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isClosed = close(descriptor) == 0
        guard written == bytes.count, isClosed, rename(part, path) == 0 else {
            // What is left of it is removed at the next start.
            unlink(part)
            return false
        }
        return true
    }
}
