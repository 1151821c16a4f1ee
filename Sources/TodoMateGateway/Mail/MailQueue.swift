package import EventLoop
import TodoMate
import Transfers

/// Hands mail over to its server, behind whatever asks for it: a few at a time, and once more after a while where that may help.
///
/// It is kept in this process alone. What waits when a worker ends is lost, and whoever waits for it asks again.
@LoopActor
final class MailQueue {
    /// How many may wait, those before another attempt included.
    static let most = 100
    private static let parallel = 2
    /// A server that puts off whom it does not know (greylisting) takes the next attempts.
    private static let mostAttempts = 6

    let settings: MailSettings
    private let backoff: Backoff
    private let metrics: Metrics
    private let log: Logger
    private var waiting: [Job] = []
    private var active = 0
    /// Those that wait for another attempt.
    private var later = 0
    private var isStopped = false

    private struct Job {
        let message: MailMessage
        let text: MailText
        var failures = 0
    }

    /// - Parameter backoff: between attempts.
    init(_ settings: MailSettings, _ backoff: Backoff, _ metrics: Metrics, _ log: Logger) {
        (self.settings, self.backoff, self.metrics, self.log) = (settings, backoff, metrics, log)
    }

    /// How many are not handed over yet.
    var count: Int { unsent + later }
    /// Those of them that wait for no other attempt.
    var unsent: Int { waiting.count + active }

    /// Whether a mail will be sent; not where too many wait.
    @discardableResult
    func send(_ text: MailText, to recipient: String, in language: MailLanguage) -> Bool {
        guard count < Self.most, !isStopped else {
            giveUp(text, isStopped ? "stopped" : "full", isStopped ? "the worker ends" : "\(count) mails wait already")
            return false
        }
        let message = MailMessage(
            sender: settings,
            recipient: recipient,
            subject: text.subject(in: language),
            body: text.body(in: language)
        )
        waiting.append(Job(message: message, text: text))
        sendNext()
        return true
    }

    /// Begins no more.
    func stop() {
        isStopped = true
        let lost = count
        guard lost > 0 else { return }
        log.warning("mails are lost that waited: people ask for them again", ["count": String(lost)])
    }

    private func sendNext() {
        while active < Self.parallel, !isStopped, !waiting.isEmpty {
            let job = waiting.removeFirst()
            active += 1
            Task {
                await self.attempt(job)
                active -= 1
                sendNext()
            }
        }
    }

    private func attempt(_ job: Job) async {
        let message = job.message
        do throws(MailTransferError) {
            _ = try await settings.server.send(message.bytes(), from: settings.address, to: message.recipient)
            metrics.sentMail()
            log.info("mail sent", ["uid": job.text.uid, "kind": job.text.kind.rawValue])
        } catch {
            var job = job
            job.failures += 1
            guard error.mayPass, job.failures < Self.mostAttempts, !isStopped else {
                return giveUp(job.text, error.reason.rawValue, error.brief)
            }
            log.info("mail put off", ["uid": job.text.uid, "kind": job.text.kind.rawValue, "reason": error.brief])
            putOff(job)
        }
    }

    private func putOff(_ job: Job) {
        later += 1
        metrics.putMailOff()
        Task {
            await LoopTimer.sleep(for: backoff, afterFailure: job.failures - 1)
            later -= 1
            guard !isStopped else { return }
            waiting.append(job)
            sendNext()
        }
    }

    private func giveUp(_ text: MailText, _ reason: String, _ detail: String) {
        metrics.failedMail(reason)
        log.warning("mail not sent", ["uid": text.uid, "kind": text.kind.rawValue, "reason": detail])
    }
}

extension Backoff {
    /// Between attempts to hand a mail over: about five minutes in all.
    package static var mailing: Backoff { Backoff(base: .seconds(10), cap: .seconds(300)) }
}
