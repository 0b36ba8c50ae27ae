// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// The define of the commit: from the environment, or else from git.
let commit: [CSetting] =
    (Context.environment["LECTERN_COMMIT"] ?? Context.gitInformation?.currentCommit).map {
        [.define("LECTERN_COMMIT", to: "\"\($0)\"")]
    } ?? []

/// Returns a module. It may import only the modules in `uses`.
func module(_ name: String, uses: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: uses, swiftSettings: strict + more)
}

/// The settings of modules whose asynchronous functions run on their caller's actor, so that a view's calls stay on the main actor.
let callerIsolated: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

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

        module("Bytes"),
        module("Measures"),
        module("Scheduling", uses: ["CLinux"]),
        module("JSON", uses: ["Bytes"]),
        module("HTTPServer", uses: ["Bytes", "CLinux", "Measures", "Scheduling"]),
        module("Model", uses: ["Bytes", "JSON", "CDigest", "CTables"]),
        module(
            "Store",
            uses: ["Bytes", "Measures", "Model", "JSON", "CSQLite", "CLinux", "CMigrations", "Scheduling"]),
        module("ObservableModels", uses: ["Model", "JSON"]),
        module("Outbound", uses: ["Bytes", "CCurl"], callerIsolated),
        module("OpenID", uses: ["Bytes", "JSON", "Model", "Outbound"], callerIsolated),
        .target(name: "CPages", exclude: ["admin", "docs", "inspect", "reader", "shared", "sign-in"]),
        module("LecternClient", uses: ["Model", "JSON", "Outbound"], callerIsolated),
        module("Passwords", uses: ["Bytes", "CLinux", "CTables", "Model", "Scheduling"]),
        .target(name: "CContract"),
        .target(name: "CHelp"),
        .target(name: "CDemo", exclude: ["demo.jsonl"]),
        module(
            "API",
            uses: [
                "Bytes", "CContract", "CLinux", "CPages", "JSON", "HTTPServer", "Measures", "Model", "Passwords",
                "Scheduling", "Store", "ObservableModels", "OpenID", "Outbound",
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

        // Code that tests share.
        .target(
            name: "SharedByTests", dependencies: ["Bytes", "CCurl", "CSQLite", "Model", "Outbound"],
            path: "Tests/SharedByTests",
            swiftSettings: strict),
        tests(of: "JSONTests", uses: ["JSON"]),
        tests(of: "HTTPServerTests", uses: ["Bytes", "HTTPServer", "CLinux"]),
        tests(of: "BytesTests", uses: ["Bytes"]),
        tests(of: "SchedulingTests", uses: ["Scheduling"]),
        tests(of: "PasswordsTests", uses: ["Passwords", "Bytes", "Model"]),
        tests(of: "ModelTests", uses: ["Model", "JSON"]),
        tests(of: "StoreTests", uses: ["Store", "Model", "JSON", "Measures", "CSQLite"]),
        tests(of: "ObservableModelsTests", uses: ["ObservableModels", "Model"]),
        tests(of: "OutboundTests", uses: ["Bytes", "Outbound", "HTTPServer"]),
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
            uses: ["Bytes", "CSQLite", "lectern", "API", "LecternClient", "Store", "Outbound", "JSON", "Model"]),
    ],
    swiftLanguageModes: [.v6]
)
