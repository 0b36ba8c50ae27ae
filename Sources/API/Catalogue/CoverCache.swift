import FoundationEssentials
import Glibc
import Model

/// The fetched images on disk, within a budget in bytes. The least recently used are removed first. Confined to its
/// loader.
///
/// A file that cannot be read, written or removed costs another fetch, and nothing else.
struct CoverCache {
    private struct Item {
        var bytes: Int
        /// The time of the last use, in seconds since 1970.
        var usedAt: Int
    }

    /// The number of seconds by which a file's time of use may lag.
    private static let useResolution = 3600

    private let directory: String
    private let bytesMax: Int
    private var items: [String: Item] = [:]
    /// The bytes of all files.
    private(set) var bytes = 0

    /// Opens the cache in a directory, which is created if it is missing.
    init(directory: String, bytesMax: Int) {
        (self.directory, self.bytesMax) = (directory, bytesMax)
        // Without the directory no file can be stored, which is a cache of size 0.
        mkdir(directory, 0o700)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            var found = stat()
            guard lstat(path(name), &found) == 0, name.utf8.count == 43 else {
                // This is a partial file of a killed process. If it cannot be removed now, the next start removes it.
                unlink(path(name))
                continue
            }
            items[name] = Item(bytes: Int(found.st_size), usedAt: found.st_mtim.tv_sec)
            bytes += Int(found.st_size)
        }
    }

    /// Returns the image of a key, and records its use.
    mutating func read(_ key: String) -> CoverImage? {
        guard var item = items[key] else { return nil }
        guard let data = FileManager.default.contents(atPath: path(key)), let image = CoverImage(Array(data)) else {
            remove(key)
            return nil
        }
        let now = Int(time(nil))
        if now - item.usedAt > Self.useResolution {
            item.usedAt = now
            // If this fails, the file only seems older than it is.
            utimes(path(key), nil)
            items[key] = item
        }
        return image
    }

    /// Stores an image, and removes others until all are within the budget.
    mutating func write(_ image: CoverImage, _ key: String) {
        guard image.bytes.count <= bytesMax else { return }
        // An image that cannot be stored is fetched again.
        guard (try? Data(image.bytes).write(to: URL(filePath: path(key)), options: .atomic)) != nil else { return }
        bytes += image.bytes.count - (items[key]?.bytes ?? 0)
        items[key] = Item(bytes: image.bytes.count, usedAt: Int(time(nil)))
        guard bytes > bytesMax else { return }
        for (old, _) in items.filter({ $0.key != key }).sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            remove(old)
            // A part of the budget is freed at once, so that not every image causes a sort.
            if bytes <= bytesMax - bytesMax / 16 { break }
        }
    }

    private mutating func remove(_ key: String) {
        guard let item = items.removeValue(forKey: key) else { return }
        bytes -= item.bytes
        // A file that cannot be removed is found at the next start.
        unlink(path(key))
    }

    private func path(_ name: String) -> String { directory + "/" + name }
}
