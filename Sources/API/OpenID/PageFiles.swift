import CPages

/// The files of the sign-in page.
enum PageFiles {
    static let html = bytes(of: lectern_page_html())
    static let style = bytes(of: lectern_page_style())
    static let script = bytes(of: lectern_page_script())

    private static func bytes(of file: lectern_page_file) -> [UInt8] {
        Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
