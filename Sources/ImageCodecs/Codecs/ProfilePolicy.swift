/// The rule that decides whether an ICC profile is written into a file with its picture.
///
/// The profile of a screen or a camera has half a kilobyte to three, that of a printer or a scanner 100 KB to several megabytes: a
/// thumbnail of 4 KB would have 154 with it. Without its profile a file is shown as sRGB; samples are never converted.
public enum ProfilePolicy: Sendable, Hashable {
    /// Writes every profile.
    case keep
    /// Writes profiles that are small beside the picture: up to a sixteenth of the memory that its samples take, and
    /// any of 4 KB at most.
    case proportionate
    /// Writes profiles of at most this many bytes.
    case dropLargerThan(bytes: Int)
    /// Writes no profile.
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
