/// The flags of rate limits.
extension Flag {
    static let tokenRate = Flag(
        name: "token-rate", value: "N:BURST", about: "a token's requests a second, and at once; 0 is no limit",
        fallback: "1000:5000")
    static let readerRate = Flag(
        name: "reader-rate", value: "N:BURST", about: "a reader's requests a second, with all tokens; 0 is no limit",
        fallback: "2000:10000")
    static let addressRate = Flag(
        name: "address-rate", value: "N:BURST",
        about: "an address's requests a second without a valid token; 0 is no limit", fallback: "100:1000")

    static let ofRates = [tokenRate, readerRate, addressRate]
}
