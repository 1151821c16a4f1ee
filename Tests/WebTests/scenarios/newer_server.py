"""A page that is open while its server becomes a newer one, which has other parts."""
from world import Scenario, main


class NewerServer(Scenario):
    def test_the_page_says_so_and_is_reloaded(self):
        page = self.signed_in()
        page.command("Network.enable")
        page.command("Network.setBlockedURLs", urls=["*/parts/sections-*"])
        page.choose_account("my-account")
        toast = page.toast("The server has a newer version: reload this page to go on.")
        page.command("Network.setBlockedURLs", urls=[])
        toast.find(".act").click()
        page.live()
        page.choose_account("my-account")
        page.find("dialog.settings").shows()
        page.new_errors()

    def test_a_server_that_is_away_is_none_of_them(self):
        page = self.signed_in()
        # What it keeps of the page by then is no matter of this.
        page.command("Network.enable")
        page.command("Network.setBypassServiceWorker", bypass=True)
        self.workers[0].stop()
        page.choose_account("my-account")
        page.toast("The server does not answer.")
        self.workers[0].start()
        page.live()
        page.choose_account("my-account")
        page.find("dialog.settings").shows()
        page.new_errors()


if __name__ == "__main__":
    main()
