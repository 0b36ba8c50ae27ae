import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of tokens, which authenticate requests.
extension Route {
    static let tokens: [Route] = [
        Route(.get, "/v1/tokens", "listTokens", parameters: paged(), watching: .whole) { call throws(RequestError) in
            let viewer = call.viewer
            let seesAll = viewer.role == .administrator
            // The list depends on whether the viewer is an administrator.
            let parts: [WatchTopic] = [
                seesAll ? .every(.token) : .list(.token, viewer.scope), .resource(.reader, viewer.reader),
            ]
            return try call.list(in: viewer.scope, watch: .view(of: parts, isFullyLogged: !seesAll)) {
                reads, paging throws(RequestError) in
                try reads.demandRole(of: viewer)
                return try reads.tokens(
                    of: seesAll ? nil : viewer.readerKey, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.get, "/v1/tokens/{id}", "getToken", watching: .whole) { call throws(RequestError) in
            let (id, viewer) = (try call.id(0), call.viewer)
            let parts: [WatchTopic] = [.resource(.token, id), .resource(.reader, viewer.reader)]
            return call.one(id, watch: .view(of: parts, isFullyLogged: false)) {
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
        Route(.delete, "/v1/tokens/{id}", "deleteToken") { call throws(RequestError) in
            .commit(.deleteToken(try call.id(0)))
        },
    ]
}
