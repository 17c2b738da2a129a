// An image is what a pipeline delivers: whoever imports the one has the other.
@_exported import ImageCodecs
