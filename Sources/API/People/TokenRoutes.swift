import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of tokens, which authenticate requests.
extension Route {
    static let tokens: [Route] = [
        Route(.get, "/v1/tokens", "listTokens", parameters: paged("sessions"), watching: .whole) {
            call throws(RequestError) in
            let (viewer, areSessions) = (call.viewer, try call.query.bool("sessions") ?? false)
            let seesAll = viewer.role == .administrator && !areSessions
            var parts: [WatchTopic] = [seesAll ? .every(.token) : .list(.token, viewer.scope)]
            // The list of tokens depends on whether the viewer is an administrator; sessions are always the viewer's own.
            if !areSessions { parts.append(.resource(.reader, viewer.reader)) }
            let encode: ItemEncoder<Token> = { _, tokens in
                tokens.map { $0.encoded().dropLast() + Array(",\"isCurrent\":\($0.id == viewer.token)}".utf8) }
            }
            return try call.list(
                in: viewer.scope, watch: .view(of: parts, isFullyLogged: !seesAll), encode: encode
            ) { reads, paging throws(RequestError) in
                if !areSessions { try reads.demandRole(of: viewer) }
                let list =
                    areSessions
                    ? ReadConnection.ownSessions : seesAll ? ReadConnection.tokens : ReadConnection.ownTokens
                return try list.page(reads, of: viewer.readerKey, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/tokens/{id}", "getToken", watching: .whole) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            let parts: [WatchTopic] = [.resource(.token, id), .resource(.reader, viewer.reader)]
            return try call.one(id, watch: .view(of: parts, isFullyLogged: false)) {
                reads throws(RequestError) -> Token? in
                try reads.demandRole(of: viewer)
                guard let token = try reads.token(id),
                    viewer.role == .administrator || token.readerKey == viewer.readerKey
                else { return nil }
                return token
            }
        },
        Route(.post, "/v1/tokens", "createToken") { call throws(RequestError) in
            let (draft, secret) = (try TokenDraft(call.json(), now: call.now), TokenSecret())
            if let reader = draft.reader, reader != call.viewer.reader, call.viewer.role == .administrator {
                try call.request.demandLocal("lectern token create --name NAME --reader \(reader)")
            }
            return .commit(.createToken(draft, secret.digest), secret: ShownSecret(name: "token", text: secret.text))
        },
        deleting("/v1/tokens/{id}", "deleteToken", inBatches: false) { .deleteToken($0[0]) },
    ]
}
