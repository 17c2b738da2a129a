/// Numbers at checked offsets of a TIFF structure, in its byte order.
struct TIFFReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isLittleEndian: Bool
    private let isValid: Bool

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isLittleEndian = bytes.starts(with: [0x49, 0x49, 0x2A, 0x00])
        isValid = isLittleEndian || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A])
    }

    /// Offset of IFD0; `nil` without a TIFF header.
    var firstDirectory: Int? {
        guard isValid, let offset = uint32(at: 4) else { return nil }
        return Int(exactly: offset)
    }

    func uint8(at offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func uint16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        let first = UInt16(bytes[offset])
        let second = UInt16(bytes[offset + 1])
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    func uint32(at offset: Int) -> UInt32? {
        guard let first = uint16(at: offset), let second = uint16(at: offset &+ 2) else { return nil }
        return isLittleEndian ? UInt32(second) << 16 | UInt32(first) : UInt32(first) << 16 | UInt32(second)
    }
}
