import Bytes
import JSON
import Model

/// The codec of uploaded covers. Importing a cover's line writes both the image and its digest in the book, so they
/// always agree.
extension ExportRecordCodec {
    static let covers = ExportRecordCodec(
        kind: "cover",
        whole: SQLText("SELECT (SELECT id FROM books WHERE key = book), image FROM covers ORDER BY book"),
        write: { statement, _, json in
            json.member("book", statement.id(0))
            json.member("image", Base64URL.text(of: statement.blob(1)))
        },
        read: { line, state throws(RequestError) in
            var decoder = line.decoder
            let book = decoder.id("book") ?? .zero
            let most = (CoverImage.uploadedBytesMax * 4 + 2) / 3
            let text = decoder.string("image", length: 1...most).value ?? ""
            try decoder.demandValid()
            guard let image = Base64URL.bytes(of: text).flatMap({ CoverImage($0) }) else {
                throw .violation("/image", "must be a JPEG, PNG, WebP or GIF in base64url")
            }
            guard let old = try state.query(BookTable.find(book, in: state.db)) else { throw .unknown("book") }
            var new = old
            new.coverDigest = image.digest
            let write = RowWrite<BookTable>(before: old, after: new, keepsTimes: true)
            if new.difference(from: old) == nil { return CommandDecision([write]) }
            guard line.context.replaces || old.coverDigest == nil else {
                throw .refused(
                    .importDiffers, "The book already has another cover. Import the line with replace to overwrite it.")
            }
            return CommandDecision([write, CoverTable.setting(image, ofBook: old.key)])
        })
}
