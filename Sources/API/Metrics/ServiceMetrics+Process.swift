import Measures
import Model
import Store
import Synchronization

/// The metrics of the process, and of the service's health.
extension ServiceMetrics {
    static func addHealth(of service: SharedServiceState, to text: inout PrometheusText) {
        let readiness = Readiness(of: service)
        text.gauge("lectern_ready", "1 while /readyz returns 200, else 0.", readiness.isReady ? 1 : 0)
        text.gauge(
            "lectern_writer_stalled_seconds", "Time since the writer last responded.",
            MetricUnit.milliseconds.text(service.store.counters.stalledMilliseconds))
        let now = MonotonicClock.now()
        text.begin("lectern_loop_stalled_seconds", "gauge", "Time since the slowest event loop last responded.")
        for (index, loop) in service.loopCounters.enumerated() {
            let stalled = MetricUnit.milliseconds.text(loop.stalledMilliseconds(at: now))
            text.line("lectern_loop_stalled_seconds", labels: "loop=\"\(index)\"", stalled)
        }
        text.begin("lectern_limits_hit_total", "counter", "Requests refused by a limit, by its name.")
        for (name, count) in service.limitsHit.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text.line("lectern_limits_hit_total", labels: "limit=\"\(name)\"", count)
        }
        text.counter(
            "lectern_log_lines_dropped_total", "Log lines lost because the output was full or too slow.",
            service.log.droppedCount)
        text.gauge(
            "lectern_connections", "Open connections.",
            service.loopCounters.reduce(0) { $0 + ($1.gauges?.connections ?? 0) })
    }

    static func addProcess(of service: SharedServiceState, to text: inout PrometheusText) {
        text.begin("lectern_build_info", "gauge", "Version of the program; always 1.")
        text.line(
            "lectern_build_info",
            labels:
                "version=\"\(ProgramRelease.version)\",commit=\"\(ProgramRelease.commit)\",schema=\"\(ProgramRelease.schema)\",sqlite=\"\(ProgramRelease.sqlite)\"",
            1)
        text.gauge(
            "process_start_time_seconds", "Unix time of the start.",
            MetricUnit.milliseconds.text(Int(service.began.milliseconds)))
        let process = ProcessResourceUsage()
        text.gauge("process_resident_memory_bytes", "Resident memory.", process.residentBytes)
        text.counter(
            "process_cpu_seconds_total", "User and system CPU time.",
            MetricUnit.microseconds.text(process.processorMicroseconds))
        if let open = process.openDescriptors { text.gauge("process_open_fds", "Open file descriptors.", open) }
        text.gauge("process_max_fds", "Maximum number of file descriptors.", process.descriptorsMax)
    }
}
