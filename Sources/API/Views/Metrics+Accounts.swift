import Store
import Synchronization

extension Metrics {
    /// Adds the metrics of sign-ins, registrations and open reports.
    static func addAccounts(of service: ServiceState, to text: inout MetricsText) {
        let signIns = service.accounts.counters
        text.counter(
            "lectern_sign_ins_total", "Sign-ins by a password or an identity provider.", signIns.signIns.current)
        text.counter("lectern_sign_ins_refused_total", "Sign-ins that were refused.", signIns.refused.current)
        text.counter(
            "lectern_sign_ins_slowed_total", "Sign-ins that came too soon after others.", signIns.slowed.current)
        text.gauge(
            "lectern_reports_open", "Reports that nobody has decided on.", service.store.counters[.openReports])
        text.counter("lectern_registrations_total", "Readers who registered.", signIns.registrations.current)
    }

    static func addCovers(of service: ServiceState, to text: inout MetricsText) {
        guard let counters = service.covers?.counters else { return }
        text.counter(
            "lectern_cover_fetches_total", "Covers that were asked of other servers.",
            counters.fetches.load(ordering: .relaxed))
        text.counter(
            "lectern_cover_fetch_failures_total", "Fetches that brought no image.",
            counters.failures.load(ordering: .relaxed))
        text.gauge(
            "lectern_cover_requests_waiting", "Requests that wait for a fetch.",
            counters.waiting.load(ordering: .relaxed))
        text.gauge(
            "lectern_cover_cache_bytes", "Fetched covers on disk.", counters.bytes.load(ordering: .relaxed))
    }
}
