import API
import Foundation
import SharedByTests
import Testing

@testable import lectern

@Suite("The command line")
struct CommandLineTests {
    @Test(
        "CSV rows follow RFC 4180",
        arguments: [
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
            ("\"a,1\",\"b\"\"c\"\n", [["a,1", "b\"c"]]), ("\"two\nlines\",x\n", [["two\nlines", "x"]]),
            ("a,\n", [["a", ""]]),
            ("\u{FEFF}a\n", [["a"]]), ("a\n\nb\n", [["a"], ["b"]]), ("", []),
            ("=\"1\",5\" x\n", [["=\"1\"", "5\" x"]]),
            ("\"\",\"\"\"\"", [["", "\""]]),
        ])
    func csv(_ text: String, _ rows: [[String]]) throws {
        #expect(try CSVParser.rows(Array(text.utf8)).map(\.fields) == rows)
    }

    @Test("Text from others cannot control the terminal")
    func terminal() {
        #expect(escapedForTerminal("a\u{9B}2J\u{1B}[0m\u{7F}\u{202E}b\n") == "a\\u{9B}2J\\u{1B}[0m\\u{7F}\\u{202E}b\n")
        #expect(escapedForTerminal("Gabriel García Márquez\u{A0}\u{1F4D6}") == "Gabriel García Márquez\u{A0}\u{1F4D6}")
    }

    @Test("A row has its line number, also after a field of several lines")
    func lines() throws { #expect(try CSVParser.rows(Array("a\n\"b\nc\"\nd\n".utf8)).map(\.line) == [1, 2, 4]) }

    @Test(
        "A usage error has exit code 2 and a hint",
        arguments: [
            (["serv"], "There is no command \"serv\". Did you mean `lectern serve`?"),
            (["serve", "--lisen", "x"], "`lectern serve` has no flag --lisen. Did you mean --listen?"),
            (["token", "create"], "--name"), (["-x"], "`lectern serve` has no flag -x."),
            (["serve", "extra"], "`lectern serve` takes no operands: \"extra\" is too much."),
            (["import", "books", "a.csv", "b.csv"], "takes only FILE.csv: \"b.csv\" is too much."),
            (["check", "data"], "no operands"),
            (["token"], "Did you mean `lectern token create`, `lectern token list` or `lectern token revoke`?"),
            (["token", "creat"], "Did you mean `lectern token create`?"),
            (
                ["token", "x"],
                "There is no command \"token x\". Did you mean `lectern token create`, `lectern token list` or "
            ),
            (["tokn", "create"], "Did you mean `lectern token create`?"), (["xyz"], "See `lectern help`."),
            (["serve", "--read-timeout", "5"], "Did you mean --read-timeout-ms?"),
            (["watch", "--force"], "It belongs to `lectern export`."),
            (["export", "--format", "xml", "--own"], "--format must be jsonl, csv or markdown, not \"xml\"."),
            (["serve", "--log-level", "all"], "--log-level must be error, warning, info or debug, not \"all\"."),
            (["serve", "--max-backups", "0"], "--max-backups must be at least 1, not 0."),
            (["serve", "--event-loops", "99999"], "--event-loops must be from 0 to 256"),
            (["serve", "--max-connections", "0"], "--max-connections must be from 1"),
            (["serve", "--settings", "/dev/zero"], "/dev/zero cannot be read"),
            (["help", "nothing"], "no topic \"nothing\""),
            (["help", "strems"], "Did you mean `lectern help streams`?"),
            (["help", "token", "creat"], "Did you mean `lectern help token create`?"),
            (["import", "bookz", "b.csv"], "Did you mean `lectern import books`?"),
        ])
    func misuse(_ words: [String], _ hint: String) throws {
        let result = try Binary.run(words)
        #expect(result.code == 2 && result.err.contains(hint), "\(result.err)")
    }

    @Test("An unreadable file with the name of an import format is reported with that format")
    func kinds() throws {
        let (near, other) = (try Binary.run(["import", "bookz"]), try Binary.run(["import", "nowhere.json"]))
        #expect(near.code == 1 && near.err.contains("Did you mean `lectern import books`?"), "\(near.err)")
        #expect(other.code == 1 && other.err.contains("cannot be read") && !other.err.contains("mean"), "\(other.err)")
    }

    @Test(
        "Requested help is printed to standard output, and nothing else happens",
        arguments: [
            ["serve", "-h"], ["serve", "--help"], ["serve", "--data", "/nowhere/at/all", "--help"],
            ["token", "create", "-h"], ["token", "--help"],
            ["--help"], ["-h"], ["help"], ["help", "token", "create"], ["help", "design"],
        ])
    func helping(_ words: [String]) throws {
        let result = try Binary.run(words)
        #expect(result.code == 0 && result.err.isEmpty && result.out.contains("lectern "), "\(result)")
    }

    @Test("An argument vector without even a name is an error, and serves nothing")
    func noVector() throws {
        let error = #expect(throws: CommandError.self) { try CommandLineArguments.words(of: []) }
        #expect(error?.isMisuse == true)
        #expect(try CommandLineArguments.words(of: ["lectern"]) == [])
        #expect(try CommandLineArguments([], environment: [:]).command.name == "serve")
    }

    @Test("A switch is on by its flag, or by a variable that is true; other words are refused")
    func switches() throws {
        #expect(try CommandLineArguments(["serve", "--demo"], environment: ["LECTERN_DEMO": "false"]).isOn(.demo))
        for (value, isOn) in [("true", true), ("false", false), ("", false)] {
            #expect(
                try CommandLineArguments(["serve"], environment: ["LECTERN_DEMO": value]).isOn(.demo) == isOn,
                "\(value)")
        }
        #expect(try !CommandLineArguments(["serve"], environment: [:]).isOn(.demo))
        for value in ["off", "1", " false"] {
            #expect(
                throws: CommandError.misused("LECTERN_DEMO must be true or false, not \"\(value)\".")
            ) {
                try CommandLineArguments(["serve"], environment: ["LECTERN_DEMO": value]).isOn(.demo)
            }
        }
    }

    @Test("--listen :PORT is every address")
    func everywhere() throws {
        let arguments = try CommandLineArguments(["serve", "--listen", ":8080"], environment: [:])
        #expect(try arguments.address(.listen) == ("0.0.0.0", 8080))
        let data = TestDirectory.memory.path("listen")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Binary(
            data: data, listen: ":0", at: #/at http:\/\/0\.0\.0\.0:(\d+), on every address of this machine\n/#)
        #expect(server.port > 0)
        server.kill()
    }

    @Test("Flags win over variables, variables over defaults")
    func precedence() throws {
        #expect(try CommandLineArguments(["serve"], environment: [:])[.data] == "./lectern-data")
        #expect(try CommandLineArguments([], environment: ["LECTERN_DATA": "/x"])[.data] == "/x")
        #expect(try CommandLineArguments(["--data=/y"], environment: ["LECTERN_DATA": "/x"])[.data] == "/y")
    }

    @Test(
        "Origins are listed by flags, or with spaces in the variable; an invalid one is refused at the start")
    func origins() throws {
        let flags = ["serve", "--allow-origin", "https://a.example", "--allow-origin=http://b:81"]
        #expect(try CommandLineArguments(flags, environment: [:]).origins(.allowOrigin).count == 2)
        let variable = ["LECTERN_ALLOW_ORIGIN": " https://a.example  http://b:81 https://c.example"]
        #expect(try CommandLineArguments([], environment: variable).origins(.allowOrigin).count == 3)
        #expect(
            try CommandLineArguments(["--allow-origin", "http://b"], environment: variable).origins(.allowOrigin).count
                == 1)
        #expect(try CommandLineArguments([], environment: [:]).origins(.allowOrigin).isEmpty)
        #expect(
            try CommandLineArguments(["--event-loops", "1", "--event-loops", "2"], environment: [:]).number(.eventLoops)
                == 2)
        for (origin, why) in [("*", "every origin"), ("https://a.example/", "remove \"/\""), ("null", "sandboxed")] {
            let result = try Binary.run(["serve", "--data", "/nowhere/at/all", "--allow-origin", origin])
            #expect(
                result.code == 2 && result.err.contains("\"\(origin)\"") && result.err.contains(why), "\(result.err)")
        }
    }

    @Test("Proxies need the field that they write")
    func proxies() throws {
        let flags = ["--forwarded-field", "X-Real-IP", "--trusted-proxy", "10.0.0.0/8", "--trusted-proxy=::1"]
        _ = try CommandLineArguments(flags, environment: [:]).forwarding()
        _ = try CommandLineArguments([], environment: [:]).forwarding()
        for (words, why) in [
            (["--forwarded-field", "X-Real-IP"], "needs --trusted-proxy"),
            (["--forwarded-field", "Forwarded", "--trusted-proxy", "10.0.0.1"], "is not supported"),
            (["--trusted-proxy", "10.0.0.1"], "needs --forwarded-field"),
            (["--forwarded-field", "a b", "--trusted-proxy", "10.0.0.1"], "not a valid field name"),
            (["--forwarded-field", "X-Real-IP", "--trusted-proxy", "10.0.0.1/8"], "more bits than 8"),
        ] {
            #expect("\(words)") { try CommandLineArguments(words, environment: [:]).forwarding() } throws: {
                "\($0)".contains(why)
            }
        }
    }

    @Test("Rates are requests a second, with a burst")
    func rates() throws {
        let rates = try CommandLineArguments(
            ["--token-rate-per-second", "5:6", "--address-rate-per-second=0"], environment: [:]
        )
        .rates()
        #expect(rates.token == RateLimit(perSecond: 5, burst: 6) && rates.address == .off)
        #expect(rates.reader == RateLimit(perSecond: 2000, burst: 10_000))
        let error = #expect(throws: CommandError.self) {
            try CommandLineArguments(["--token-rate-per-second", "many"], environment: [:]).rates()
        }
        #expect(error?.isMisuse == true)
    }

    @Test("Without standard error the work continues, and without standard output a command fails")
    func unheard() throws {
        let data = TestDirectory.memory.path("unheard")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let file = data + ".csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "title,isbn\nA,1\nB,2\n".write(toFile: file, atomically: true, encoding: .utf8)
        func run(_ words: [String], out: String, error: String) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: Binary.path)
            process.arguments = words + ["--data", data]
            process.standardOutput = FileHandle(forWritingAtPath: out)
            process.standardError = FileHandle(forWritingAtPath: error)
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(try run(["import", "books", file], out: "/dev/null", error: "/dev/full") == 0)
        #expect(try run(["token", "create", "--name", "t"], out: "/dev/full", error: "/dev/null") == 1)
    }

    @Test("Books are imported with a server and without, the second time without a change")
    func importing() throws {
        let data = TestDirectory.memory.path("import")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let file = data + ".csv"
        try "title,author,pages\nKindred,Octavia Butler,264\n,Nobody,1\nDawn,Octavia Butler,\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let first = try Binary.run(["import", "books", file, "--data", data])
        #expect(first.code == 1 && first.out.contains("2 created") && first.err.contains(":3: there is no title"))
        let server = try Binary(data: data)
        #expect(try Binary.run(["import", "books", file, "--data", data]).out.contains("2 unchanged"))
        #expect(
            try Binary.run(["serve", "--data", data, "--listen", "127.0.0.1:0"]).err.contains(
                "in use by another lectern"))
        server.kill()
        #expect(try Binary.run(["check", "--data", data]).out.contains("is sound"))
    }
}

extension CommandError {
    /// A Boolean value indicating whether the command line is wrong.
    var isMisuse: Bool { if case .misused = self { true } else { false } }
}
