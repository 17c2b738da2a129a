import Dispatch
import Streams
import Testing

@Suite("Spans of Dispatch's time")
struct StrideTests {
    typealias Stride = DispatchQueue.SchedulerTimeType.Stride

    private static let (least, most) = (Stride(magnitude: .min), Stride(magnitude: .max))

    @Test("A span counts nanoseconds, whatever it is made of")
    func made() {
        let spans: [(Stride, Int)] = [
            (.seconds(3), 3_000_000_000), (.seconds(0.25), 250_000_000), (.seconds(-0.5), -500_000_000),
            (.seconds(1.4e-9), 1), (.seconds(1.6e-9), 2),
            (.milliseconds(7), 7_000_000), (.microseconds(-7), -7_000), (.nanoseconds(7), 7),
            (Stride(.seconds(1)), 1_000_000_000), (Stride(.milliseconds(1)), 1_000_000),
            (Stride(.microseconds(1)), 1_000), (Stride(.nanoseconds(1)), 1), (Stride(.never), .max),
            (2, 2_000_000_000), (0.5, 500_000_000),
        ]
        for (span, nanoseconds) in spans {
            #expect(span.magnitude == nanoseconds)
            #expect(span.timeInterval == .nanoseconds(nanoseconds))
        }
        #expect(Stride(exactly: UInt8(2)) == .seconds(2))
        #expect(Stride(exactly: UInt64.max) == nil)
    }

    @Test("Arithmetic is that of the nanoseconds, with an operator and in place")
    func arithmetic() {
        for (a, b) in [(7, 3), (-7, 3), (3, 7), (0, -5), (0, 0)] {
            let (x, y) = (Stride(magnitude: a), Stride(magnitude: b))
            #expect((x + y).magnitude == a + b)
            #expect((x - y).magnitude == a - b)
            #expect((x * y).magnitude == a * b)
            #expect((x < y) == (a < b) && (x == y) == (a == b))
            var (sum, difference, product) = (x, x, x)
            sum += y
            difference -= y
            product *= y
            #expect(sum == x + y)
            #expect(difference == x - y)
            #expect(product == x * y)
        }
    }

    @Test("What is out of range is the longest span, or the longest back")
    func saturation() {
        let (least, most) = (Self.least, Self.most)
        let sums: [(Stride, Stride)] = [
            (most + most, most), (most + .nanoseconds(1), most), (.nanoseconds(1) + most, most),
            (least + least, least), (least + .nanoseconds(-1), least), (.nanoseconds(-1) + least, least),
            (least + most, .nanoseconds(-1)), (most + .nanoseconds(0), most),
            (most - least, most), (.nanoseconds(0) - least, most), (.nanoseconds(1) - least, most),
            (least - most, least), (least - .nanoseconds(1), least), (.nanoseconds(-2) - most, least),
            (.nanoseconds(-1) - least, most), (.nanoseconds(-1) - most, least),
            (most * .nanoseconds(2), most), (least * .nanoseconds(2), least),
            (most * .nanoseconds(-2), least), (least * .nanoseconds(-2), most), (most * least, least),
            (most * .nanoseconds(0), .nanoseconds(0)),
        ]
        for (index, (result, expected)) in sums.enumerated() { #expect(result == expected, "\(index)") }
    }

    @Test("So is what is too many of any unit")
    func units() {
        for count in [Int.max, .max / 1_000 + 1] {
            #expect(Stride.seconds(count) == Self.most && Stride.seconds(-count) == Self.least)
            #expect(Stride.milliseconds(count) == Self.most && Stride.milliseconds(-count) == Self.least)
            #expect(Stride.microseconds(count) == Self.most && Stride.microseconds(-count) == Self.least)
        }
        #expect(Stride.seconds(1e300) == Self.most && Stride.seconds(-1e300) == Self.least)
        #expect(Stride.seconds(.infinity) == Self.most && Stride.seconds(-.infinity) == Self.least)
        #expect(Stride.seconds(.max / 1_000_000_000) < Self.most)
    }

    @Test("The distance between two moments leads from one to the other, either way, as far as there is one")
    func distances() {
        typealias Time = DispatchQueue.SchedulerTimeType
        let times = [1, 1_000, 5_000].map { Time(DispatchTime(uptimeNanoseconds: $0)) }
        for start in times {
            for end in times {
                let distance = start.distance(to: end)
                let (from, to) = (start.dispatchTime.uptimeNanoseconds, end.dispatchTime.uptimeNanoseconds)
                #expect(distance.magnitude == Int(to) - Int(from))
                #expect(start.advanced(by: distance) == end)
                #expect((start < end) == (distance > .nanoseconds(0)))
            }
        }
    }
}
