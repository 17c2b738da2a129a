import CThread
import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("ThreadPoolScheduler")
struct ThreadPoolSchedulerTests {
    @Test("What has a higher priority goes first; among equals, what came first")
    func priorities() {
        let pool = ThreadPoolScheduler(width: 1)
        let (isBusy, mayGo, isDone) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let order = Recorded([String]())
        pool.schedule {
            isBusy.signal()
            mayGo.wait()
        }
        isBusy.wait()
        for (name, priority) in [
            ("low 1", ThreadPoolScheduler.Priority.low), ("normal 1", .normal), ("high 1", .high), ("low 2", .low),
            ("high 2", .high), ("normal 2", .normal),
        ] {
            pool.schedule(options: .init(priority: priority)) {
                order.update { $0.append(name) }
                isDone.signal()
            }
        }
        mayGo.signal()
        for _ in 0..<6 { isDone.wait() }
        #expect(order.value == ["high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2"])
    }

    @Test("As many pieces of work run at once as it is wide, also when its threads have had nothing to do")
    func width() {
        let isDone = DispatchSemaphore(value: 0)
        // Behind one piece there is one thread, most often idle, and two pieces to come.
        for earlier in [20] + Array(repeating: 1, count: 50) {
            let pool = ThreadPoolScheduler(width: 2)
            for _ in 0..<earlier {
                pool.schedule { isDone.signal() }
                isDone.wait()
            }
            let meeting = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // Neither ends without the other.
            pool.schedule {
                meeting.0.signal()
                meeting.1.wait()
                isDone.signal()
            }
            pool.schedule {
                meeting.1.signal()
                meeting.0.wait()
                isDone.signal()
            }
            for _ in 0..<2 { isDone.wait() }
        }
    }

    @Test("One that is as wide as one, or less, has one thread", arguments: [1, 0, -3])
    func oneThread(width: Int) {
        // Many times, as a second thread might come too late to be seen.
        for _ in 0..<50 {
            let pool = ThreadPoolScheduler(width: width)
            #expect(pool.width == 1)
            let threads = Recorded<Set<UInt>>([])
            let (isBusy, mayGo, isDone) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            pool.schedule {
                threads.update { $0.insert(UInt(current_thread())) }
                isBusy.signal()
                mayGo.wait()
            }
            isBusy.wait()
            for _ in 0..<20 {
                pool.schedule {
                    threads.update { $0.insert(UInt(current_thread())) }
                    isDone.signal()
                }
            }
            mayGo.signal()
            for _ in 0..<20 { isDone.wait() }
            #expect(threads.value.count == 1)
        }
    }

    @Test("Its threads end with it")
    func threadsEnd() throws {
        // The end of a thread is told by the destructor of a value of its own.
        var key = pthread_key_t()
        let isMade = pthread_key_create(&key) { pointer in
            // The parameter is an optional on Linux and none elsewhere.
            if let ended = pointer as UnsafeMutableRawPointer? {
                Unmanaged<DispatchSemaphore>.fromOpaque(ended).takeRetainedValue().signal()
            }
        }
        try #require(isMade == 0)
        defer { pthread_key_delete(key) }
        let (isBusy, mayGo, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        do {
            let pool = ThreadPoolScheduler(width: 2)
            for _ in 0..<2 {
                pool.schedule { [key] in
                    pthread_setspecific(key, Unmanaged.passRetained(hasEnded).toOpaque())
                    isBusy.signal()
                    mayGo.wait()
                }
            }
            for _ in 0..<2 { isBusy.wait() }
            for _ in 0..<2 { mayGo.signal() }
        }
        for _ in 0..<2 { hasEnded.wait() }
    }

    @Test("Repeating work never overlaps itself, and nothing of it runs after a cancel inside it")
    func repeating() {
        let pool = ThreadPoolScheduler(width: 4)
        let (running, most, runs) = (Recorded(0), Recorded(0), Recorded(0))
        let (isDone, isSet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let timer = SerialDisposable()
        let repeating = pool.schedule(after: pool.now, interval: .microseconds(20)) {
            // Not before the test can cancel it.
            isSet.wait()
            isSet.signal()
            running.update { $0 += 1 }
            let now = running.value
            most.update { $0 = max($0, now) }
            runs.update { $0 += 1 }
            // Long enough for other turns to come meanwhile.
            for _ in 0..<500 { running.update { $0 += 0 } }
            running.update { $0 -= 1 }
            if runs.value == 50 {
                timer.cancel()
                isDone.signal()
            }
        }
        timer.set(repeating)
        isSet.signal()
        isDone.wait()
        #expect(most.value == 1)
        #expect(runs.value == 50)
    }

    @Test("Repeating work whose turn waits for a thread when it is cancelled does not run")
    func cancelledWaiting() {
        let (pool, other) = (ThreadPoolScheduler(width: 1), ThreadPoolScheduler(width: 1))
        let (runs, hasPassed, isDone) = (Recorded(0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        pool.schedule {
            let repeating = pool.schedule(after: pool.now, interval: .microseconds(20)) { runs.update { $0 += 1 } }
            // Once others have had their turns it has most likely come as well, and waits for this very thread.
            let turns = other.schedule(after: other.now, interval: .microseconds(20)) { hasPassed.signal() }
            for _ in 0..<100 { hasPassed.wait() }
            turns.cancel()
            repeating.cancel()
            pool.schedule { isDone.signal() }
        }
        isDone.wait()
        #expect(runs.value == 0)
    }
}
