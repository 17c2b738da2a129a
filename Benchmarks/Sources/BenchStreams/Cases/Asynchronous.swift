import AsyncAlgorithms

// What the peers that know only async do, in a file that sees no other library's operators.

func asynchronousChain(_ count: Int) {
    let increment: @Sendable (Int) async -> Int = { $0 &+ 1 }
    let isWanted: @Sendable (Int) async -> Bool = { $0 & 3 != 0 }
    let triple: @Sendable (Int) async -> Int = { $0 &* 3 }
    blocking {
        var sum = 0
        for await value in (0..<count).async.map(increment).filter(isWanted).map(triple) { sum &+= value }
        keep(sum)
    }
}
