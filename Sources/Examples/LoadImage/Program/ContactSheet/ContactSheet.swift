import ImagePipeline

/// Rows of labelled pictures on one sheet.
struct ContactSheet {
    /// A row and what is written above it.
    struct Row {
        let title: String
        let tiles: [Tile]
    }

    private enum Layout {
        static let margin = 20
        static let gap = 14
        static let titleHeight = 26
        static let labelHeight = 34
        static let background = Canvas.Colour(24, 26, 31)
        static let line = Canvas.Colour(72, 78, 92)
        static let bright = Canvas.Colour(236, 239, 244)
        static let dim = Canvas.Colour(150, 158, 172)
        static let alarm = Canvas.Colour(244, 124, 108)
        static let alarmGround = Canvas.Colour(58, 28, 30)
    }

    let title: String
    let rows: [Row]
    /// The size of a picture's place; pictures that are smaller stand in the middle of it.
    let tileSize: PixelSize

    /// The sheet as an image; `nil` if there is nothing to show.
    func drawn() -> Image? {
        let columns = rows.map(\.tiles.count).max() ?? 0
        guard columns > 0 else { return nil }
        let rowHeight = Layout.titleHeight + tileSize.height + Layout.labelHeight
        let size = PixelSize(
            width: 2 * Layout.margin + columns * (tileSize.width + Layout.gap) - Layout.gap,
            height: 2 * Layout.margin + 24 + rows.count * (rowHeight + Layout.gap))
        var canvas = Canvas(size: size, background: Layout.background)
        canvas.write(title, x: Layout.margin, y: Layout.margin, scale: 2, Layout.bright)
        for (index, row) in rows.enumerated() {
            let top = Layout.margin + 36 + index * (rowHeight + Layout.gap)
            canvas.write(row.title, x: Layout.margin, y: top, scale: 1, Layout.dim)
            canvas.fill(x: Layout.margin, y: top + 12, width: size.width - 2 * Layout.margin, height: 1, Layout.line)
            for (column, tile) in row.tiles.enumerated() {
                let left = Layout.margin + column * (tileSize.width + Layout.gap)
                draw(tile, x: left, y: top + Layout.titleHeight, on: &canvas)
            }
        }
        return canvas.image
    }

    private func draw(_ tile: Tile, x: Int, y: Int, on canvas: inout Canvas) {
        let isFailure = if case .failure = tile.content { true } else { false }
        canvas.fill(
            x: x, y: y, width: tileSize.width, height: tileSize.height,
            isFailure ? Layout.alarmGround : Canvas.Colour(16, 17, 20))
        switch tile.content {
        case .image(let image): draw(image, x: x, y: y, brightness: 256, on: &canvas)
        case .abandoned(let image):
            if let image { draw(image, x: x, y: y, brightness: 90, on: &canvas) }
            writeCentred("CANCELLED", x: x, y: y, Layout.alarm, on: &canvas)
        case .failure(let text): writeCentred(text, x: x, y: y, Layout.alarm, on: &canvas)
        }
        canvas.frame(x: x, y: y, width: tileSize.width, height: tileSize.height, Layout.line)
        let labels = y + tileSize.height + 8
        canvas.write(fitting(tile.title), x: x, y: labels, Layout.bright)
        canvas.write(fitting(tile.note), x: x, y: labels + 12, Layout.dim)
    }

    private func draw(_ image: Image, x: Int, y: Int, brightness: Int, on canvas: inout Canvas) {
        let fitted = image.size.fitted(in: tileSize)
        let shown = fitted == image.size ? image : image.resized(to: fitted)
        canvas.draw(
            shown, x: x + (tileSize.width - fitted.width) / 2, y: y + (tileSize.height - fitted.height) / 2,
            brightness: brightness)
    }

    private func writeCentred(_ text: String, x: Int, y: Int, _ colour: Canvas.Colour, on canvas: inout Canvas) {
        let scale = Canvas.width(of: text, scale: 2) <= tileSize.width - 8 ? 2 : 1
        let text = scale == 1 ? fitting(text) : text
        canvas.write(
            text, x: x + (tileSize.width - Canvas.width(of: text, scale: scale)) / 2,
            y: y + (tileSize.height - BitmapFont.height * scale) / 2, scale: scale, colour)
    }

    private func fitting(_ text: String) -> String {
        String(text.prefix((tileSize.width + 1) / (BitmapFont.width + 1)))
    }
}
