import Synchronization
import TestSupport
import Testing

@testable import ImageCodecs

/// A clock that the test moves.
private final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)

    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    var now: @Sendable () -> Duration { { self.time.withLock { $0 } } }
}

@Suite("A decode's working time")
struct TimeLimitTests {
    private static let encodings = [ImageEncoding.jpeg, .jpeg(progressive: true), .png]

    /// Options under which each step of the decoder takes a millisecond; `steps` counts them.
    private func options(
        allowed: Duration, target: PixelSize? = nil, enlarges: Bool = false, clock: HandClock, steps: StepCount
    ) -> DecodeOptions {
        DecodeOptions(
            as: Rendition(targetSize: target, enlarges: enlarges), limits: DecodeLimits(time: allowed),
            isCancelled: {
                clock.advance(by: .milliseconds(1))
                steps.increase()
                return false
            }, clock: clock.now)
    }

    private final class StepCount: Sendable {
        private let count = Mutex(0)
        func increase() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }

    @Test("Beyond the limit a decode ends between two steps, with an error that says which", arguments: encodings)
    func limit(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(300, 400).encoded(as: encoding)
        let (clock, steps) = (HandClock(), StepCount())
        _ = try Image.decode(file, options: options(allowed: .seconds(60), clock: clock, steps: steps))
        let all = steps.value
        #expect(all >= 50)
        // As much as it takes is enough.
        let sameAgain = StepCount()
        _ = try Image.decode(file, options: options(allowed: .milliseconds(all), clock: clock, steps: sameAgain))
        #expect(sameAgain.value == all)

        let fewer = StepCount()
        do throws(DecodeError) {
            _ = try Image.decode(file, options: options(allowed: .milliseconds(20), clock: clock, steps: fewer))
            Issue.record("not refused")
        } catch {
            guard case .limitExceeded(.time, let value, 20, let location) = error else {
                Issue.record("\(error)")
                return
            }
            // The clock is read every few steps.
            #expect((21...30).contains(value) && fewer.value <= 30)
            #expect(location.format == encoding.format && location.byteOffset > 0)
            #expect("\(error)".hasPrefix("time \(value) ms exceeds the limit of 20 ms"))
        }
    }

    @Test("A decoder whose steps are long is stopped after a few of them")
    func longSteps() throws {
        let clock = HandClock()
        let watch = DecodeWatch(options: DecodeOptions(limits: DecodeLimits(time: .milliseconds(2)), clock: clock.now))
        var steps = 0
        #expect(throws: DecodeError.self) {
            try watch.working { () throws(DecodeError) in
                while true {
                    try watch.check(at: DecodeError.Location(format: .png, byteOffset: 0))
                    clock.advance(by: .milliseconds(1))
                    steps += 1
                }
            }
        }
        #expect(steps <= 8)
    }

    @Test("What a decoder waits for bytes is not its own time", arguments: encodings)
    func waiting(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(120, 90).encoded(as: encoding)
        let (clock, steps) = (HandClock(), StepCount())
        let decoder = ContentDecoder(options: options(allowed: .seconds(5), clock: clock, steps: steps))
        for start in stride(from: 0, to: file.count, by: 50) {
            try decoder.append(Array(file[start..<min(file.count, start + 50)]))
            clock.advance(by: .seconds(3_600))
        }
        #expect(try decoder.finish() == Image.decode(file))
    }

    @Test("What all calls take together counts, however little each of them takes", arguments: encodings)
    func sum(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(300, 400).encoded(as: encoding)
        let (clock, steps) = (HandClock(), StepCount())
        let decoder = ContentDecoder(options: options(allowed: .milliseconds(30), clock: clock, steps: steps))
        #expect(throws: DecodeError.self) {
            for byte in file { try decoder.append([byte]) }
            _ = try decoder.finish()
        }
        #expect(steps.value <= 40)
        // It stays so.
        #expect(throws: DecodeError.self) { try decoder.finish() }
    }

    @Test("A small picture that is enlarged can be stopped between the rows that are made", arguments: encodings)
    func enlarging(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(3, 2).encoded(as: encoding)
        let target = PixelSize(width: 900, height: 600)
        let (clock, steps) = (HandClock(), StepCount())
        let limited = options(allowed: .milliseconds(100), target: target, enlarges: true, clock: clock, steps: steps)
        do throws(DecodeError) {
            _ = try Image.decode(file, options: limited)
            Issue.record("not refused")
        } catch {
            if case .limitExceeded(.time, _, 100, _) = error {} else { Issue.record("\(error)") }
        }
        #expect(steps.value <= 110)

        let asked = StepCount()
        var cancelled = DecodeOptions(as: Rendition(targetSize: target, enlarges: true))
        cancelled.isCancelled = {
            asked.increase()
            return asked.value > 50
        }
        #expect(throws: DecodeError.cancelled) { try Image.decode(file, options: cancelled) }
        #expect(asked.value == 51)
    }

    @Test("Interlaced pictures, previews included, can be stopped at every row", .enabled(if: SharedImages.areThere))
    func interlaced() throws {
        let file = try SharedImages.bytes("pngsuite/basi2c08.png")
        let (clock, steps) = (HandClock(), StepCount())
        var options = options(allowed: .seconds(60), clock: clock, steps: steps)
        options.previews = true
        let decoder = ContentDecoder(options: options)
        var previews = 0
        for byte in file {
            try decoder.append([byte])
            if try decoder.takePreview() != nil { previews += 1 }
        }
        // The passes have 60 rows together, and each rendering has 32.
        #expect(previews > 1)
        #expect(steps.value >= 60 + 32 * previews)
    }

    @Test("Of the first eighth of the time a cheap clock is the bound, and it is not counted, however long it takes")
    func coarse() throws {
        let (clock, system) = (HandClock(), HandClock())
        let readings = StepCount()
        let watch = DecodeWatch(
            options: DecodeOptions(limits: DecodeLimits(time: .milliseconds(800))),
            clock: {
                readings.increase()
                return clock.now()
            }, coarse: system.now)
        func work(_ steps: Int, _ time: Duration, machine: Duration) throws {
            try watch.working { () throws(DecodeError) in
                for _ in 0..<steps {
                    try watch.check(at: DecodeError.Location(format: .png, byteOffset: 0))
                    clock.advance(by: time)
                    system.advance(by: machine)
                }
            }
        }
        for _ in 0..<9 { try work(10, .milliseconds(1), machine: .milliseconds(1)) }
        #expect(readings.value == 0)
        try work(100, .zero, machine: .seconds(3_600))
        #expect(readings.value > 0)
        // The time that counts begins when an eighth of it may have passed.
        try work(70, .milliseconds(10), machine: .milliseconds(10))
        #expect(throws: DecodeError.self) { try work(30, .milliseconds(10), machine: .milliseconds(10)) }
    }

    @Test("Unless told otherwise, it is the processor time of the thread that decodes")
    func processorTime() throws {
        let file = try Pictures.gradient(300, 400).encoded(as: .png)
        let before = DecodeOptions.threadTime()
        #expect(throws: DecodeError.self) {
            try Image.decode(file, options: DecodeOptions(limits: DecodeLimits(time: .zero)))
        }
        #expect(DecodeOptions.threadTime() > before)
        #expect(throws: Never.self) { try Image.decode(file, options: DecodeOptions(limits: .unlimited)) }
    }
}

@Suite("Limits on Exif data")
struct ExifLimitTests {
    private func limit(_ bytes: [UInt8], metadataBytes: Int) -> DecodeLimits.Limit? {
        do throws(DecodeError) {
            _ = try Image.decode(bytes, options: DecodeOptions(limits: DecodeLimits(metadataBytes: metadataBytes)))
            return nil
        } catch {
            if case .limitExceeded(let limit, _, metadataBytes, _) = error { return limit }
            Issue.record("\(error)")
            return nil
        }
    }

    @Test("Exif data count as metadata, in JPEG and in PNG")
    func exif() throws {
        let picture = try Pictures.gradient(16, 16)
        let jpeg = try picture.encoded(as: .jpeg)
        let payload = Array("Exif\0\0".utf8) + [UInt8](repeating: 7, count: 40_000)
        let exif = jpeg[..<2] + JPEGFile.Segment(marker: 0xE1, payload: payload).bytes + jpeg[2...]
        #expect(limit(Array(exif), metadataBytes: 39_999) == .metadataBytes)
        #expect(limit(Array(exif), metadataBytes: 40_000) == nil)
        // Only the first segment is kept; others cost nothing.
        let twice = jpeg[..<2] + JPEGFile.Segment(marker: 0xE1, payload: payload).bytes + exif[2...]
        #expect(limit(Array(twice), metadataBytes: 40_000) == nil)

        let png = try picture.encoded(as: .png)
        let chunk = PNGFile.chunk("eXIf", [UInt8](repeating: 7, count: 40_000))
        #expect(limit(PNGFile.inserting(chunk, into: png), metadataBytes: 39_999) == .metadataBytes)
        #expect(limit(PNGFile.inserting(chunk, into: png), metadataBytes: 40_000) == nil)
    }
}
