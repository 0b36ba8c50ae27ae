import API

extension CommandLineArguments {
    /// Returns the rate limits. Throws `CommandError.misused`.
    func rates() throws(CommandError) -> RateLimits {
        RateLimits(
            token: try rate(.tokenRatePerSecond), reader: try rate(.readerRatePerSecond),
            address: try rate(.addressRatePerSecond))
    }

    private func rate(_ flag: CommandLineFlag) throws(CommandError) -> RateLimit {
        let text = self[flag] ?? ""
        guard let rate = RateLimit(text) else {
            throw .misused(
                "\(place(of: flag)) must be a number of requests, or with a burst, such as 1000:5000, not "
                    + "\"\(text)\"; 0 is no limit.")
        }
        return rate
    }
}
