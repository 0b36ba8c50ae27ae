import LecternClient
import Model

let client = try LecternClient(CommandLine.arguments[1], token: CommandLine.arguments[2])
let page: Page<Reading> = try await client.list("/v1/readings?state=reading")
guard let first = page.items.first else { fatalError("Begin a reading first.") }

// As a view has it: it follows the server, through restarts, too, and a change is written through, if nothing else came between.
let reading = ObservableReading(client, id: first.id)
while reading.value == nil { try await Task.sleep(for: .milliseconds(50)) }
do {
    try await reading.update { $0.pageCount = 400 }
} catch {
    print("Not written:", error)
}
print(reading.value?.pageCount ?? 0, "pages,", reading.state)
// As a program has it: each event once, in the order of the log.
for try await event in client.watch("/v1/changes", after: page.after) {
    print(event.name, String(decoding: event.data, as: UTF8.self))
}
