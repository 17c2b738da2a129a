import StreamsTesting
import Testing

@testable import ImageCodecs

@Suite("Rows that come several at a time")
struct ReductionRowsTests {
    private struct Plan: Sendable {
        var format: PixelFormat
        var orientation: Orientation
        var size: PixelSize
        var region: Region
        /// The first one's size, and those of further ones.
        var outputs: [PixelSize]
        /// Where a picture of soft slopes has hard edges, of each 64 rows how many: about the limit of what is derived.
        var hard: Int
        var linearLight: Bool
        /// How many rows come at a time.
        var blocks: [Int]
    }

    private static let plans = Gen<Plan> { choices in
        let size = PixelSize(width: choices.int(in: 40...160), height: choices.int(in: 40...160))
        let (x, y) = (choices.int(in: 0...20), choices.int(in: 0...20))
        let first = PixelSize(width: choices.int(in: 4...60), height: choices.int(in: 4...60))
        let further = choices.array(upTo: 3) { choices in
            let part = choices.int(in: 2...6)
            return PixelSize(width: max(1, first.width / part), height: max(1, first.height / part))
        }
        return Plan(
            format: choices.element(of: [.rgb8, .grey8, .rgba8, .rgb16]),
            orientation: choices.element(of: [.up, .up, .left]), size: size,
            region: Region(
                x: Double(x), y: Double(y), width: Double(size.width - x - choices.int(in: 0...10)),
                height: Double(size.height - y - choices.int(in: 0...10))),
            outputs: [first] + further, hard: choices.int(in: 0...64), linearLight: choices.chance(1, of: 4),
            blocks: choices.array(upTo: 12) { $0.int(in: 1...40) })
    }

    private func reduction(_ plan: Plan) -> Reduction {
        var all = plan.outputs.map { output in
            Reduction.Plan(
                source: plan.size, region: plan.region, output: output, format: plan.format,
                orientation: plan.orientation, metadata: ImageMetadata(), linearLight: plan.linearLight)
        }
        var first = all.removeFirst()
        (first.further, first.derivesFurther) = (all, true)
        return Reduction(plan: first)
    }

    private func picture(_ plan: Plan) -> [UInt8] {
        let (samples, width) = (plan.format.bytesPerPixel, plan.size.width)
        return (0..<plan.size.height).flatMap { y in
            (0..<width * samples).map { at in
                let x = at / samples
                return y % 64 < plan.hard ? (x / 3 + y / 2) % 2 == 0 ? 255 : 0 : UInt8((x + y + at % samples * 9) % 256)
            }
        }
    }

    @Test("They make the pictures that they make one at a time, and as many")
    func blocks() throws {
        try forAll("rows in blocks", Self.plans, cases: 300, describe: { "\($0)" }) { plan in
            let bytes = picture(plan)
            let rowBytes = plan.size.width * plan.format.bytesPerPixel
            let (single, several) = (reduction(plan), reduction(plan))
            bytes.withUnsafeBufferPointer { bytes in
                guard let first = bytes.baseAddress else { return }
                for y in 0..<plan.size.height { single.append(first + y * rowBytes) }
                var (y, next) = (0, 0)
                while y < plan.size.height {
                    let count = min(
                        plan.blocks.isEmpty ? .max : plan.blocks[next % plan.blocks.count], plan.size.height - y)
                    several.append(first + y * rowBytes, rowBytes: rowBytes, count: count)
                    (y, next) = (y + count, next + 1)
                }
            }
            #expect(single.isComplete && several.isComplete)
            #expect(single.images == several.images)
        }
    }
}
