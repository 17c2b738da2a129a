import BenchPictures

/// A JPEG of the quality table.
struct QualityFile: Hashable {
    /// `nil`: the photo.
    let picture: DrawnPicture?
    let sampling: Sampling
    let quality: Int
    let isProgressive: Bool

    /// The sampling of colour beside luma.
    enum Sampling: String, CaseIterable {
        case whole = "4:4:4"
        case halfAcross = "4:2:2"
        case half = "4:2:0"
        case quarterAcross = "4:1:1"
        case halfDown = "4:4:0"

        /// libjpeg's factors of the first component.
        var factors: String {
            switch self {
            case .whole: "1x1"
            case .halfAcross: "2x1"
            case .half: "2x2"
            case .quarterAcross: "4x1"
            case .halfDown: "1x2"
            }
        }
    }

    var kind: String { picture?.rawValue ?? "photo" }
    var name: String { "\(kind) \(sampling.rawValue) q\(quality)\(isProgressive ? " progressive" : "")" }
}

/// A file brought to a size.
struct QualityCell {
    let file: QualityFile
    let ratio: Double

    var name: String { "\(file.name) by \(ratio)" }

    static let ratios = [
        1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.2, 3.4, 3.6, 3.8, 4, 4.25, 4.5, 4.75, 5, 5.3, 5.7, 6.2, 6.8, 7.5, 8.2, 9,
        10,
        11, 12, 13.5, 15, 17, 20, 24, 28, 32, 36, 40,
    ]
    static let qualities = [75, 85, 90, 95]

    /// Every picture at every ratio, as most files are stored, sequential and progressive; and of every other way to store it ratios by turns, so that
    /// each is met with each several times. With `isQuick` an eighth of all.
    static func all(isQuick: Bool) -> [QualityCell] {
        let pictures: [DrawnPicture?] = [nil] + DrawnPicture.allCases
        var cells: [QualityCell] = []
        for isProgressive in [false, true] {
            for picture in pictures {
                let file = QualityFile(picture: picture, sampling: .half, quality: 90, isProgressive: isProgressive)
                cells += ratios.map { QualityCell(file: file, ratio: $0) }
            }
        }
        var turn = 0
        for sampling in QualityFile.Sampling.allCases {
            for quality in qualities where sampling != .half || quality != 90 {
                for isProgressive in [false, true] {
                    for picture in pictures {
                        let file = QualityFile(
                            picture: picture, sampling: sampling, quality: quality, isProgressive: isProgressive)
                        // 13 and 35 have no divisor in common.
                        cells += (0..<2).map { QualityCell(file: file, ratio: ratios[(turn + $0) * 13 % ratios.count]) }
                        turn += 2
                    }
                }
            }
        }
        return isQuick ? cells.indices.filter { $0 % 8 == 0 }.map { cells[$0] } : cells
    }
}
