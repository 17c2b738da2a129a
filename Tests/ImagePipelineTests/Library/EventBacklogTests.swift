import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("The pace at which events are handled")
struct EventBacklogTests {
    private let time = VirtualTimeScheduler()
    private let place = FolderScan.Place(folder: "/photos", name: "a.jpg")

    /// A backlog whose handling takes a time, and what it has handled, by milliseconds.
    private func backlog(taking duration: Duration) -> (EventBacklog, Log) {
        let log = Log()
        let clock = StoreClock(time)
        let time = time
        return (
            EventBacklog(clock: clock) {
                log.note(clock.elapsed(), $0)
                time.advance(by: .nanoseconds(Int(duration / .nanoseconds(1))))
            }, log
        )
    }

    @Test("The first event is handled at once, and what comes without end in a fifth of the time, together")
    func endless() {
        let (backlog, log) = backlog(taking: .milliseconds(10))
        for _ in 0..<100 {
            backlog.add(.everything)
            time.advance(by: .milliseconds(20))
        }
        // A hundred folders in 2 s, or a little more by the handling.
        #expect(log.times.first == 0)
        #expect((30...60).contains(log.times.count))
        #expect(zip(log.times, log.times.dropFirst()).allSatisfy { (50...80).contains($1 - $0) })
    }

    @Test("However long one handling takes, nothing waits longer than two seconds for the next")
    func longest() {
        let (backlog, log) = backlog(taking: .seconds(10))
        backlog.add(.everything)
        backlog.add(FolderEvents(places: [place]))
        time.advance(by: .seconds(60))
        #expect(log.times == [0, 12_000])
    }

    @Test("A file that is written to without end is looked at twice a second, and once more when that is over")
    func growing() {
        let (backlog, log) = backlog(taking: .zero)
        for _ in 0..<200 {
            backlog.add(FolderEvents(growing: [place]))
            time.advance(by: .milliseconds(10))
        }
        time.advance(by: .seconds(1))
        #expect(log.times == [500, 1000, 1500, 2000])
        #expect(log.events.allSatisfy { $0 == FolderEvents(places: [place]) })
    }

    @Test("A file that is closed is looked at once")
    func closed() {
        let (backlog, log) = backlog(taking: .zero)
        backlog.add(FolderEvents(growing: [place]))
        backlog.add(FolderEvents(places: [place]))
        time.advance(by: .seconds(2))
        #expect(log.times == [0])
    }

    @Test("A look that is asked for comes when its time has come, and not twice")
    func look() {
        let (backlog, log) = backlog(taking: .zero)
        backlog.look(after: .seconds(10))
        time.advance(by: .seconds(60))
        #expect(log.times == [10_000])
        backlog.look(after: .seconds(10))
        backlog.look(after: nil)
        time.advance(by: .seconds(60))
        #expect(log.times == [10_000])
    }

    @Test(
        "A file that has come to a place and left it before anybody looked is missed, in whatever portions that is told",
        arguments: [false, true], [0, 1, 2])
    func missed(givesWay: Bool, portions: Int) {
        let (backlog, log) = backlog(taking: .milliseconds(10))
        // With a look at something else in front, what follows waits and is joined.
        if portions < 2 { backlog.add(.everything) }
        var (first, second) = (FolderEvents(), FolderEvents())
        first.note(place, leaves: false, arrives: true)
        if portions == 0 {
            first.note(place, leaves: true, arrives: givesWay)
        } else {
            second.note(place, leaves: true, arrives: givesWay)
        }
        backlog.add(first)
        if portions > 0 { backlog.add(second) }
        time.advance(by: .seconds(1))
        #expect(log.events.contains { $0.missed == [place] })
    }

    @Test("A file that leaves a place that was looked at since it came is not missed, nor is one that only gives way")
    func noticed() {
        let (backlog, log) = backlog(taking: .milliseconds(10))
        let other = FolderScan.Place(folder: "/photos", name: "b.jpg")
        for (place, leaves, arrives) in [
            (place, false, true), (other, true, false), (place, true, true), (other, false, true), (place, true, true),
        ] {
            var events = FolderEvents()
            events.note(place, leaves: leaves, arrives: arrives)
            backlog.add(events)
            time.advance(by: .seconds(1))
        }
        #expect(log.events.count == 5)
        #expect(log.events.allSatisfy { $0.missed.isEmpty })
    }

    @Test("What is reported while something is handled is handled afterwards, and nothing is once it is cancelled")
    func nested() {
        let clock = StoreClock(time)
        let log = Log()
        let depth = Mutex(0)
        let box = Mutex<EventBacklog?>(nil)
        let backlog = EventBacklog(clock: clock) { events in
            log.note(clock.elapsed(), events)
            depth.withLock {
                $0 += 1
                #expect($0 == 1)
            }
            if log.times.count < 3 { box.withLock { $0 }?.add(.everything) }
            depth.withLock { $0 -= 1 }
        }
        box.withLock { $0 = backlog }
        backlog.add(.everything)
        time.advance(by: .seconds(1))
        #expect(log.times.count == 3)
        box.withLock { $0 = nil }
        backlog.cancel()
        backlog.add(.everything)
        time.advance(by: .seconds(1))
        #expect(log.times.count == 3)
    }
}

private final class Log: Sendable {
    private let notes = Mutex<[(time: Int, events: FolderEvents)]>([])

    func note(_ time: Duration, _ events: FolderEvents) {
        notes.withLock { $0.append((Int(time / .milliseconds(1)), events)) }
    }

    var times: [Int] { notes.withLock { $0.map(\.time) } }
    var events: [FolderEvents] { notes.withLock { $0.map(\.events) } }
}
