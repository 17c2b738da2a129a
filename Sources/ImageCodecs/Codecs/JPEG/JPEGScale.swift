/// The scales of libjpeg's inverse transforms, in eighths, that leave a reduction enough pixels.
///
/// At 1, 2 and 4 libjpeg gives means of pixels. The scales between cut frequencies off, block by block: fine patterns then lose up
/// to 30 dB beside the whole picture reduced; and as libjpeg-turbo has no vector code for them, they take about as long as the next
/// even one.
struct JPEGScale {
    let stored: PixelSize
    /// Pixels each way for which there is one sample of colour.
    let colour: (across: Int, down: Int)

    /// The scales to try for all of the picture in a size, best first. Those after the first take less memory, which is all that speaks
    /// for them.
    func candidates(output: PixelSize) -> [Int32] {
        guard output != stored else { return [8] }
        let best = [1, 2, 4].first { leaves(needed($0), at: $0, output) } ?? 8
        return [best] + (1..<best).reversed().filter { leaves(2, at: $0, output) }
    }

    /// The pixels, for each that is wanted, from which on photos come within 50 dB. Into means of pixels higher frequencies fold.
    private func needed(_ scale: Int32) -> Double {
        let pixels = scale == 2 ? 2.55 : 2.5
        // libjpeg makes up for colour that is stored smaller by a larger scale, as far as that is the same each way (4:2:0 is, 4:2:2 is
        // not). The rest of it are means of so many pixels more.
        var gain = 1
        while 2 * gain <= min(colour.across, colour.down), 2 * gain * Int(scale) <= 8 { gain *= 2 }
        let rest = max(colour.across, colour.down) / gain
        // A sample of colour for sixteen pixels by four (4:1:1) is none of its samples of luma: beside saturated edges that makes 8 levels of
        // green. At an eighth it is 4 of them, and at a half 3.
        if scale == 2, rest >= 4 { return .infinity }
        // At an eighth, what is sharpened (`averaged`) can do with a sample of colour for two.
        let bearable = scale == 1 ? 2 : 1
        return rest > bearable ? max(pixels, 1.8 * Double(rest)) : pixels
    }

    /// Whether a scale leaves as many pixels for each that is wanted. libjpeg rounds scaled sizes up.
    private func leaves(_ pixels: Double, at scale: Int32, _ output: PixelSize) -> Bool {
        Double((stored.width * Int(scale) + 7) / 8) >= pixels * Double(output.width)
            && Double((stored.height * Int(scale) + 7) / 8) >= pixels * Double(output.height)
    }

    /// Pixels each way that a sample is the mean of, and sharpened for.
    ///
    /// At an eighth that gives a photo a decibel. At a quarter it would be half of one, and cost squares of colour four: what folds
    /// from their edges adds to what the mean has dulled.
    static func averaged(_ scale: Int32) -> Int { scale == 1 ? 8 : 1 }
}
