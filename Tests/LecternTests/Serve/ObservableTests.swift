import Foundation
import JSON
import LecternClient
import Model
import Outbound
import SharedByTests
import Testing

@Suite("Observable resources of a server", .serialized, .ownProcess("LecternTests.ObservableTests"))
struct ObservableTests {
    private let data = TestDirectory.memory.path("observing")

    /// Starts a server, and returns it with a plain client and the library's client.
    private func serving() throws -> (server: Binary, client: Client, library: LecternClient) {
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        return (
            server, Client(port: server.port, token: token),
            try LecternClient("http://127.0.0.1:\(server.port)", token: token)
        )
    }

    private func remove() { try? FileManager.default.removeItem(atPath: data) }

    @Test("A change is written to the server, and a refused one shows the current state")
    @MainActor
    func writing() async throws {
        defer { remove() }
        let (server, client, library) = try serving()
        let reading = ObservableReading(library, id: try #require(ResourceID(try client.setUp())))
        #expect(await comesTrue { reading.value != nil })
        try await reading.update {
            $0.state = .finished
            $0.change(pageCount: 300)
        }
        let path = "/v1/readings/\(reading.value?.id.description ?? "")"
        #expect(reading.value?.isFinished == true && reading.value?.page == 300)
        #expect(try client.exchange("GET", path).body == reading.value?.encoded())
        do throws(LecternClientError) {
            try await reading.update {
                // Another client writes before the stream can deliver it.
                #expect(throws: Never.self) { _ = try client.send("PATCH", path, "{\"pageCount\":200}") }
                $0.pageCount = 400
            }
            Issue.record("it was written over another change")
        } catch {
            guard case .outdated = error else { throw error }
        }
        #expect(reading.value?.pageCount == 200)
        await #expect(throws: LecternClientError.self) { try await reading.update { $0.progress = .none } }
        server.kill()
    }

    @Test("A second device has the settings of the first, also after the server was away")
    @MainActor
    func settings() async throws {
        defer { remove() }
        let (server, _, library) = try serving()
        let (first, second) = (ObservableSettings(library), ObservableSettings(library))
        #expect(await comesTrue { first.value != nil && second.value != nil })
        try await first.update { $0.timeZone = "Europe/Lisbon" }
        #expect(await comesTrue { second.value?.timeZone == "Europe/Lisbon" })
        server.kill()
        #expect(
            await comesTrue {
                if case .offline = second.state { true } else { false }
            })
        #expect(second.value?.timeZone == "Europe/Lisbon")
        let again = try Binary(data: data, listen: "127.0.0.1:\(server.port)")
        try await first.update { $0.presence = true }
        #expect(await comesTrue { second.value?.presence == true })
        again.kill()
    }

    @Test("An observable list equals the page that GET returns, whatever changes")
    @MainActor
    func lists() async throws {
        defer { remove() }
        let (server, client, library) = try serving()
        let books = ["/v1/books?limit=3", "/v1/books?sort=title&limit=4", "/v1/books?sort=title"].map {
            ObservableList<Book>(library, path: $0)
        }
        let readings = ObservableList<Reading>(library, path: "/v1/readings?state=reading&limit=2")
        var random = SeededGenerator(seed: 29)
        var (known, open): ([String], [String]) = ([], [])
        for step in 0..<60 {
            let title = ["Wind", "Wave", "Sand", "Ash"].randomElement(using: &random)! + " \(step)"
            let body = "{\"title\":\"\(title)\"}"
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: known += [client.write("/v1/books", body)].compactMap { $0 }
            case 2:
                if let id = known.randomElement(using: &random) {
                    _ = try client.send("PATCH", "/v1/books/\(id)", body)
                }
            case 3:
                if let id = known.popLast() { _ = try client.exchange("DELETE", "/v1/books/\(id)") }
            case 4:
                if let id = known.randomElement(using: &random) {
                    open += [client.write("/v1/readings", "{\"book\":\"\(id)\"}")].compactMap { $0 }
                }
            default:
                if let id = open.popLast() {
                    _ = try client.send("PATCH", "/v1/readings/\(id)", "{\"isFinished\":true}")
                }
            }
            // The events so far are applied in between.
            if step % 10 == 9 { #expect(try await comesTrue { try isSame(books[0], client) }) }
        }
        for list in books {
            #expect(try await comesTrue { try isSame(list, client) }, "\(list.path): \(list.items.map(\.title))")
        }
        #expect(try await comesTrue { try isSame(readings, client) })
        server.kill()
    }

    @MainActor
    private func isSame<Value>(_ list: ObservableList<Value>, _ client: Client) throws -> Bool {
        let page = try client.send("GET", list.path)
        return page?["items"]?.elements.map(\.encoded) == list.items.map { $0.encoded() }
    }
}
