import FoundationEssentials
import Glibc
import Model

/// The fetched images on disk, within a budget in bytes. The least recently used are removed first. Confined to its
/// loader.
///
/// A file that cannot be read, written or removed costs another fetch, and nothing else.
struct CoverCache {
    private let directory: String
    private let bytesMax: Int
    /// The bytes of all files.
    private(set) var bytes = 0

    /// Opens the cache in a directory, which is created if it is missing.
    init(directory: String, bytesMax: Int) {
        (self.directory, self.bytesMax) = (directory, bytesMax)
        // Without the directory no file can be stored, which is a cache of size 0.
        mkdir(directory, 0o700)
        for file in files() {
            bytes += file.bytes
            // This is a partial file of a killed process. If it cannot be removed now, the next start removes it.
            if file.name.utf8.count != 43 { remove(file.name) }
        }
    }

    /// Returns the image of a key, and records its use.
    mutating func read(_ key: String) -> CoverImage? {
        guard let data = FileManager.default.contents(atPath: path(key)) else { return nil }
        guard let image = CoverImage(Array(data)) else {
            remove(key)
            return nil
        }
        // If this fails, the file only seems older than it is.
        utimes(path(key), nil)
        return image
    }

    /// Stores an image, and removes others until all are within the budget.
    mutating func write(_ image: CoverImage, _ key: String) {
        guard image.bytes.count <= bytesMax else { return }
        remove(key)
        // An image that cannot be stored is fetched again.
        guard (try? Data(image.bytes).write(to: URL(filePath: path(key)), options: .atomic)) != nil else { return }
        bytes += image.bytes.count
        guard bytes > bytesMax else { return }
        for file in files().sorted(by: { $0.usedAt < $1.usedAt }) where file.name != key {
            remove(file.name)
            // A part of the budget is freed at once, so that not every image causes a sort.
            if bytes <= bytesMax - bytesMax / 16 { break }
        }
    }

    /// Returns all files, each with its size, and the time of its last use in seconds since 1970.
    private func files() -> [(name: String, bytes: Int, usedAt: Int)] {
        // Files that cannot be listed are not removed, and each of them costs another fetch.
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).compactMap { name in
            var found = stat()
            return lstat(path(name), &found) == 0 ? (name, Int(found.st_size), found.st_mtim.tv_sec) : nil
        }
    }

    private mutating func remove(_ name: String) {
        var found = stat()
        guard lstat(path(name), &found) == 0, unlink(path(name)) == 0 else { return }
        bytes -= Int(found.st_size)
    }

    private func path(_ name: String) -> String { directory + "/" + name }
}
