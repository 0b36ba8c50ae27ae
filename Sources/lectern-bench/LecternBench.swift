import Foundation

/// Drives a server and prints what it does.
@main
enum LecternBench {
    static let usage = """
        lectern-bench [SCENARIO …] [--seconds N] [--connections N] [--subscribers N,N] [--server-cpus LIST] [--port P --token T]

        get          a book by id
        list         twenty books
        conditional  a book that has not changed (304)
        post         durable progress entries; every acknowledged one is looked up afterwards
        fanout       one reading, many subscribers, 200 events at 20 a second; memory of an idle subscriber

        Without scenarios: all. Without --port: the lectern beside this program, on a fresh database.
        """

    static func main() throws {
        var options: [String: String] = [:]
        var names: [String] = []
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if word == "--help" { return print(usage) }
            if word.hasPrefix("--") { options[String(word.dropFirst(2))] = words.popFirst() } else { names.append(word) }
        }
        let server =
            if let port = options["port"].flatMap({ UInt16($0) }) {
                Server(port: port, token: options["token"] ?? "")
            } else {
                try Server(cpus: options["server-cpus"])
            }
        let run = Scenarios(
            server: server, seconds: options["seconds"].flatMap(Double.init) ?? 5,
            connections: options["connections"].flatMap { Int($0) } ?? 64,
            subscribers: (options["subscribers"] ?? "100,1000,5000").split(separator: ",").compactMap { Int($0) })
        try run.all(names)
    }
}
