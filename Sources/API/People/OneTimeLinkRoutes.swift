import HTTPServer
import JSON
import Model
import ObservableModels
import Store

/// The routes of links with which people become readers, or choose a new password.
extension Route {
    static let links: [Route] = [
        Route(.get, "/v1/links", "listLinks", parameters: paged(), watching: .whole) { call throws(RequestError) in
            let viewer = call.viewer
            let seesAll = viewer.role == .administrator
            let parts: [WatchTopic] = [
                seesAll ? .every(.link) : .list(.link, viewer.scope), .resource(.reader, viewer.reader),
            ]
            return try call.list(in: viewer.scope, watch: .view(of: parts, isFullyLogged: !seesAll)) {
                reads, paging throws(RequestError) in
                try reads.demandRole(of: viewer)
                return try (seesAll ? ReadConnection.links : ReadConnection.ownLinks).page(
                    reads, of: viewer.readerKey, after: paging.cursor, limit: paging.limit)
            }
        },
        Route(.post, "/v1/links", "createLink") { call throws(RequestError) in
            let draft = try OneTimeLinkDraft(call.json(), now: call.now)
            // Such a link is like a token, and its reader would not notice its use.
            if draft.kind == .signin, let reader = draft.reader, reader != call.viewer.reader {
                try call.request.demandLocal(
                    "curl --unix-socket lectern.sock -H 'Content-Type: application/json' "
                        + "-d '{\"kind\":\"signin\",\"reader\":\"\(reader)\"}' http://localhost/v1/links")
            }
            let (accounts, secret) = (call.service.accounts, TokenSecret(prefix: "\(draft.kind.rawValue)_"))
            return .commit(
                .createLink(draft, accounts.settings.registrationPolicy, secret.digest), location: .nowhere,
                secret: ShownSecret(name: "url", text: accounts.url(ofLink: secret.text)))
        },
        Route(.post, "/v1/links/preview", "previewLink", admission: .anyone, access: .read) {
            call throws(RequestError) in
            var decoder = ObjectDecoder(try call.json())
            let code = decoder.required("invitation", decoder.string("invitation", length: 1...100), .patch)
            var link = ""
            if decoder.has("invitation") {
                decoder.refuse("link", with: "invitation")
            } else {
                link = decoder.string("link", length: 1...200).value ?? ""
                if !decoder.has("link") { decoder.refuse("link", "is required without an invitation") }
            }
            try decoder.demandValid()
            let preview =
                if let code {
                    try call.reads.previewInvitation(code, for: try call.optionalViewer(), at: call.now)
                } else {
                    try call.reads.previewLink(
                        TokenSecret.digest(of: link), call.service.accounts.settings.registrationPolicy, at: call.now)
                }
            return .document(DocumentResponse(body: preview.encoded(), caching: "no-store"))
        },
        deleting("/v1/links/{id}", "deleteLink", inBatches: false) { .deleteLink($0[0]) },
    ]
}
