/// Which ICC profiles go into a file with their picture.
///
/// The profile of a screen or a camera has half a kilobyte to three, that of a printer or a scanner 100 KB to several megabytes: a
/// thumbnail of 4 KB would have 154 with it. Without its profile a file is shown as sRGB; samples are never converted.
public enum ProfilePolicy: Sendable, Hashable {
    /// Every one.
    case keep
    /// Those that are small beside the picture: up to a sixteenth of what its samples take in memory, and any of 4 KB at most.
    case proportionate
    /// Those of so many bytes at most.
    case dropLargerThan(bytes: Int)
    /// None.
    case drop

    /// Returns the part of the profile to write with a picture whose samples take so many bytes.
    func applied(to profile: [UInt8]?, samples: Int) -> [UInt8]? {
        let limit =
            switch self {
            case .keep: Int.max
            case .proportionate: max(4_096, samples / 16)
            case .dropLargerThan(let bytes): bytes
            case .drop: 0
            }
        return profile.flatMap { $0.count <= limit ? $0 : nil }
    }
}
