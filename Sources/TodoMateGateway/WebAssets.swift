import Foundation

extension WebAsset {
    /// The web page: every file in `Web`, under its own name; `index.html` is the root, and preloads all modules that it begins with,
    /// so that none waits for the one that imports it.
    ///
    /// A computed value: a gateway reads it once, and the compressed copies live as long as its routes.
    static var all: [WebAsset] {
        let files = files
        let modules = files.map(\.path).filter { $0.hasSuffix(".js") && !fetchedLater.contains($0) }
        let links = modules.map { "<link rel=\"modulepreload\" href=\"\($0)\">" }.joined(separator: "\n")
        let page = String(decoding: PackageResources.index_html, as: UTF8.self)
            .replacing("<!-- modulepreload -->", with: links)
        return [WebAsset("/", Array(page.utf8))] + files
    }

    /// Modules of my account, which most people seldom open, of operators, of other ways to sign in, which few have, and of what is
    /// announced now and then.
    private static let fetchedLater: Set = [
        "/announcement.js", "/archive.js", "/deletion.js", "/devices.js", "/accountEnglish.js", "/entries.js",
        "/events.js",
        "/factor.js", "/farewell.js", "/fields.js", "/identities.js", "/accountKorean.js", "/operator.js",
        "/operatorAPI.js",
        "/operatorAccounts.js", "/operatorAnnouncement.js", "/operatorSection.js", "/operatorWords.js", "/parting.js",
        "/password.js", "/profile.js", "/providerWords.js", "/providers.js", "/secondStep.js",
        "/secondStepWords.js", "/sections.js", "/sheet.js", "/search.js", "/keyList.js", "/finding.js",
        "/tokens.js",
        "/confirmation.js", "/forgotten.js", "/mail.js", "/mailWords.js",
    ]

    private static var files: [WebAsset] {
        [
            WebAsset("/actions.js", PackageResources.actions_js),
            WebAsset("/announcement.css", PackageResources.announcement_css),
            WebAsset("/announcement.js", PackageResources.announcement_js),
            WebAsset("/api.js", PackageResources.api_js),
            WebAsset("/archive.js", PackageResources.archive_js),
            WebAsset("/board.css", PackageResources.board_css),
            WebAsset("/board.js", PackageResources.board_js),
            WebAsset("/calendar.css", PackageResources.calendar_css),
            WebAsset("/calendar.js", PackageResources.calendar_js),
            WebAsset("/circle.js", PackageResources.circle_js),
            WebAsset("/composer.js", PackageResources.composer_js),
            WebAsset("/confirmation.js", PackageResources.confirmation_js),
            WebAsset("/dates.js", PackageResources.dates_js),
            WebAsset("/deletion.js", PackageResources.deletion_js),
            WebAsset("/devices.js", PackageResources.devices_js),
            WebAsset("/drag.js", PackageResources.drag_js),
            WebAsset("/drafts.js", PackageResources.drafts_js),
            WebAsset("/earlier.js", PackageResources.earlier_js),
            WebAsset("/english.js", PackageResources.english_js),
            WebAsset("/accountEnglish.js", PackageResources.accountEnglish_js),
            WebAsset("/entries.js", PackageResources.entries_js),
            WebAsset("/events.js", PackageResources.events_js),
            WebAsset("/factor.js", PackageResources.factor_js),
            WebAsset("/farewell.js", PackageResources.farewell_js),
            WebAsset("/feed.js", PackageResources.feed_js),
            WebAsset("/finding.js", PackageResources.finding_js),
            WebAsset("/fields.js", PackageResources.fields_js),
            WebAsset("/forgotten.js", PackageResources.forgotten_js),
            WebAsset("/head.css", PackageResources.head_css),
            WebAsset("/head.js", PackageResources.head_js),
            WebAsset("/hold.js", PackageResources.hold_js),
            WebAsset("/icon.svg", PackageResources.icon_svg),
            WebAsset("/invitations.js", PackageResources.invitations_js),
            WebAsset("/join.js", PackageResources.join_js),
            WebAsset("/keyList.js", PackageResources.keyList_js),
            WebAsset("/keys.js", PackageResources.keys_js),
            WebAsset("/identities.js", PackageResources.identities_js),
            WebAsset("/korean.js", PackageResources.korean_js),
            WebAsset("/accountKorean.js", PackageResources.accountKorean_js),
            WebAsset("/lists.css", PackageResources.lists_css),
            WebAsset("/lists.js", PackageResources.lists_js),
            WebAsset("/live.js", PackageResources.live_js),
            WebAsset("/mail.js", PackageResources.mail_js),
            WebAsset("/mailWords.js", PackageResources.mailWords_js),
            WebAsset("/menu.js", PackageResources.menu_js),
            WebAsset("/model.js", PackageResources.model_js),
            WebAsset("/names.js", PackageResources.names_js),
            WebAsset("/notice.js", PackageResources.notice_js),
            WebAsset("/operator.css", PackageResources.operator_css),
            WebAsset("/operator.js", PackageResources.operator_js),
            WebAsset("/operatorAccounts.js", PackageResources.operatorAccounts_js),
            WebAsset("/operatorAnnouncement.js", PackageResources.operatorAnnouncement_js),
            WebAsset("/operatorAPI.js", PackageResources.operatorAPI_js),
            WebAsset("/operatorSection.js", PackageResources.operatorSection_js),
            WebAsset("/operatorWords.js", PackageResources.operatorWords_js),
            WebAsset("/order.js", PackageResources.order_js),
            WebAsset("/parked.js", PackageResources.parked_js),
            WebAsset("/parting.js", PackageResources.parting_js),
            WebAsset("/password.js", PackageResources.password_js),
            WebAsset("/people.css", PackageResources.people_css),
            WebAsset("/people.js", PackageResources.people_js),
            WebAsset("/person.js", PackageResources.person_js),
            WebAsset("/popup.js", PackageResources.popup_js),
            WebAsset("/popups.css", PackageResources.popups_css),
            WebAsset("/preferences.js", PackageResources.preferences_js),
            WebAsset("/profile.js", PackageResources.profile_js),
            WebAsset("/providerWords.js", PackageResources.providerWords_js),
            WebAsset("/providers.js", PackageResources.providers_js),
            WebAsset("/reactions.js", PackageResources.reactions_js),
            WebAsset("/row.js", PackageResources.row_js),
            WebAsset("/rows.js", PackageResources.rows_js),
            WebAsset("/search.js", PackageResources.search_js),
            WebAsset("/secondStep.js", PackageResources.secondStep_js),
            WebAsset("/secondStepWords.js", PackageResources.secondStepWords_js),
            WebAsset("/sections.js", PackageResources.sections_js),
            WebAsset("/session.js", PackageResources.session_js),
            WebAsset("/settings.css", PackageResources.settings_css),
            WebAsset("/settings.js", PackageResources.settings_js),
            WebAsset("/sheet.js", PackageResources.sheet_js),
            WebAsset("/store.js", PackageResources.store_js),
            WebAsset("/stream.js", PackageResources.stream_js),
            WebAsset("/strip.css", PackageResources.strip_css),
            WebAsset("/strip.js", PackageResources.strip_js),
            WebAsset("/tabs.js", PackageResources.tabs_js),
            WebAsset("/ticket.js", PackageResources.ticket_js),
            WebAsset("/toasts.js", PackageResources.toasts_js),
            WebAsset("/undo.js", PackageResources.undo_js),
            WebAsset("/today.css", PackageResources.today_css),
            WebAsset("/today.js", PackageResources.today_js),
            WebAsset("/tokens.js", PackageResources.tokens_js),
            WebAsset("/welcome.js", PackageResources.welcome_js),
            WebAsset("/words.js", PackageResources.words_js),
            WebAsset("/writer.js", PackageResources.writer_js),
        ]
    }
}
