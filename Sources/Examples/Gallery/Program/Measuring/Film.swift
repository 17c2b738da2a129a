import CLibrary
import ImagePipeline

/// Frames of the run as pictures: what stood in each cell. A degraded image has an orange bar under it, a final one a green
/// one, and an empty cell is grey.
@MainActor
final class Film {
    private static let cell = PixelSize(width: 128, height: 100)
    private static let most = 24

    private let folder: String
    private var last = -1.0
    private var count = 0

    init(folder: String) {
        self.folder = folder
        mkdir(folder, 0o755)
    }

    /// Whether a folder is empty or not there yet, so that no frame takes the place of something else.
    nonisolated static func isFree(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return errno == ENOENT }
        defer { closedir(stream) }
        var names = 0
        while readdir(stream) != nil { names += 1 }
        // Itself and its parent.
        return names <= 2
    }

    /// Writes a picture every half second, and in the first frames of a stop, in which cells fill.
    func frame(_ grid: PhotoGrid, time: Double, stop: Int?) {
        let isDue = time - last >= (stop == nil ? 0.5 : 0.05)
        guard isDue, count < Self.most else { return }
        last = time
        let positions = grid.visible.keys.sorted()
        guard let first = positions.first, let end = positions.last else { return }
        let rows = (end - first) / PhotoGrid.columns + 1
        let width = Self.cell.width * PhotoGrid.columns
        var pixels = [UInt8](repeating: 40, count: 3 * width * Self.cell.height * rows)
        for position in positions {
            guard let cell = grid.visible[position] else { continue }
            let (row, column) = ((position - first) / PhotoGrid.columns, (position - first) % PhotoGrid.columns)
            draw(cell, into: &pixels, width: width, x: column * Self.cell.width, y: row * Self.cell.height)
        }
        let size = PixelSize(width: width, height: Self.cell.height * rows)
        if let bytes = try? Image(size: size, format: .rgb8, bytes: pixels)?.encoded(as: .png) {
            let number = count < 10 ? "0\(count)" : "\(count)"
            TextFile.write(bytes, to: "\(folder)/frame-\(number).png")
        }
        count += 1
    }

    private func draw(_ cell: GridCell, into pixels: inout [UInt8], width: Int, x: Int, y: Int) {
        let image = cell.content.image?.resized(to: PixelSize(width: 124, height: 93)).converted(to: .rgb8)
        let isFinal = if case .final = cell.content.state { true } else { false }
        let bar: [UInt8] = image == nil ? [90, 90, 90] : isFinal ? [40, 160, 70] : [240, 150, 30]
        for line in 0..<93 {
            for column in 0..<124 {
                let place = 3 * ((y + line + 1) * width + x + column + 2)
                let from = 3 * (line * 124 + column)
                for channel in 0..<3 { pixels[place + channel] = image.map { $0.bytes[from + channel] } ?? 90 }
            }
        }
        for line in 95..<98 {
            for column in 0..<124 {
                let place = 3 * ((y + line) * width + x + column + 2)
                for channel in 0..<3 { pixels[place + channel] = bar[channel] }
            }
        }
    }
}
