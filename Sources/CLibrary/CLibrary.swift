// The C library of the platform under one name, so that no other file asks which one it is.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#endif

#if canImport(Glibc)
    /// The type of a socket that carries a stream of bytes. Here it is a number; the GNU library declares an enumeration.
    public let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
    /// The type of a socket that carries a stream of bytes. Here it is a number; the GNU library declares an enumeration.
    public let streamSocket = SOCK_STREAM
#endif

#if canImport(Glibc)
    /// The type of a socket that carries datagrams, likewise.
    public let datagramSocket = Int32(SOCK_DGRAM.rawValue)
#else
    /// The type of a socket that carries datagrams, likewise.
    public let datagramSocket = SOCK_DGRAM
#endif
