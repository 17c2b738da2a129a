/// Keys by rank, the lowest first. Adding, removing any key and changing its rank take logarithmic time.
struct IndexedHeap<Key: Hashable & Sendable, Rank: Comparable & Sendable>: Sendable {
    private var entries: [(key: Key, rank: Rank)] = []
    private var places: [Key: Int] = [:]

    var first: (key: Key, rank: Rank)? { entries.first }

    var isEmpty: Bool { entries.isEmpty }

    /// The rank of a key. Setting it adds, moves or, with nil, removes the key.
    subscript(key: Key) -> Rank? {
        get { places[key].map { entries[$0].rank } }
        set {
            switch (places[key], newValue) {
            case (nil, nil): break
            case (nil, let rank?):
                places[key] = entries.count
                entries.append((key, rank))
                rise(from: entries.count - 1)
            case (let place?, let rank?):
                entries[place].rank = rank
                settle(place)
            case (let place?, nil):
                swap(place, entries.count - 1)
                entries.removeLast()
                places[key] = nil
                if place < entries.count { settle(place) }
            }
        }
    }

    mutating func popFirst() -> Key? {
        guard let key = entries.first?.key else { return nil }
        self[key] = nil
        return key
    }

    private mutating func settle(_ place: Int) {
        rise(from: place)
        sink(from: place)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, entries[place].rank < entries[(place - 1) / 2].rank {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            let children = (2 * place + 1)..<min(2 * place + 3, max(2 * place + 1, entries.count))
            guard let least = children.min(by: { entries[$0].rank < entries[$1].rank }),
                entries[least].rank < entries[place].rank
            else { return }
            swap(place, least)
            place = least
        }
    }

    private mutating func swap(_ one: Int, _ other: Int) {
        entries.swapAt(one, other)
        places[entries[one].key] = one
        places[entries[other].key] = other
    }
}
