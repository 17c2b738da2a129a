import TestSupport

/// Progressive files whose scans of first AC bits have other Huffman codes than were made for them.
enum HuffmanRecoding {
    /// Gives each of those scans a code, and its symbols in that code.
    ///
    /// - Parameters:
    ///   - splitsRuns: Whether each block without more symbols has one that says so, as in sequential files.
    ///   - lengths: of each symbol's code, 1 to 16, by the symbols that the scan has.
    static func recoded(
        _ file: [UInt8], splitsRuns: Bool = false, lengths: ([UInt8]) -> [UInt8: Int]
    ) -> [UInt8] {
        var segments = JPEGFile.segments(file)
        var tables: [UInt8: Code] = [:]
        var at = 0
        while at < segments.count {
            let segment = segments[at]
            if segment.marker == 0xC4 {
                for table in Self.tables(segment.payload) { tables[table.id] = table.code }
            } else if segment.marker == 0xDA, segment.payload.count == 6 {
                let (first, bits, id) = (segment.payload[3], segment.payload[5], 0x10 | segment.payload[2] & 15)
                if first > 0, bits >> 4 == 0, let code = tables[id] {
                    var symbols = Self.symbols(segment.entropy, code)
                    if splitsRuns { symbols = symbols.flatMap(split) }
                    let new = Code(lengths: lengths(Set(symbols.map(\.symbol)).sorted()))
                    tables[id] = new
                    segments[at].entropy = Self.entropy(symbols, new)
                    segments.insert(JPEGFile.Segment(marker: 0xC4, payload: [id] + new.table), at: at)
                    at += 1
                }
            }
            at += 1
        }
        return JPEGFile.file(segments)
    }

    /// T.81 annex C.
    private struct Code {
        /// How many symbols have codes of each length, and the symbols.
        let table: [UInt8]
        private(set) var codes: [UInt8: (bits: Int, length: Int)] = [:]
        private(set) var symbols: [Int: UInt8] = [:]

        init(table: [UInt8]) {
            self.table = table
            var (code, next) = (0, 16)
            for length in 1...16 {
                for _ in 0..<table[length - 1] {
                    codes[table[next]] = (code, length)
                    symbols[1 << length | code] = table[next]
                    (code, next) = (code + 1, next + 1)
                }
                code <<= 1
            }
        }

        init(lengths: [UInt8: Int]) {
            let counts = (1...16).map { length in UInt8(lengths.values.filter { $0 == length }.count) }
            let symbols = lengths.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
            self.init(table: counts + symbols)
        }
    }

    /// The lengths of the first AC code that a file defines.
    static func firstLengths(_ file: [UInt8]) -> [UInt8: Int]? {
        JPEGFile.segments(file).filter { $0.marker == 0xC4 }.flatMap { tables($0.payload) }
            .first { $0.id >> 4 == 1 }?.code.codes.mapValues(\.length)
    }

    private static func tables(_ payload: [UInt8]) -> [(id: UInt8, code: Code)] {
        var rest = payload[...]
        var tables: [(id: UInt8, code: Code)] = []
        while rest.count > 16, let id = rest.first {
            let count = 16 + rest.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
            tables.append((id, Code(table: Array(rest.dropFirst().prefix(count)))))
            rest = rest.dropFirst(1 + count)
        }
        return tables
    }

    private typealias Coded = (symbol: UInt8, extra: Int, count: Int)

    /// The symbols of a scan with the bits that follow each.
    private static func symbols(_ entropy: [UInt8], _ code: Code) -> [Coded] {
        var bytes: [UInt8] = []
        for (index, byte) in entropy.enumerated() where byte != 0 || index == 0 || entropy[index - 1] != 0xFF {
            bytes.append(byte)
        }
        var at = 0
        func bit() -> Int? {
            guard at < bytes.count * 8 else { return nil }
            defer { at += 1 }
            return Int(bytes[at / 8] >> (7 - UInt8(at % 8)) & 1)
        }
        var result: [Coded] = []
        // No code is made of ones alone, so that the last bits are none.
        while true {
            var prefix = 1
            while code.symbols[prefix] == nil {
                guard let next = bit(), prefix < 1 << 17 else { return result }
                prefix = prefix << 1 | next
            }
            guard let symbol = code.symbols[prefix] else { return result }
            let count = symbol & 15 > 0 ? Int(symbol & 15) : symbol >> 4 < 15 ? Int(symbol >> 4) : 0
            var extra = 0
            for _ in 0..<count { extra = extra << 1 | (bit() ?? 0) }
            result.append((symbol, extra, count))
        }
    }

    private static func split(_ symbol: Coded) -> [Coded] {
        guard symbol.symbol & 15 == 0, symbol.symbol >> 4 < 15 else { return [symbol] }
        return Array(repeating: (0, 0, 0), count: (1 << symbol.count) + symbol.extra)
    }

    private static func entropy(_ symbols: [Coded], _ code: Code) -> [UInt8] {
        var (bytes, window, filled): ([UInt8], Int, Int) = ([], 0, 0)
        func put(_ bits: Int, _ count: Int) {
            (window, filled) = (window << count | bits, filled + count)
            while filled >= 8 {
                let byte = UInt8(window >> (filled - 8) & 255)
                bytes += byte == 0xFF ? [byte, 0] : [byte]
                filled -= 8
            }
            window &= 255
        }
        for symbol in symbols {
            guard let code = code.codes[symbol.symbol] else { continue }
            put(code.bits, code.length)
            put(symbol.extra, symbol.count)
        }
        if filled > 0 { put((1 << (8 - filled)) - 1, 8 - filled) }
        return bytes
    }
}
