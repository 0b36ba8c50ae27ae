/// The reason why a text is not the value that it should be.
package struct InvalidText: Error, Equatable {
    /// A part of a sentence, without a full stop.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
