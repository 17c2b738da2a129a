import Streams

extension SharedBody {
    /// Somebody who reads the body.
    struct Reader: Sendable {
        let downstream: Downstream
        var demand = Subscribers.Demand.none
        /// Of the next byte.
        var position = 0
        /// Of the response that it has got.
        var generation = 0
        /// Somebody delivers, or reads for it, and will look again. So it begins, until the subscription has been delivered.
        var isDelivering = true
        /// Bytes that it waits for.
        var reading: SingleAssignmentDisposable?
    }

    /// All that is known of the body and its readers.
    struct State: Sendable {
        /// Events asked for at a time.
        private static let window = 8
        /// Bytes in memory that the slowest reader may be behind, and that the fastest may have left.
        private static let queueBytes = 1 << 20

        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var response: DataResponse?
        /// Counts responses: a further one brings the body anew.
        var generation = 0
        var contents: BodyContents
        var completion: Subscribers.Completion<LoadError>?
        var subscription: (any Subscription)?
        /// Events that the upstream has been asked for and that have not come.
        var asked = 0
        var isClosed = false
        var isOver = false

        /// One that a further response has overtaken begins anew.
        func position(of reader: Reader) -> Int { reader.generation < generation ? 0 : reader.position }

        mutating func enter(_ id: Int) -> Bool {
            guard let reader = readers[id], !reader.isDelivering else { return false }
            readers[id]?.isDelivering = true
            return true
        }

        /// Readers that nobody delivers to; the caller does now.
        mutating func idleReaders() -> [Int] {
            let ids = readers.filter { !$0.value.isDelivering }.keys.sorted()
            for id in ids { readers[id]?.isDelivering = true }
            return ids
        }

        /// Events that the upstream is to be asked for: what the fastest reader wants beyond those that are there, unless it is busy, or the
        /// slowest needs too much to be held in memory.
        var wanted: Int {
            guard asked == 0, completion == nil else { return 0 }
            let positions = readers.values.lazy.map { position(of: $0) }
            let (slowest, fastest) = (positions.min() ?? contents.end, positions.max() ?? contents.end)
            guard max(contents.end - fastest, contents.held(for: slowest)) < Self.queueBytes else { return 0 }
            let most = readers.values.reduce(0) { most, reader in
                let there = contents.count(from: position(of: reader)) + (generation > reader.generation ? 1 : 0)
                return max(most, reader.demand.max.map { $0 - there } ?? .max)
            }
            return min(most, Self.window)
        }

        mutating func trim() {
            let (readers, generation) = (readers, generation)
            contents.trim { end in
                !readers.values.contains { ($0.generation < generation ? 0 : $0.position) < end }
            }
        }

        /// - Returns: the reader, and the upstream's subscription if it was the last one and the body is not needed any more.
        mutating func remove(_ id: Int) -> (reader: Reader?, subscription: (any Subscription)?, isLast: Bool) {
            let reader = readers.removeValue(forKey: id)
            guard reader != nil, readers.isEmpty, completion == nil, !isOver else { return (reader, nil, false) }
            isOver = true
            return (reader, subscription.take(), true)
        }
    }
}
