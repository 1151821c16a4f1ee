extension BoardCommand {
    /// How many entries further in a list in place of the board it leads, as far as there are so many; nil for what does not lead there.
    var stride: Int? {
        switch self {
        case .nextTodo: 1
        case .previousTodo: -1
        case .nextMonth: 10
        case .previousMonth: -10
        case .firstTodo: .min
        case .lastTodo: .max
        default: nil
        }
    }
}

extension Int {
    /// The place so many entries further in a list of `count`, or its last or first one; 0 in an empty list.
    func walked(by stride: Int, of count: Int) -> Int {
        let goal = addingReportingOverflow(stride)
        return Swift.min(Swift.max(goal.overflow ? stride : goal.partialValue, 0), Swift.max(count - 1, 0))
    }
}
