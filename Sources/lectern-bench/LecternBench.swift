import Foundation
import Glibc

/// The benchmark program, which drives a server and prints the results.
@main
enum LecternBench {
    static let usage = """
        lectern-bench [SCENARIO …] [--seconds N] [--repeat N] [--connections N]

        get      a book by id
        list     twenty books
        post     durable progress entries; then looks up every acknowledged one
        fanout   one reading, 100, 1,000 and 5,000 subscribers, 200 events at 20 a second; memory of an idle subscriber
        cold     from the start to the first response, with 100,000 entries on disk

        Without scenarios: all of them. The server is the lectern beside this program, on a fresh database.
        With --repeat N, get, list, post and fanout run N times, in turns. The run with the median rate is printed.
        """

    static func main() throws {
        // Thousands of subscribers need as many descriptors, here and in the server, which inherits the limit.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var numbers = ["--connections": 64.0, "--repeat": 1, "--seconds": 5]
        var names: [String] = []
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if word.hasPrefix("--") {
                guard let number = words.popFirst().flatMap(Double.init), number > 0 else { return print(usage) }
                numbers[word] = number
            } else {
                names.append(word)
            }
        }
        let server = try BenchServer(connections: Int(numbers["--connections"]!))
        try BenchScenarios(
            server: server, seconds: numbers["--seconds"]!, repetitions: Int(numbers["--repeat"]!)
        ).run(names)
    }
}
