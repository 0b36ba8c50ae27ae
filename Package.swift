// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// Which commit this is: as who builds it says, else as git does.
let commit: [CSetting] =
    (Context.environment["LECTERN_COMMIT"] ?? Context.gitInformation?.currentCommit).map {
        [.define("LECTERN_COMMIT", to: "\"\($0)\"")]
    } ?? []

/// A room of the house: what it may import is what its line names.
func room(_ name: String, uses: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: uses, swiftSettings: strict + more)
}

/// What is asynchronous stays with whoever calls it: a view's does not leave the main actor.
let staying: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

func tests(of name: String, uses: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: uses + ["SharedByTests"], swiftSettings: strict)
}

let package = Package(
    name: "lectern",
    products: [
        .executable(name: "lectern", targets: ["lectern"]),
        .executable(name: "lectern-bench", targets: ["lectern-bench"]),
        .library(name: "LecternClient", targets: ["LecternClient", "Model", "JSON"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CLinux", cSettings: commit, linkerSettings: [.linkedLibrary("crypt")]),
        .target(name: "CTables"),
        .target(
            name: "Migrations", path: "migrations",
            resources: [
                .embedInCode("0001_foundation.sql"), .embedInCode("0002_clubs.sql"), .embedInCode("0003_clock.sql"),
                .embedInCode("0004_removals.sql"),
                .embedInCode("0005_application.sql"),
                .embedInCode("0006_bounds.sql"),
                .embedInCode("0007_catalogue.sql"),
                .embedInCode("0008_deletions.sql"),
                .embedInCode("0009_doomed_readings.sql"),
                .embedInCode("0010_shelves.sql"),
                .embedInCode("0011_search.sql"),
                .embedInCode("0012_authors.sql"),
                .embedInCode("0013_words.sql"),
                .embedInCode("0014_streams.sql"),
                .embedInCode("0015_claims.sql"),
                .embedInCode("0016_settings.sql"),
                .embedInCode("0017_accounts.sql"),
                .embedInCode("0018_departures.sql"),
                .embedInCode("0019_transfer.sql"),
                .embedInCode("0020_suspensions.sql"),
                .embedInCode("0021_blocks_and_reports.sql"),
                .embedInCode("0030_story.sql"),
                .embedInCode("0031_openings.sql"),
                .embedInCode("0032_knowledge.sql"),
                .embedInCode("0033_runs.sql"),
                .embedInCode("0034_authors_names.sql"),
                .embedInCode("0035_entry_notes.sql"),
                .embedInCode("0037_audiences.sql"),
                .embedInCode("0038_sharing.sql"),
                .embedInCode("0039_wards.sql"),
                .embedInCode("0040_measures.sql"),
                .embedInCode("0041_reticence.sql"),
                .embedInCode("0042_moves.sql"),
            ]),

        room("Bytes"),
        room("Measures"),
        room("JSON", uses: ["Bytes"]),
        room("HTTPServer", uses: ["Bytes", "CLinux"]),
        room("Model", uses: ["Bytes", "JSON", "CTables"]),
        room("Store", uses: ["Bytes", "Measures", "Model", "JSON", "CSQLite", "CLinux", "Migrations"]),
        room("ObservableModels", uses: ["Model", "JSON"]),
        room("Outbound", uses: ["CCurl"], staying),
        room("OpenID", uses: ["Bytes", "JSON", "Model", "Outbound"], staying),
        .target(
            name: "Pages",
            resources: [.embedInCode("page.html"), .embedInCode("page.css"), .embedInCode("page.js")],
            swiftSettings: strict),
        room("LecternClient", uses: ["Model", "JSON", "Outbound"], staying),
        room("Passwords", uses: ["Bytes", "CLinux", "Model"]),
        .target(name: "CContract"),
        .target(name: "CHelp"),
        room(
            "API",
            uses: [
                "Bytes", "CContract", "CLinux", "JSON", "HTTPServer", "Measures", "Model", "Passwords", "Store",
                "ObservableModels", "OpenID", "Pages",
            ]),
        .executableTarget(
            name: "lectern",
            dependencies: [
                "API", "Bytes", "CHelp", "CTables", "LecternClient", "Outbound", "HTTPServer", "Model", "Store", "JSON",
            ],
            swiftSettings: strict),
        // The README's example.
        .executableTarget(name: "lectern-example", dependencies: ["LecternClient", "Model"], swiftSettings: strict),
        .executableTarget(name: "lectern-bench", dependencies: ["CLinux"], swiftSettings: strict),

        // What tests share.
        .target(
            name: "SharedByTests", dependencies: ["CSQLite"], path: "Tests/SharedByTests", swiftSettings: strict),
        tests(of: "JSONTests", uses: ["JSON"]),
        tests(of: "HTTPServerTests", uses: ["Bytes", "HTTPServer", "CLinux"]),
        tests(of: "BytesTests", uses: ["Bytes"]),
        tests(of: "PasswordsTests", uses: ["Passwords", "Bytes", "Model"]),
        tests(of: "ModelTests", uses: ["Model", "JSON"]),
        tests(of: "StoreTests", uses: ["Store", "Model", "JSON", "CSQLite", "Migrations"]),
        tests(of: "ObservableModelsTests", uses: ["ObservableModels", "Model"]),
        tests(of: "OutboundTests", uses: ["Outbound", "HTTPServer"]),
        tests(of: "OpenIDTests", uses: ["OpenID", "Bytes", "JSON", "Model"]),
        tests(
            of: "APITests",
            uses: [
                "Bytes", "CSQLite", "API", "OpenID", "Outbound", "HTTPServer", "Passwords", "Store", "Model", "JSON",
                "ObservableModels",
            ]),
        tests(of: "LecternClientTests", uses: ["LecternClient", "Outbound", "Model", "JSON"]),
        tests(of: "LecternTests", uses: ["lectern", "API", "LecternClient", "Store", "Outbound", "JSON", "Model"]),
    ],
    swiftLanguageModes: [.v6]
)
