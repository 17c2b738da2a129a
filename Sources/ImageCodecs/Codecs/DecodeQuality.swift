/// The accuracy of a reduced JPEG, compared with the whole picture reduced.
public enum DecodeQuality: String, Sendable, Hashable, CaseIterable {
    /// The quality for photos: within 50 dB, at single small sizes within 48.5.
    ///
    /// A picture that is reduced by five or more is first made a half, a quarter or an eighth by the inverse transform, whose samples
    /// are means of pixels. Text, line art and halftones come within 35 to 47 dB there.
    case standard
    /// The quality for text, line art, screenshots and halftones: within 55 dB at any ratio.
    ///
    /// Every pixel is decoded before the picture is reduced, and no scan of a progressive file is left out. That takes a thumbnail
    /// of a photo two to four times as long, and of a progressive one up to seven times.
    case exact
}
