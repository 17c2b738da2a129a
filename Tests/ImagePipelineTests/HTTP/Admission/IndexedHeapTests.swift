import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("A heap of keys")
struct IndexedHeapTests {
    private enum Step: Sendable {
        case set(Int, Int?)
        case pop
    }

    private static let steps = Gen<Step> { choices in
        let key = choices.int(in: 0...40)
        // A long heap: ranks that rise have several levels below them.
        return switch choices.int(in: 0...11) {
        case 0: .pop
        case 1: .set(key, nil)
        default: .set(key, choices.int(in: 0...1_000))
        }
    }

    @Test("Keys have the rank that was set last, and leave it by rank, whatever is set and removed in between")
    func model() throws {
        try forAll("heap", Self.steps.array(upTo: 200), cases: 500) { steps in
            var heap = IndexedHeap<Int, Int>()
            var model: [Int: Int] = [:]
            func pop() throws {
                let (least, popped) = (model.values.min(), heap.popFirst())
                if popped.flatMap({ model[$0] }) != least { throw Disproof("\(String(describing: popped))") }
                if let popped { model[popped] = nil }
            }
            for step in steps {
                switch step {
                case .set(let key, let rank): (heap[key], model[key]) = (rank, rank)
                case .pop: try pop()
                }
                if heap.first?.rank != model.values.min() { throw Disproof("\(String(describing: heap.first))") }
                if heap.isEmpty != model.isEmpty { throw Disproof("isEmpty is \(heap.isEmpty)") }
            }
            let ranks = (0...40).map { heap[$0] }
            if ranks != (0...40).map({ model[$0] }) { throw Disproof("\(ranks)") }
            while !model.isEmpty { try pop() }
            if !heap.isEmpty { throw Disproof("something is left") }
        }
    }

    @Test("A key whose rank rises stays behind all that are above it, though its neighbours' ranks are lower")
    func risingRank() {
        for count in 1..<40 {
            for raised in 0..<count {
                // Those of one branch are all behind those of the other one.
                var ranks = [0]
                for place in 1..<count {
                    let isHigh = place == 1 || (place > 2 && ranks[(place - 1) / 2] >= 1_000)
                    ranks.append(isHigh ? 1_000 + place : place)
                }
                var heap = IndexedHeap<Int, Int>()
                for (key, rank) in ranks.enumerated() { heap[key] = rank }
                heap[raised] = 5_000
                ranks[raised] = 5_000
                var popped: [Int] = []
                while let key = heap.popFirst() { popped.append(ranks[key]) }
                #expect(popped == ranks.sorted(), "\(raised) of \(count)")
            }
        }
    }
}
