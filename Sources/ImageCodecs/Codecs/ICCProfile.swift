/// What is checked of an ICC profile before it travels with pixels (ICC.1:2010, 7.2).
enum ICCProfile {
    /// Whether these bytes are a profile for samples of this format. A profile for other samples, as a CMYK file's once its
    /// pixels are RGB, would make a colour-managed viewer show nonsense.
    static func describes(_ format: PixelFormat, profile: UnsafeBufferPointer<UInt8>) -> Bool {
        guard profile.count >= 128, profile[36..<40].elementsEqual("acsp".utf8) else { return false }
        return profile[16..<20].elementsEqual(format.isGrey ? "GRAY".utf8 : "RGB ".utf8)
    }
}
