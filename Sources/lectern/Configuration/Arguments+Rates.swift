import API

extension Arguments {
    /// Returns the rate limits. Throws `Misuse`.
    func rates() throws(Misuse) -> RateLimits.Rates {
        RateLimits.Rates(token: try rate(.tokenRate), reader: try rate(.readerRate), address: try rate(.addressRate))
    }

    private func rate(_ flag: Flag) throws(Misuse) -> Rate {
        let text = self[flag] ?? ""
        guard let rate = Rate(text) else {
            throw Misuse(
                message:
                    "--\(flag.name) must be requests a second, such as 1000, or with a burst, such as 1000:5000; "
                    + "0 is no limit. It is \"\(text)\".")
        }
        return rate
    }
}
