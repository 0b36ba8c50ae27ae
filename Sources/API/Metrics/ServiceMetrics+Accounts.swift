import Store

extension ServiceMetrics {
    /// Adds the metrics of sign-ins, registrations and open reports.
    static func addAccounts(of service: SharedServiceState, to text: inout PrometheusText) {
        let signIns = service.accounts.counters
        text.counter(
            "lectern_sign_ins_total", "Successful sign-ins with a password or an identity provider.",
            signIns.signIns.current)
        text.counter("lectern_sign_ins_refused_total", "Failed sign-ins.", signIns.refused.current)
        text.counter(
            "lectern_sign_ins_slowed_total", "Sign-ins refused by a rate limit.", signIns.slowed.current)
        text.gauge(
            "lectern_reports_open", "Open reports.", service.store.counters[.openReports])
        text.counter("lectern_registrations_total", "Registered readers.", signIns.registrations.current)
    }

    static func addCovers(of service: SharedServiceState, to text: inout PrometheusText) {
        guard let counters = service.covers?.counters else { return }
        text.counter(
            "lectern_cover_fetches_total", "Requests for covers to other servers.", counters.fetches.current)
        text.counter(
            "lectern_cover_fetch_failures_total", "Requests for covers that returned no image.",
            counters.failures.current)
        text.gauge("lectern_cover_requests_waiting", "Requests that wait for a cover.", counters.waiting.current)
        text.gauge("lectern_cover_cache_bytes", "Size of the cover cache on disk.", counters.bytes.current)
    }
}
