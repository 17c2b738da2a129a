import Testing

@testable import thumbnails

@Suite("Progress of thumbnails")
struct ProgressMeterTests {
    @Test("Elsewhere than on a terminal there is a line every five seconds: count, rate, time left, failures")
    func lines() {
        var meter = ProgressMeter(isLive: false, width: { 80 })
        var tally = Tally(wanted: 1000, existing: 7)
        #expect(meter.text(tally, after: .seconds(60)) == nil, "nothing is done")
        for _ in 0..<250 { tally.add(.made(damage: nil)) }
        #expect(meter.text(tally, after: .seconds(10)) == "250 of 1000, 25.0/s, 0:30 left\n")
        #expect(meter.text(tally, after: .seconds(14)) == nil)
        for _ in 0..<249 { tally.add(.made(damage: nil)) }
        tally.add(.failed(Failure(path: "a.jpg", reason: "damaged")))
        #expect(meter.text(tally, after: .milliseconds(20_000)) == "500 of 1000, 25.0/s, 0:20 left, 1 failed\n")
        #expect(meter.end == "")
        #expect(tally.summary(after: .seconds(4000)) == "499 made, 7 there already, 1 failed, in 1:06:40, 0.1/s")
    }

    @Test("On a terminal one line changes ten times a second, and never wraps")
    func bar() {
        var tally = Tally(wanted: 4, existing: 0, failures: [Failure(path: "b", reason: "unreadable")])
        tally.add(.made(damage: nil))
        tally.add(.failed(Failure(path: "a.jpg", reason: "damaged")))
        #expect(tally.done == 2)
        for width in [1, 20, 48, 80, 200] {
            var meter = ProgressMeter(isLive: true, width: { width })
            #expect(meter.text(tally, after: .milliseconds(99)) == nil)
            let text = meter.text(tally, after: .milliseconds(500)) ?? ""
            #expect(text.hasPrefix("\r\u{1B}[2K"))
            #expect(text.dropFirst(5).count < width)
            #expect(meter.text(tally, after: .milliseconds(550)) == nil)
            #expect(meter.end == "\r\u{1B}[2K")
        }
        var meter = ProgressMeter(isLive: true, width: { 80 })
        let half = String(repeating: "█", count: 20) + String(repeating: "·", count: 20)
        #expect(meter.text(tally, after: .seconds(1)) == "\r\u{1B}[2K[\(half)] 2 of 4, 2.0/s, 0:01 left, 2 failed")
    }
}
