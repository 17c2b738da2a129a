import ArgumentParser
import ImageCodecs

/// What results are written as.
public enum OutputFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    case jpeg
    case png

    public var encoding: ImageEncoding {
        switch self {
        case .jpeg: .jpeg(quality: 90)
        case .png: .png
        }
    }

    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }
}
