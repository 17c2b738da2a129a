import ArgumentParser
import ImagePipeline

/// What results are written as.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case jpeg
    case png

    var encoding: ImageEncoding {
        switch self {
        case .jpeg: .jpeg(quality: 90)
        case .png: .png
        }
    }

    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        }
    }
}
