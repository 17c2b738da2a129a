/// The treatment of a picture that is damaged in places: pixels of it are lost, though all bytes of its file are there.
public enum DamagePolicy: String, Sendable, Hashable, CaseIterable {
    /// Shows what decodes, as browsers do; ``Image/damage`` tells of the loss.
    ///
    /// A JPEG goes on behind corrupt entropy-coded data, and behind missing restart markers; what is lost is grey, or as blurred as the scans
    /// before have left it. Of a PNG the rows before the damage are shown, black below, or clear where the picture can be seen through;
    /// one whose checksums alone are wrong is shown whole. A file that ends before its picture does is shown as far as it goes, unless more
    /// bytes were announced (``ContentDecoder/announcedBytes``): then the transfer was cut short, and that is an error.
    ///
    /// A picture of which nothing can be made stays an error, and so does one made of next to nothing: beyond four megapixels, a JPEG's
    /// lost pixels are at most a thousand for each of its bytes.
    case show
    /// Throws the error that ends the decode: a ``DecodeError/corrupt(_:at:)`` or ``DecodeError/truncated(at:)``.
    case refuse
}
