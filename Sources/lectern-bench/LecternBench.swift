import Foundation
import Glibc

/// The benchmark program, which drives a server and prints the results.
@main
enum LecternBench {
    static let usage = """
        lectern-bench [SCENARIO …] [--seconds N] [--repeat N] [--connections N] [--subscribers N,N]
                      [--server-cpus LIST] [--server-loops N] [--rows N] [--queries N]
                      [--port P --token T] [--compare URL]

        get          a book by id
        list         twenty books
        conditional  a book that has not changed (304)
        post         durable progress entries; then looks up every acknowledged one
        fanout       one reading, many subscribers, 200 events at 20 a second; memory of an idle subscriber
        topics       a thousand readings with a subscriber each, and writers to all of them
        stalled      a thousand subscribers that stop reading while 100,000 changes pass
        cold         from the start to the first response, with 100,000 entries on disk
        club         200 members: entries that unlock 100 of 5,000 notes, beside plain ones; standings, read and watched
        attacks      alone, with the default rates: the delay of another reader during each attack of a reader, for
                     --seconds each, beside the same attack on another server; --only NAME,NAME selects attacks
        live         a window of 20 among --rows entries (100,000), with changes inside and outside of it; and --queries
                     different windows of the catalogue (1,000), and the cost of a change with them

        Without scenarios: all. Without --port: the lectern beside this program, on a fresh database. --repeat N runs each
        scenario N times, in turns, and prints the run with the median rate. With --compare, the same connections get that
        address (http://127.0.0.1:PORT/PATH) after each get and list, and the ratio is printed.
        """

    static func main() throws {
        // Thousands of subscribers need as many descriptors, here and in the server, which inherits the limit.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var options: [String: String] = [:]
        var names: [String] = []
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if word == "--help" { return print(usage) }
            if word.hasPrefix("--") {
                options[String(word.dropFirst(2))] = words.popFirst()
            } else {
                names.append(word)
            }
        }
        let server =
            if let port = options["port"].flatMap({ UInt16($0) }) {
                BenchServer(port: port, token: options["token"] ?? "")
            } else {
                try BenchServer(
                    cpus: options["server-cpus"], loops: options["server-loops"] ?? "0",
                    hasRates: names == ["attacks"])
            }
        let seconds = options["seconds"].flatMap(Double.init)
        if names == ["attacks"] {
            let control = try BenchServer(
                cpus: nil, loops: options["server-loops"] ?? "0", hasRates: true, port: 18_089)
            try AttackScenario(
                server: server, control: control, seconds: seconds ?? 15,
                names: options["only"]?.split(separator: ",").map(String.init) ?? []
            ).run()
            return [server, control].forEach { $0.stop() }
        }
        let run = BenchScenarios(
            server: server, seconds: seconds ?? 5,
            connections: options["connections"].flatMap { Int($0) } ?? 64,
            repetitions: max(1, options["repeat"].flatMap { Int($0) } ?? 1),
            live: (
                options["rows"].flatMap { Int($0) } ?? 100_000, options["queries"].flatMap { Int($0) } ?? 1000
            ),
            reference: options["compare"].flatMap(ReferenceServer.init),
            subscribers: (options["subscribers"] ?? "100,1000,5000").split(separator: ",").compactMap { Int($0) })
        try run.all(names)
    }
}
