"""One person's device: a browser whose network can be cut, and what it keeps."""
import json

import trio
from trio_websocket import open_websocket_url

import world
from browser import Browser
from chromium import Chromium
from firefox import Firefox
from network import Way
from waiting import until

KEPT = """
const open = indexedDB.open('todomate');
return new Promise((resume, refuse) => {
  open.onerror = refuse;
  // Whoever looks must not make it.
  open.onupgradeneeded = () => open.transaction.abort();
  open.onsuccess = () => {
    const names = [...open.result.objectStoreNames];
    const look = open.result.transaction(names);
    const found = {};
    for (const name of names) look.objectStore(name).getAll().onsuccess = ({ target }) => { found[name] = target.result; };
    look.oncomplete = () => { open.result.close(); resume(found); };
  };
}).catch(() => ({}));
"""


# The browser itself knows of no cut, and would let its service worker try at once: what a page asks it for is only noted.
ONLY_NOTED = "SyncManager.prototype.register = async (tag) => { globalThis.asked = tag; }"


class Devices(world.Scenario):
    """Alice's device goes a way of its own to the first worker; everybody else's lead there directly."""

    def setUp(self):
        super().setUp()
        self.way = Way(int(self.workers[0].url.rstrip("/").rpartition(":")[2]))
        self.addCleanup(self.way.end)
        self.page = self.device()
        self.page.sign_in("alice", "correct horse")
        self.today = self.page.today()

    def device(self, **options):
        url, self.workers[0].url = self.workers[0].url, self.way.url
        try:
            page = self.board(**options)
        finally:
            self.workers[0].url = url
        if Browser is Chromium:
            page.driver.at_each_load(ONLY_NOTED)
            page.run(ONLY_NOTED)
        return page

    def cut(self, *pages):
        """No network any more: for the pages by the browser's own tools where it has some, for the service worker by the way."""
        self.way.cut()
        for page in pages or (self.page,):
            self.emulate(page, True)

    def mend(self, *pages):
        self.way.mend()
        for page in pages or (self.page,):
            self.emulate(page, False)

    @staticmethod
    def emulate(page, is_offline):
        if Browser is Chromium:
            page.command("Network.enable")
            rates = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
            page.command("Network.emulateNetworkConditions", offline=is_offline, **rates)
        elif Browser is Firefox:
            page.driver.inside("Services.io.offline = arguments[0]", is_offline)

    def kept(self, page=None):
        return (page or self.page).run(KEPT)

    def keep(self, content):
        """Has a todo of today on the page, and kept by the device."""
        self.redis.add(content, self.today)
        self.page.row(content).shows()
        self.seen([content])

    def seen(self, contents):
        """Waits until the device has kept these todos, and the page itself."""
        def look():
            kept = self.kept()
            # Also that there is nothing is something.
            if not any("seen" in user for user in kept.get("users", [])):
                return None
            return sorted(each["todo"]["content"] for each in kept["todos"])

        until("the service worker is there", lambda: self.page.run("return navigator.serviceWorker.controller !== null"))
        until(f"{contents} are kept", lambda: look() == sorted(contents))

    def in_service_worker(self, page, method, **values):
        """A command about the service worker of a page's origin, by its registration."""
        with_page = Browser.running.socket.partition("/devtools/")[0] + f"/devtools/page/{page.driver.handle}"

        async def exchange():
            async with open_websocket_url(with_page) as connection:
                await connection.send_message(json.dumps({"id": 1, "method": "ServiceWorker.enable"}))
                while True:
                    told = json.loads(await connection.get_message())
                    found = told.get("params", {}).get("registrations")
                    if found:
                        break
                values["registrationId"] = found[0]["registrationId"]
                await connection.send_message(json.dumps({"id": 2, "method": method, "params": values}))
                while json.loads(await connection.get_message()).get("id") != 2:
                    pass

        trio.run(exchange)
