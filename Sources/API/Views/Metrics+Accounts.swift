import Store

extension Metrics {
    /// Who comes in, and who is kept from guessing.
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
}
