/// What users spent of their budgets at one worker, as it announces it to the others: JSON on the channel
/// `todomate:shared:workers:budgets`.
///
///     {"worker":"9f3c…","spent":[{"kind":"todos","key":"alice","count":30}]}
package struct SpentBudgets: WorkerAnnouncement, Equatable {
    /// So many times of one kind.
    struct Entry: Codable, Sendable, Equatable {
        enum CodingKeys: CodingKey { case kind, key, count }

        var kind: UserBudgets.Kind
        /// The user, or a pair of users.
        var key: String
        var count: Int
    }

    /// As many as one announcement has.
    static let most = 256

    var worker: String
    var spent: [Entry]

    init(worker: String, spent: [Entry]) { (self.worker, self.spent) = (worker, spent) }

    /// Passes over kinds that only newer workers know: what they say of the others counts.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        worker = try fields.decode(String.self, forKey: .worker)
        spent = try fields.decode([Known].self, forKey: .spent).compactMap(\.entry)
    }

    private struct Known: Decodable {
        var entry: Entry?

        init(from decoder: any Decoder) throws {
            let kind = try decoder.container(keyedBy: Entry.CodingKeys.self).decode(String.self, forKey: .kind)
            entry = UserBudgets.Kind(rawValue: kind) == nil ? nil : try Entry(from: decoder)
        }
    }

    var isSensible: Bool {
        (1...64).contains(worker.utf8.count) && spent.count <= Self.most
            && spent.allSatisfy { (1...1000).contains($0.count) && (1...129).contains($0.key.utf8.count) }
    }
}
