"""What the page looks like to eyes, hands and screen readers, in both languages and both schemes."""
import gzip
import os
import re
import urllib.error
import urllib.request

from selenium.webdriver.common.keys import Keys

from board import FRAMES
from modules import word_tables
from waiting import expect
from world import Scenario, everywhere, main

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "contrast.js"), encoding="utf-8") as file:
    CONTRAST = file.read()
NAMED = {"button", "textbox", "gridcell", "grid", "columnheader", "dialog", "main", "list", "heading", "link", "Date"}


class Appearance(Scenario):
    def each_look(self, page):
        """Shows the page in each of its looks, one after another."""
        page.retype(page.find("#user"), "alice")
        page.find("#enter").click()
        page.find("#door-error").reads("Type your password.")
        yield "the door"
        page.sign_in("alice", "correct horse")
        today = page.today()
        yield "an empty day"
        for number, status in enumerate(("todo", "inProgress", "complete", "incomplete", "todo")):
            for day in (today, page.day(-10), page.day(10)):
                self.redis.add(f"{status} {number}", day, status=status, detail="with a note")
        expect((5, 3), lambda: (len(page.contents()), len(page.cell_lines(today))), "the todos in the list and in the month")
        yield "a full day"
        page.part("todo 0", "grip").click()
        page.find("dialog").shows()
        yield "the menu"
        page.escape()
        page.part("todo 0", "words").double_click()
        page.find(".edit-content").takes_focus()
        yield "the editor"
        page.press(Keys.ESCAPE)
        page.part("todo 0", "words").takes_focus()
        page.press(Keys.DELETE)
        page.toast("deleted")
        yield "a message"
        tomorrow = page.day(1)
        page.find(f"[data-day='{tomorrow}']").click()
        page.find("[aria-selected=true]").says("data-day", tomorrow)
        month = page.find("#month-title").text
        page.find("#month-after").click()
        page.wait("another month", lambda: page.find("#month-title").text != month)
        yield "another day and month"

    def test_contrast(self):
        for scheme in ("light", "dark"):
            page = self.board(dark=scheme == "dark")
            page.emulate_scheme(scheme, motion="reduce")
            for look in self.each_look(page):
                found = page.run(CONTRAST)
                self.assertGreater(found["looked"], 5)
                self.assertEqual(found["poor"], [], f"{look}, {scheme}")
                self.assertEqual(page.run("return document.getAnimations().length"), 0, "motion is reduced")
            for todo in self.redis.todos():
                self.redis.call("remove", todo["id"])
            page.close()

    def test_dark_is_dark(self):
        def lightness(page):
            return page.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")

        page = self.board()
        page.wait("it is light", lambda: lightness(page) > 220)
        page.emulate_scheme("dark")
        page.wait("it is dark", lambda: lightness(page) < 40)

    def test_every_control_has_a_name_and_room_for_a_finger(self):
        page = self.board()
        for look in self.each_look(page):
            for size in ((390, 844), (1280, 800)):
                page.emulate_size(*size)
                small = page.run(SMALL_TARGETS)
                self.assertEqual(small, [], f"{look} at {size}")
                self.assertFalse(page.run(WIDER_THAN_WINDOW), f"{look} at {size}")
            tree = page.command("Accessibility.getFullAXTree")["nodes"]
            shown = [node for node in tree if not node["ignored"] and node["role"]["value"] in NAMED]
            nameless = [node["role"]["value"] for node in shown if not node["name"]["value"].strip()]
            self.assertGreater(len(shown), 3)
            self.assertEqual([role for role in nameless if role != "main"], [], look)
            self.assertEqual(page.run(DUPLICATE_IDS), [], look)
            levels = page.run(HEADINGS)
            self.assertEqual(levels.count(1), 1, look)
            self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])), look)
            self.assertEqual(page.language(), "en")

    def test_korean(self):
        page = self.board(languages="ko-KR,ko,en")
        page.find("#enter").reads("로그인")
        page.sign_in("alice", "correct horse")
        expect("ko", page.language, "the language")
        page.find("#pill").reads("실시간")
        # The week begins on Sunday.
        page.find("[role=columnheader]").reads("일")
        year, month, _ = page.today().split("-")
        page.find("#month-title").reads(f"{int(year)}년 {int(month)}월")
        page.add("책 읽기")
        page.find("#count").reads("1개 중 0개 완료")
        words = page.run("return [...document.querySelectorAll('button, label, p, h2')].map((e) => e.ariaLabel ?? e.innerText)")
        self.assertEqual([text for text in words if "undefined" in text], [])
        page.choose_account("language")
        page.find("#pill").reads("Live")
        page.refresh()
        page.live()
        self.assertEqual(page.language(), "en", "the choice is remembered")
        page.choose_account("language")
        page.open_account()
        page.find("#leave").reads("로그아웃")
        self.assertEqual(page.new_errors(), [])

    @everywhere
    def test_korean_by_choice(self):
        page = self.board()
        page.find("#language").click()
        page.find("#enter").reads("로그인")
        page.sign_in("alice", "correct horse")
        page.find("#pill").reads("실시간")
        year, month, _ = page.today().split("-")
        page.find("#month-title").reads(f"{int(year)}년 {int(month)}월")
        page.add("내일 9시 30분 책 읽기")
        expect([("책 읽기", "09:30")], lambda: [(todo["content"], todo.get("time")) for todo in self.redis.todos(page.day(1))], "tomorrow")
        page.refresh()
        page.find("#pill").reads("실시간")
        self.assertEqual(page.language(), "ko", "the choice is remembered")
        self.assertEqual(page.new_errors(), [])

    def test_both_languages_say_the_same(self):
        page = self.board()
        tables = word_tables(page)
        self.assertGreater(len(tables), 15)
        self.assertGreater(len(tables[""]["en"]), 200)
        for name, table in tables.items():
            self.assertEqual(table["en"], table["ko"], name or "the page")
            self.assertGreater(len(table["en"]), 2, name)

    def test_who_runs_no_scripts_is_told_so_in_both_languages(self):
        with urllib.request.urlopen(self.workers[0].url) as answer:
            told, = re.findall("<noscript>(.*)</noscript>", answer.read().decode())
        self.assertIn("needs JavaScript", told)
        self.assertIn('lang="ko">JavaScript가 필요합니다.', told)

    def test_nothing_jumps_while_it_loads(self):
        page = self.signed_in()
        today = page.today()
        todos = [f"todo {number}" for number in range(30)]
        for todo in todos:
            self.redis.add(todo, today)
        # For whom the server is slow the page shows before all is known: here nobody is.
        page.command("Animation.enable")
        page.command("Animation.setPlaybackRate", playbackRate=0)
        page.refresh()
        expect(todos, page.contents, "the list")
        self.assertLess(jumps(page), 0.02)

    def test_nothing_moves_for_longer_than_five_seconds(self):
        page = self.signed_in()
        page.live()
        moving = page.run(MOVING)
        self.assertIn("breathe", [name for name, _ in moving])
        # WCAG 2.2.2; and what never rests keeps a phone from resting, and each click waiting for the next frame.
        self.assertEqual([(name, longest) for name, longest in moving if longest is None or longest > 5], [])

    def test_every_module_is_preloaded_and_nothing_in_vain(self):
        def look(pattern, path):
            with urllib.request.urlopen(self.workers[0].url + path) as answer:
                return re.findall(pattern, answer.read().decode(), re.MULTILINE)

        imported, found = set(), look(r'<script type="module" src="/([^"]+)"', "")
        while found:
            imported.update(found)
            found = [f"parts/{name}" for part in found for name in look(r'(?:from|import)"\./([^"]+)"', part)]
            found = [part for part in found if part not in imported]
        self.assertGreater(len(imported), 2)
        self.assertEqual(sorted(look(r'<link rel="modulepreload" href="/([^"]+)"', "")), sorted(imported))
        for part in imported:
            self.assertEqual(look(r"\A//# allFunctionsCalledOnLoad$", part), ["//# allFunctionsCalledOnLoad"], part)

    def test_size_and_headers(self):
        page = self.signed_in()
        page.refresh()
        page.live()
        files = page.run(FILES)
        self.assertTrue(all(file["name"].startswith(page.url) for file in files))
        # With the page itself, and the stream, which is in no list while it is open.
        self.assertLessEqual(len({file["name"] for file in files}) + 2, 12, files)
        total = later = 0
        for name in {page.url, *(file["name"] for file in files if "/v1/" not in file["name"])}:
            request = urllib.request.Request(name, headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as answer:
                body = answer.read()
                self.assertGreater(len(gzip.decompress(body)), 0)
                policy = answer.headers["Content-Security-Policy"]
                tag = answer.headers["ETag"]
                self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
                # Only what has another name as soon as there is something else in it.
                kept = "public, max-age=31536000, immutable" if "/parts/" in name else "no-cache"
                self.assertEqual(answer.headers["Cache-Control"], kept)
            # What comes once the page shows is none of what its first paint waits for.
            if "/parts/afterwards-" in name:
                later = len(body)
            else:
                total += len(body)
            for rule in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"):
                self.assertIn(rule, policy)
            self.assertNotIn("unsafe", policy)
            again = urllib.request.Request(name, headers={"If-None-Match": tag})
            with self.assertRaises(urllib.error.HTTPError) as raised:
                urllib.request.urlopen(again)
            self.assertEqual(raised.exception.code, 304)
            raised.exception.close()
        self.assertGreater(total, 20_000)
        self.assertLess(total, 57_700, "the bytes that are sent")
        self.assertLess(later, 6_000, "the bytes that come later")


def jumps(page):
    """How much has jumped about since the page was opened, of what is painted by now."""
    expect(2, lambda: page.run("return performance.getEntriesByType('paint').length"), "the first paints")
    page.run(FRAMES)
    return page.run(LAYOUT_SHIFT)


SMALL_TARGETS = """
return [...document.querySelectorAll('button, input, textarea, .cell')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, place]) => place.width < 39.5 || place.height < 39.5)
  .map(([element, place]) => `${element.id || element.className}: ${place.width} × ${place.height}`);
"""
WIDER_THAN_WINDOW = "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
DUPLICATE_IDS = """
const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
return ids.filter((id, index) => ids.indexOf(id) !== index);
"""
HEADINGS = """
return [...document.querySelectorAll('h1, h2, h3, h4')]
  .filter((heading) => heading.checkVisibility() && heading.innerText.trim())
  .map((heading) => Number(heading.tagName[1]));
"""
LAYOUT_SHIFT = """
const observer = new PerformanceObserver(() => {});
observer.observe({ type: 'layout-shift', buffered: true });
return observer.takeRecords().reduce((total, { value }) => total + value, 0);
"""
# Each animation that an element has, and for how many seconds: null where it never ends.
MOVING = """
const styles = [...document.querySelectorAll('body, body *')].flatMap((element) => [null, '::before', '::after'].map((part) => getComputedStyle(element, part)));
return styles.filter(({ animationName }) => animationName !== 'none').flatMap((style) => style.animationName.split(', ').map((name, index) => {
  const at = (values) => values.split(', ')[index];
  return [name, parseFloat(at(style.animationDuration)) * parseFloat(at(style.animationIterationCount))];
}));
"""
FILES = "return performance.getEntriesByType('resource').map(({ name }) => ({ name }))"

if __name__ == "__main__":
    main()
