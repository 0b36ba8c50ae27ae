/// The flags of rate limits.
extension Flag {
    static let tokenRate = Flag(
        name: "token-rate", value: "N:BURST", about: "requests a second of a token, and at once; 0 is no limit",
        fallback: "1000:5000")
    static let readerRate = Flag(
        name: "reader-rate", value: "N:BURST", about: "requests a second of a reader, with all tokens; 0 is no limit",
        fallback: "2000:10000")
    static let addressRate = Flag(
        name: "address-rate", value: "N:BURST",
        about: "requests a second of an address that says nobody's token; 0 is no limit", fallback: "100:1000")

    static let ofRates = [tokenRate, readerRate, addressRate]
}
