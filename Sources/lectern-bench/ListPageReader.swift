import Foundation

/// The reading of a whole list, page by page.
enum ListPageReader {
    /// Returns the ids of a list's items, as visible to the owner of a token, by default the server's.
    static func ids(
        _ server: BenchServer, _ connection: BenchConnection, _ path: String, as token: String? = nil
    ) -> Set<String> {
        var ids: Set<String> = []
        var cursor = ""
        repeat {
            let request = server.request("GET", "\(path)?limit=100&cursor=\(cursor)", as: token)
            let text = String(decoding: connection.exchange(request, keepingBody: true)?.body ?? [], as: UTF8.self)
            for part in text.components(separatedBy: "{\"id\":\"").dropFirst() { ids.insert(String(part.prefix(36))) }
            cursor = ResponseValueExtraction.value("\"next\":\"", Array(text.utf8))
        } while !cursor.isEmpty
        return ids
    }
}
