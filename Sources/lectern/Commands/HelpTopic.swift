import CHelp

/// A help text in the binary: a file of `docker/help`.
struct HelpTopic {
    let name: String
    let text: String

    /// The title, which is the first line.
    var title: Substring { text.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " } }

    static let all: [HelpTopic] = (0..<lectern_topics_count()).map { index in
        let topic = lectern_topics()[index]
        let bytes = UnsafeBufferPointer(start: topic.bytes, count: topic.count)
        return HelpTopic(name: String(cString: topic.name), text: String(decoding: bytes, as: UTF8.self))
    }
}
