/// The flags of rate limits.
extension Flag {
    static let tokenRate = Flag(
        name: "token-rate", value: "N:BURST", about: "a token's requests a second, at once",
        fallback: "1000:5000")
    static let readerRate = Flag(
        name: "reader-rate", value: "N:BURST", about: "a reader's requests, all tokens",
        fallback: "2000:10000")
    static let addressRate = Flag(
        name: "address-rate", value: "N:BURST",
        about: "an address's requests, no token", fallback: "100:1000")

    static let ofRates = [tokenRate, readerRate, addressRate]
}
