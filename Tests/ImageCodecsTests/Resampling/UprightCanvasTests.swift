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
        /// The rows that are made where they belong at a time, where that can be.
        var together: Int
        /// Whether what is there is shown after each of them.
        var isShown: Bool
    }

    private static let plans = Gen<Plan> { choices in
        let height = choices.int(in: 1...9)
        return Plan(
            orientation: choices.element(of: Orientation.allCases),
            size: PixelSize(width: choices.int(in: 1...9), height: height), written: choices.int(in: 0...height + 2),
            laid: choices.chance(1, of: 2) ? choices.int(in: 0...height - 1) : nil,
            together: choices.int(in: 1...4), isShown: choices.chance(1, of: 4))
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
            for first in stride(from: 0, to: plan.written, by: plan.together) {
                let rows = first..<min(first + plan.together, plan.written)
                let isMade = canvas.append(rows: rows.count) { place in
                    let bytes = rows.flatMap { row($0, 1) }
                    for index in bytes.indices { place[index] = bytes[index] }
                }
                #expect(isMade == (plan.orientation == .up && rows.upperBound <= plan.size.height))
                for y in rows {
                    if !isMade { row(y, 1).withUnsafeBufferPointer { $0.baseAddress.map { canvas.append($0) } } }
                    if y < plan.size.height { expect(y, 1) }
                }
                guard plan.isShown else { continue }
                canvas.clearRest()
                #expect(canvas.bytes == expected)
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
}
