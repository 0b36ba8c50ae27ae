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
        .target(name: "CDigest"),
        .target(name: "CMigrations"),

        room("Bytes"),
        room("Measures"),
        room("Scheduling"),
        room("JSON", uses: ["Bytes"]),
        room("HTTPServer", uses: ["Bytes", "CLinux", "Measures", "Scheduling"]),
        room("Model", uses: ["Bytes", "JSON", "CDigest", "CTables"]),
        room(
            "Store",
            uses: ["Bytes", "Measures", "Model", "JSON", "CSQLite", "CLinux", "CMigrations", "Scheduling"]),
        room("ObservableModels", uses: ["Model", "JSON"]),
        room("Outbound", uses: ["CCurl"], staying),
        room("OpenID", uses: ["Bytes", "JSON", "Model", "Outbound"], staying),
        .target(name: "CPages", exclude: ["admin", "docs", "inspect", "reader", "shared", "sign-in"]),
        room("LecternClient", uses: ["Model", "JSON", "Outbound"], staying),
        room("Passwords", uses: ["Bytes", "CLinux", "CTables", "Model"]),
        .target(name: "CContract"),
        .target(name: "CHelp"),
        .target(name: "CDemo", exclude: ["demo.jsonl"]),
        room(
            "API",
            uses: [
                "Bytes", "CContract", "CLinux", "CPages", "JSON", "HTTPServer", "Measures", "Model", "Passwords",
                "Store", "ObservableModels", "OpenID", "Outbound",
            ]),
        .executableTarget(
            name: "lectern",
            dependencies: [
                "API", "Bytes", "CDemo", "CHelp", "CTables", "LecternClient", "Outbound", "HTTPServer", "Model",
                "Store", "JSON",
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
        tests(of: "SchedulingTests", uses: ["Scheduling"]),
        tests(of: "PasswordsTests", uses: ["Passwords", "Bytes", "Model"]),
        tests(of: "ModelTests", uses: ["Model", "JSON"]),
        tests(of: "StoreTests", uses: ["Store", "Model", "JSON", "Measures", "CSQLite"]),
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
        tests(
            of: "LecternTests",
            uses: ["CSQLite", "lectern", "API", "LecternClient", "Store", "Outbound", "JSON", "Model"]),
    ],
    swiftLanguageModes: [.v6]
)
