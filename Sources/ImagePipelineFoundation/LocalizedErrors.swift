// `localizedDescription` of an error that is not a `LocalizedError` is its type's name and a number.
import Foundation
import ImagePipeline

extension LoadError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension TransportError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension NameError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension LibraryError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension DamagedBody: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension DecodeError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension EncodeError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension ProcessingError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
