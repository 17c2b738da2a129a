import StreamsTesting
import Testing

@testable import ImageCodecs

@Suite("The canvas that rows are put on")
struct UprightCanvasTests {
    private struct Plan: Sendable {
        var orientation: Orientation
        var size: PixelSize
        var written: Int
        /// The first row that is laid where none has been written; nil for none.
        var laid: Int?
    }

    private static let plans = Gen<Plan> { choices in
        let height = choices.int(in: 1...9)
        return Plan(
            orientation: choices.element(of: Orientation.allCases),
            size: PixelSize(width: choices.int(in: 1...9), height: height), written: choices.int(in: 0...height + 2),
            laid: choices.chance(1, of: 2) ? choices.int(in: 0...height - 1) : nil)
    }

    @Test("Each row stands where its orientation has it, whatever of them has come, and the rest is clear")
    func rows() throws {
        try forAll("canvas", Self.plans, cases: 500, describe: { "\($0)" }) { plan in
            var canvas = UprightCanvas(stored: plan.size, format: .rgba8, orientation: plan.orientation)
            var expected = [UInt8](repeating: 0, count: plan.size.width * plan.size.height * 4)
            func pixel(_ x: Int, _ y: Int, _ kind: UInt8) -> [UInt8] { [kind, UInt8(x), UInt8(y), 255] }
            func row(_ y: Int, _ kind: UInt8) -> [UInt8] { (0..<plan.size.width).flatMap { pixel($0, y, kind) } }
            func expect(_ y: Int, _ kind: UInt8) {
                let (start, advance) = canvas.line(y)
                for x in 0..<plan.size.width {
                    let place = start + x * advance
                    expected.replaceSubrange(place..<place + 4, with: pixel(x, y, kind))
                }
            }
            for y in 0..<plan.written {
                row(y, 1).withUnsafeBufferPointer { if let base = $0.baseAddress { canvas.append(base) } }
                if y < plan.size.height { expect(y, 1) }
            }
            for y in (plan.laid ?? plan.size.height)..<plan.size.height {
                row(y, 2).withUnsafeBufferPointer { if let base = $0.baseAddress { canvas.lay(base, at: y) } }
                if y >= plan.written { expect(y, 2) }
            }
            #expect(canvas.rowsWritten == min(plan.written, plan.size.height))
            canvas.clearRest()
            #expect(canvas.bytes == expected)
        }
    }

    @Test("A picture that is not turned takes no memory for rows before they come")
    func memory() {
        var canvas = UprightCanvas(stored: PixelSize(width: 10, height: 10), format: .rgb8, orientation: .up)
        #expect(canvas.bytes.isEmpty)
        let row = [UInt8](repeating: 7, count: 30)
        row.withUnsafeBufferPointer { if let base = $0.baseAddress { canvas.append(base) } }
        #expect(canvas.bytes == row)
    }
}
