import Foundation

/// The time from the start of the program to its first response, with many entries on disk.
struct ColdStartScenario {
    let server: BenchServer
    let readings: [String]
    let connections: Int
    let entries: Int
    static let starts = 5

    /// Returns the milliseconds of each start, sorted, and the memory after the last, in bytes.
    func run() throws -> (milliseconds: [Double], memory: Int) {
        let load = ConcurrentWriters(
            port: server.port, connections: connections, requestsMax: entries,
            requests: readings.map { server.request("POST", "/v1/readings/\($0)/entries", "{\"progress\":0.5}") })
        load.start()
        load.wait()
        var milliseconds: [Double] = []
        for _ in 0..<Self.starts {
            server.stop()
            let start = DispatchTime.now().uptimeNanoseconds
            try server.start()
            while BenchConnection(port: server.port)?.exchange(server.request("GET", "/healthz"))?.status != 200 {
                usleep(200)
            }
            milliseconds.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
        }
        return (milliseconds.sorted(), server.memory())
    }
}
