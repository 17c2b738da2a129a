import Streams
import Synchronization
import Testing

@testable import StreamsTesting

@Suite("What the kit's machines do with random programs")
struct MachineReportTests {
    @Test("The order in which a virtual clock runs what is scheduled, repeated and cancelled")
    func schedules() throws {
        let log = Mutex<[String]>([])
        let lines = WrittenReport.cases("schedules", 24, shown: 24) { choices in
            let scheduler = VirtualTimeScheduler(permutingEqualTimesBy: choices.chance(1, of: 3) ? 5 : nil)
            var repeating: [any Cancellable] = []
            log.withLock { $0 = [] }
            for number in 0..<14 {
                let delay = VirtualTime.Stride.milliseconds(choices.int(in: 0...4))
                let due = scheduler.now.advanced(by: delay)
                let note: @Sendable () -> Void = {
                    log.withLock { $0.append("\(number)@\(scheduler.now)\(scheduler.isRunning ? "" : " idle")") }
                }
                switch choices.int(in: 0...7) {
                case 0: scheduler.schedule(note)
                case 1: scheduler.post(at: due, note)
                case 2, 3: scheduler.schedule(after: due, tolerance: .zero, options: nil, note)
                case 4:
                    let interval = VirtualTime.Stride.milliseconds(choices.int(in: 1...3))
                    repeating.append(
                        scheduler.schedule(after: due, interval: interval, tolerance: .zero, options: nil, note))
                case 5:
                    if !repeating.isEmpty { repeating.remove(at: choices.int(in: 0...repeating.count - 1)).cancel() }
                case 6: scheduler.advance(by: delay)
                default: scheduler.run(limit: choices.int(in: 0...3))
                }
                let next = scheduler.nextDue.map { "\($0)" } ?? "never"
                log.withLock {
                    $0.append("[\(scheduler.scheduledCount), \(next)\(scheduler.hasDelayedWork ? ", later" : "")]")
                }
            }
            for cancellable in repeating { cancellable.cancel() }
            let isDone = scheduler.run(limit: 20)
            let first = scheduler.firstDelayedRun.map { "\($0)" } ?? "none"
            let delays = scheduler.delays.sorted().map { "\($0.magnitude / 1_000_000)" }
            return (
                log.withLock { $0.joined(separator: " ") },
                "\(scheduler.now), \(isDone ? "done" : "not done"), first \(first), delays \(delays)"
            )
        }
        try WrittenReport.expect("Schedules", lines)
    }

    @Test("What a test publisher delivers, keeps, drops and counts")
    func publishers() throws {
        let lines = WrittenReport.cases("publishers", 40, shown: 40) { choices in
            let kind: TestPublisher<Int>.Kind = choices.chance(1, of: 2) ? .hot : .cold
            let scheduler = VirtualTimeScheduler()
            let publisher = TestPublisher<Int>(kind, "1-2(34)--5|", on: scheduler)
            let demand = DemandPolicy.random.draw(&choices)
            let cancel = choices.chance(1, of: 3) ? choices.int(in: 1...4) : nil
            let recorder = RecordingSubscriber<Int, TestFailure>(
                demand: demand, cancellingAt: cancel, clock: scheduler)
            publisher.subscribe(recorder)
            let subscription = recorder.takenSubscription()
            var steps: [String] = []
            for step in 0..<8 {
                switch choices.int(in: 0...6) {
                case 0:
                    publisher.send(10 + step)
                    steps.append("send")
                case 1, 2:
                    recorder.request(.max(2))
                    steps.append("request")
                case 3:
                    subscription?.request(.max(1))
                    steps.append("late request")
                case 4 where step > 5:
                    subscription?.cancel()
                    steps.append("cancel")
                default:
                    scheduler.advance(by: .milliseconds(2))
                    steps.append("advance")
                }
            }
            let windows = publisher.windows.map { window in
                let end = window.end.map { "\($0.how) at \($0.time)" } ?? "open"
                return "requests \(window.requests.map { "\($0.demand)@\($0.time)" }), delivered \(window.delivered), "
                    + "dropped \(window.dropped), cancels \(window.cancels), late \(window.lateRequests), \(end)"
            }
            return (
                "\(kind), \(demand), cancel at \(cancel ?? 0): \(steps.joined(separator: ", "))",
                "\(recorder.timeline) \(recorder.violations) open \(recorder.openDemand)\(recorder.wantsMore ? ", wants" : "")\n"
                    + windows.joined(separator: "\n")
            )
        }
        try WrittenReport.expect("Publishers", lines)
    }

    @Test("The charts of timelines, in both styles and several units")
    func charts() throws {
        let lines = WrittenReport.cases("charts", 24, shown: 24) { choices in
            let style: MarbleChart.Style = choices.chance(1, of: 2) ? .notation : .illustration
            let unit = choices.element(of: [VirtualTime.Stride.milliseconds(1), .microseconds(500), .seconds(1)])
            let lanes = (0...choices.int(in: 0...2)).map { number in
                var time = choices.int(in: 0...2)
                var timeline = Timeline<String>()
                for value in choices.array(upTo: 5, { $0.element(of: ["a", "b", "12", "it's", ""]) }) {
                    timeline.append(.value(value), at: .zero.advanced(by: .nanoseconds(time * unit.magnitude)))
                    time += choices.element(of: [0, 1, 2, 8, 30, 2_000])
                }
                let ends: [Timeline<String>.Signal?] = [nil, .finished, .failure("✕"), .failure("late"), .cancelled]
                if let end = choices.element(of: ends) {
                    timeline.append(end, at: .zero.advanced(by: .nanoseconds(time * unit.magnitude)))
                }
                return MarbleChart.Lane(String(repeating: "n", count: number + 1), timeline)
            }
            return ("\(style), \(unit.magnitude) ns", "\(MarbleChart(lanes, unit: unit, style: style))")
        }
        try WrittenReport.expect("Charts", lines)
    }
}
