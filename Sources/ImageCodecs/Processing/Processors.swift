/// The built-in steps. Each keeps the image's profile as long as it describes the samples.
public enum Processors {}
