extension Image {
    /// Decodes a whole file of any known format, which its first bytes tell. Synchronous; runs on the caller's thread.
    ///
    /// Checks ``DecodeOptions/isCancelled`` between rows.
    public static func decode(
        _ bytes: [UInt8], options: DecodeOptions = DecodeOptions()
    ) throws(DecodeError) -> Image {
        let decoder = ContentDecoder(options: options)
        try decoder.append(bytes)
        return try decoder.finish()
    }
}
