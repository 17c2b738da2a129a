extension Image {
    /// Decodes a whole file of any known format, which its first bytes tell. Synchronous; runs on the caller's thread.
    ///
    /// Checks ``DecodeOptions/isCancelled`` between rows.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the whole file.
    ///   - options: The rendition, and the limits of the decode.
    public static func decode(
        _ bytes: [UInt8], options: DecodeOptions = DecodeOptions()
    ) throws(DecodeError) -> Image {
        let decoder = ContentDecoder(options: options)
        try decoder.append(bytes)
        return try decoder.finish()
    }
}
