import Foundation
import LecternClient
import Model

@MainActor func run(_ url: String, _ token: String) async throws {
    let client = try LecternClient(url, token: token)
    let page: Page<Reading> = try await client.list("/v1/readings?state=reading")
    guard let first = page.items.first else { return print("Start a reading first.") }

    // For a view: the value follows the server, even through restarts. An update fails if another change came first.
    let reading = ObservableReading(client, id: first.id)
    while reading.value == nil { try await Task.sleep(for: .milliseconds(50)) }
    try await reading.update { $0.pageCount = 400 }
    print(reading.value?.pageCount ?? 0, "pages,", reading.state)
    // For a program: each event is delivered once, in the order of the log.
    for try await event in client.watch("/v1/changes", after: page.after) {
        print(event.name, String(decoding: event.data, as: UTF8.self))
    }
}

guard CommandLine.arguments.count == 3 else {
    print("usage: lectern-example URL TOKEN")
    exit(2)
}
do {
    try await run(CommandLine.arguments[1], CommandLine.arguments[2])
} catch {
    print("lectern-example: \(error)")
    exit(1)
}
