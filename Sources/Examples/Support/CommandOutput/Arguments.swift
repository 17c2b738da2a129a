import ArgumentParser

/// The arguments of the program.
public enum Arguments {
    /// Throws if one of them is not UTF-8, where `CommandLine.arguments` has other characters, and so names another file.
    public static func requireText() throws(ValidationError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            throw ValidationError(
                "\(String(cString: argument)) is not UTF-8: such names cannot be told to this program.")
        }
    }
}
