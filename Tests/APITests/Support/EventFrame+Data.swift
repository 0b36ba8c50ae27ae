import ObservableModels

extension EventFrame {
    /// Returns the data of a frame, without the field name and the line end.
    static func data(of frame: [UInt8]) -> ArraySlice<UInt8> {
        let name = Array("data: ".utf8)
        var line = frame[...]
        while !line.starts(with: name), let end = line.firstIndex(of: UInt8(ascii: "\n")) { line = line[(end + 1)...] }
        return line.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\n") }
    }
}
