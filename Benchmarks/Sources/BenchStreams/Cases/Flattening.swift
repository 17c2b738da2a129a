import CAllocations
import OpenCombine
import Streams

func flatteningCases() -> [Case] {
    let side = opaque(1_000)
    return [
        Case(
            "flatMap 1,000 × 1,000", per: side * side,
            [
                Subject("loop") {
                    for outer in 0..<side { for inner in 0..<side { keep(outer &+ inner) } }
                },
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<side)
                        .flatMap { outer in Numbers(sequence: 0..<side).map { outer &+ $0 } }.sink { keep($0) }
                },
                Subject("OpenCombine") {
                    _ = PeerNumbers(sequence: 0..<side)
                        .flatMap { outer in PeerNumbers(sequence: 0..<side).map { outer &+ $0 } }.sink { keep($0) }
                },
            ])
    ]
}
