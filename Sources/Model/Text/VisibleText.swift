extension String {
    /// A Boolean value indicating whether the text has a visible character.
    public var isVisible: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Unicode.Scalar {
    /// A Boolean value indicating whether the scalar is neither a space nor a control or format character, nor one that
    /// fonts ignore, such as the fillers of Hangul.
    var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
