/// The colours of a landscape at one time of day.
struct Palette: Sendable {
    let zenith: Colour
    let horizon: Colour
    let sun: Colour
    let cloud: Colour
    let farHill: Colour
    let nearHill: Colour
    let meadow: Colour

    static let all = [
        // Noon.
        Palette(
            zenith: Colour(38, 96, 178), horizon: Colour(186, 216, 238), sun: Colour(255, 250, 226),
            cloud: Colour(250, 252, 255), farHill: Colour(120, 148, 176), nearHill: Colour(44, 84, 46),
            meadow: Colour(104, 142, 52)),
        // Evening.
        Palette(
            zenith: Colour(46, 52, 110), horizon: Colour(250, 168, 98), sun: Colour(255, 236, 170),
            cloud: Colour(255, 190, 150), farHill: Colour(136, 92, 116), nearHill: Colour(50, 38, 58),
            meadow: Colour(92, 72, 48)),
        // A misty morning.
        Palette(
            zenith: Colour(108, 142, 170), horizon: Colour(240, 226, 206), sun: Colour(255, 248, 232),
            cloud: Colour(252, 246, 240), farHill: Colour(176, 182, 186), nearHill: Colour(66, 92, 84),
            meadow: Colour(132, 140, 84)),
        // Autumn.
        Palette(
            zenith: Colour(60, 120, 186), horizon: Colour(222, 222, 212), sun: Colour(255, 246, 210),
            cloud: Colour(255, 255, 250), farHill: Colour(128, 130, 150), nearHill: Colour(112, 62, 26),
            meadow: Colour(176, 128, 44)),
    ]
}
