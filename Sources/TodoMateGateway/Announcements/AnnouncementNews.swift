/// Another announcement shows, or none any more, as it is told to all workers and boards: JSON on the channel
/// `todomate:shared:workers:announcement`. What it says is read where it is stored.
package struct AnnouncementNews: WorkerAnnouncement, Equatable {
    /// The channel's last part.
    package static let topic = "announcement"

    /// Who tells it.
    package var worker: String

    /// News of somebody.
    package init(worker: String) { self.worker = worker }

    var isSensible: Bool { (1...64).contains(worker.utf8.count) }
}
