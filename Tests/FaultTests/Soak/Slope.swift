/// The straight line through points that leaves the least squares.
struct Slope {
    /// How much is added each unit.
    let perUnit: Double
    /// The standard error of that.
    let uncertainty: Double

    /// - Parameter points: at least three, not all at the same place.
    init?(_ points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        guard count > 2 else { return nil }
        let meanX = points.reduce(0) { $0 + $1.x } / count
        let meanY = points.reduce(0) { $0 + $1.y } / count
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        guard spread > 0 else { return nil }
        let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        let rest = points.reduce(0) { sum, point in
            let error = point.y - meanY - slope * (point.x - meanX)
            return sum + error * error
        }
        perUnit = slope
        uncertainty = (rest / (count - 2) / spread).squareRoot()
    }
}
