/// The flags of rate limits.
extension Flag {
    static let tokenRate = Flag(
        name: "token-rate", value: "N:BURST", about: "a token's requests a second, at once",
        defaultValue: "1000:5000")
    static let readerRate = Flag(
        name: "reader-rate", value: "N:BURST", about: "a reader's requests, all tokens",
        defaultValue: "2000:10000")
    static let addressRate = Flag(
        name: "address-rate", value: "N:BURST",
        about: "an address's requests, no token", defaultValue: "100:1000")

    static let ofRates = [tokenRate, readerRate, addressRate]
}
