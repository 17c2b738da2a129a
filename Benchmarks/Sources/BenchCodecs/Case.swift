/// One file decoded to one size, and what it is to cost.
struct Case {
    let name: String
    let file: String
    let side: Int
    /// Decodes in one process.
    let repetitions: Int
    /// How often the subjects take their turns: a process that meets a slow time of the machine does not decide.
    var rounds = 6
    var isPNG = false
    var isProgressive = false
    var isFirstPicture = false
    var goal: Goal

    /// At most this many times the floor and the best peer, and this many megabytes; at least this many decibels.
    struct Goal {
        let floor: Double
        var peer: Double?
        var memory: Double?
        var psnr: Double?
        /// The share of the bytes by which a first picture is to be there.
        var share: Double?
    }
}

/// What a subject took for a case.
struct Measured {
    var milliseconds = Double.infinity
    /// How far memory grew in each round.
    var growths: [Double] = []
    /// The median of those: the system counts pages per processor, in lots of 32, so each is up to a quarter of a megabyte too much or little.
    var megabytes: Double { growths.sorted().dropFirst(growths.count / 2).first ?? 0 }
    var share = 1.0
    var psnr: Double?
    var ssim: Double?
}
