import Foundation
import Testing

/// The files of JSONTestSuite, which is beside the project and not part of it.
enum JSONTestSuite {
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }
    }

    static let absent = "JSONTestSuite is not at ../shared/suites/json"
    static let accepted = files(prefix: "y_")
    static let rejected = files(prefix: "n_")
    static var isPresent: Bool { !accepted.isEmpty && !rejected.isEmpty }

    private static func files(prefix: String) -> [File] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.deletingLastPathComponent().appending(path: "shared/suites/json")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { File(name: name, bytes: [UInt8]($0)) }
        }
    }
}
