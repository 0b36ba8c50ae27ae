import HTTPServer
import Model
import Store

/// The routes of book covers.
extension Route {
    static let covers: [Route] = [
        Route(
            .get, "/v1/books/{id}/cover", "getCover", parameters: ["v"],
            watching: .no(because: "The book changes with its cover: coverURL and coverDigest.")
        ) { call throws(RequestError) in
            try call.cover(of: call.id(0))
        },
        Route(.put, "/v1/books/{id}/cover", "putCover") { call throws(RequestError) in
            let id = try call.id(0)
            guard call.request.body.byteCount <= CoverImage.uploadedBytesMax else {
                throw .tooLarge(limit: "coverBytesMax", max: CoverImage.uploadedBytesMax)
            }
            guard let image = CoverImage(bytes(of: call.request.body)) else {
                throw .unsupportedMediaType(accepted: CoverImage.types, "The body must be \(CoverImage.types).")
            }
            return .commit(.putCover(id, image))
        },
        deleting("/v1/books/{id}/cover", "deleteCover", inBatches: false) { .putCover($0[0], nil) },
    ]
}

extension RouteCall {
    /// Returns a book's cover: the uploaded image, or else the one at `coverURL`, or else one made of its title and
    /// authors.
    fileprivate func cover(of id: ResourceID) throws(RequestError) -> RouteReply {
        guard let book = try reads.book(id) else { throw .notFound }
        if let digest = book.coverDigest, let image = try reads.cover(of: id) {
            return .document(imageResponse(image.bytes, image.type, tag: digest))
        }
        let plain = imageResponse(TypographicCover.svg(of: book), "image/svg+xml", tag: "svg-\(book.cardVersion)")
        guard let url = book.coverURL, let covers = service.covers else { return .document(plain) }
        // The image at a URL is fetched once, so a client's copy of it stays valid.
        let key = CoverLoader.key(of: url)
        let kept = imageResponse([], "image/jpeg", tag: key)
        if kept.status == 304 { return .document(kept) }
        let reader = try reads.settings(of: viewer.readerKey)?.updateArtwork ?? true ? viewer.readerKey : nil
        return .deferred(
            .job(
                ResponseJob(.cover, request) { () throws(RequestError) in
                    var response = kept
                    guard let image = await covers.image(at: url, key, fetchingFor: reader) else {
                        response = plain
                        response.caching = "private, max-age=60"
                        return .document(response)
                    }
                    (response.body, response.type) = (image.bytes, image.type)
                    return .document(response)
                }))
    }

    /// Returns an image, or 304 if the client has it. The policy prevents an image from running as a page.
    private func imageResponse(_ bytes: [UInt8], _ type: StaticString, tag: String) -> DocumentResponse {
        let tag = Array("\"\(tag)\"".utf8)
        return DocumentResponse(
            status: EntityTagPrecondition.ifNoneMatch(request, has: tag.span.bytes) ? 304 : 200, body: bytes,
            type: type, caching: "private, max-age=86400", tag: tag, policy: "default-src 'none'; sandbox",
            hidesURL: true)
    }
}
