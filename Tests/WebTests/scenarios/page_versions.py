"""The page on a device: installed, and replaced by the server's next version without an endless cache."""
import json
import re
import urllib.request

from device import Devices
from waiting import expect, until
from world import main

CACHES = "return caches.keys()"


class PageVersions(Devices):
    def get(self, path):
        with urllib.request.urlopen(self.workers[0].url + path) as answer:
            return answer.read().decode(), answer.headers

    def installed(self):
        until("the service worker is there", lambda: self.page.run("return navigator.serviceWorker.controller !== null"))
        return expect_one(self.page.run(CACHES))

    def become(self, version):
        """From now on the way leads to a server whose page is another one, which has the same parts but for one."""
        page, _ = self.get("")
        script, _ = self.get("worker.js")
        copy, = re.findall(r"/parts/page-\w+\.html", script)
        part, = re.findall(r"/parts/afterwards-\w+\.js", script)
        text, _ = self.get(part[1:])
        names = {copy: f"/parts/page-{version}.html", part: f"/parts/afterwards-{version}.js"}
        for name, other in names.items():
            script = script.replace(name, other)
        page = page.replace("<title>TodoMate</title>", f"<title>TodoMate</title><meta name=version content={version}>")
        # What imports that part would have another name as well; in here its old name stands for the new one.
        html = "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-cache\r\n"
        code = "Content-Type: text/javascript; charset=utf-8\r\nCache-Control: no-cache\r\n"
        self.way.answers = {
            "/": (html, page.encode()), names[copy]: (html, page.encode()), "/worker.js": (code, script.encode()),
            names[part]: (code, text.encode()),
        }

    def version(self):
        return self.page.run("return document.querySelector('meta[name=version]')?.content ?? null")

    def update(self):
        self.page.run("return navigator.serviceWorker.getRegistration().then((it) => it.update()).then(() => true)")

    def test_can_be_installed(self):
        text, headers = self.get("manifest.webmanifest")
        self.assertEqual(headers["Content-Type"], "application/manifest+json")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        manifest = json.loads(text)
        self.assertEqual((manifest["start_url"], manifest["display"]), ("/", "standalone"))
        icon = manifest["icons"][0]
        self.assertEqual(self.get(icon["src"][1:])[1]["Content-Type"], "image/svg+xml")
        self.installed()
        found = self.page.command("Page.getAppManifest")
        self.assertEqual((found["errors"], found["url"]), ([], f"{self.page.url}manifest.webmanifest"))
        # Chromium's own list of what is missing; the scenarios' tabs are all of private windows.
        missing = [each["errorId"] for each in self.page.command("Page.getInstallabilityErrors")["installabilityErrors"]]
        self.assertEqual([each for each in missing if each != "in-incognito"], [])
        self.assertEqual(self.page.new_errors(), [])

    def test_a_new_version_takes_over_and_older_ones_go(self):
        page = self.page
        first = self.installed()
        page.find("#new").type("half a line")
        self.become("SECOND")
        self.update()
        # The page that is open goes on, says so, and is reloaded when its reader likes.
        toast = page.toast("The server has a newer version")
        page.find("#new").holds("half a line")
        expect([first, "todomate.page.SECOND"], lambda: page.run(CACHES), "the caches")
        toast.find(".act").click()
        until("it is the new one", lambda: self.version() == "SECOND")
        page.find("#new").holds("half a line")
        self.seen([])
        self.become("THIRD")
        self.update()
        expect(["todomate.page.SECOND", "todomate.page.THIRD"], lambda: page.run(CACHES), "the caches")
        self.cut()
        page.refresh()
        until("it is the newest one", lambda: self.version() == "THIRD")
        page.find("#new").holds("half a line")
        page.find("#pill").tells("Offline")

    def test_what_somebody_on_the_way_says_takes_the_place_of_no_page(self):
        page = self.page
        self.installed()
        html = "Content-Type: text/html; charset=utf-8\r\n"
        for status in ("404 Not Found", "502 Bad Gateway", "429 Too Many Requests"):
            self.way.answers = {"/": (html, b"<h1>somebody else</h1>", status)}
            page.refresh()
            page.live()
            self.assertNotIn("somebody else", page.source())
        # There a reader has to do something first.
        for status in ("401 Unauthorized", "403 Forbidden"):
            self.way.answers = {"/": (html, b"<h1>sign in first</h1>", status)}
            page.load(page.driver.refresh)
            until("their page shows", lambda: "sign in first" in page.source())

    def test_what_waits_outlasts_the_change(self):
        page = self.page
        self.installed()
        self.seen([])
        self.cut()
        page.add("typed before")
        page.find("#pill").tells("1 unsaved")
        self.become("SECOND")
        page.driver.get("about:blank")
        self.way.loses = "POST"
        self.mend()
        page.driver.get(page.url)
        until("it is the new one", lambda: self.version() == "SECOND")
        page.find("#pill").tells("1 unsaved")
        self.way.loses = None
        self.assertSaved(page, ["typed before"], self.today)

    def test_a_server_that_has_not_all_parts_of_a_version_changes_nothing(self):
        page = self.page
        first = self.installed()
        self.become("SECOND")
        asked = lambda path: sum(path in head[0] for head in self.way.heads)
        part = next(path for path in self.way.answers if "afterwards" in path)
        # Somebody on the way answers for a part, or sends to where they do.
        sign_in = ("Content-Type: text/html; charset=utf-8\r\n", b"<h1>Sign in first</h1>")
        for answer in (sign_in, ("Location: /\r\n", b"", "302 Found")):
            answers = {**self.way.answers}
            self.way.answers[part] = answer
            before = asked(part)
            # While one attempt is under way, the next is the same one.
            until("the part was asked for", lambda: self.update() or asked(part) > before)
            self.way.answers = answers
        del self.way.answers["/parts/page-SECOND.html"]
        until("it was asked for", lambda: self.update() or asked("page-SECOND"))
        self.seen([])
        kept = page.run("return caches.match(arguments[0]).then((it) => it?.text() ?? null)", part)
        self.assertNotIn("Sign in", kept or "")
        self.cut()
        page.refresh()
        page.find("#pill").tells("Offline")
        self.assertIsNone(self.version())
        self.assertIn(first, page.run(CACHES))
        self.mend()
        page.live()


def expect_one(names):
    name, = names
    return name


if __name__ == "__main__":
    main()
