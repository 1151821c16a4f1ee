/// What users spent of their budgets at one worker, as it announces it to the others: JSON on the channel
/// `todomate:shared:workers:budgets`.
///
///     {"worker":"9f3c…","spent":[{"kind":"todos","key":"alice","count":30}]}
package struct SpentBudgets: WorkerAnnouncement, Equatable {
    /// So many times of one kind.
    struct Entry: Codable, Sendable, Equatable {
        var kind: UserBudgets.Kind
        /// The user, or a pair of users.
        var key: String
        var count: Int
    }

    /// As many as one announcement has.
    static let most = 256

    var worker: String
    var spent: [Entry]

    var isSensible: Bool {
        (1...64).contains(worker.utf8.count) && spent.count <= Self.most
            && spent.allSatisfy { (1...1000).contains($0.count) && (1...129).contains($0.key.utf8.count) }
    }
}
