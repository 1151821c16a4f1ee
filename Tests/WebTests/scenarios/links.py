"""Addresses in what a todo says, which can be opened."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from appearance import DUPLICATE_IDS, SMALL_TARGETS, WIDER_THAN_WINDOW, jumps
from waiting import expect, until
from world import Scenario, main

# What a todo says, where its links lead, and what they read.
SAID = [
    ("see https://example.com", ["https://example.com/"], ["example.com"]),
    ("HTTP://Example.com/Case.", ["http://example.com/Case"], ["example.com/Case"]),
    ("(https://example.com/a_(b)), https://example.com/c?d=e#f!", ["https://example.com/a_(b)", "https://example.com/c?d=e#f"], None),
    ("twice https://example.com/a https://example.com/a", ["https://example.com/a"], None),
    ("https://example.com/오늘 읽기", ["https://example.com/%EC%98%A4%EB%8A%98"], None),
    ("https://example.com에서 보기", ["https://example.com/"], ["example.com"]),
    ("https://ko.example/wiki/서울_(도시)을 보고", ["https://ko.example/wiki/%EC%84%9C%EC%9A%B8_(%EB%8F%84%EC%8B%9C)"], None),
    ("https://네이버.한국/a (https://xn--950bt9s8xi.xn--3e0b707e/b)",
     ["https://xn--950bt9s8xi.xn--3e0b707e/a", "https://xn--950bt9s8xi.xn--3e0b707e/b"], None),
    ("https://example.한국에서 https://example.com/C언어 https://example.com/C를", ["https://example.xn--3e0b707e/", "https://example.com/C%EC%96%B8%EC%96%B4", "https://example.com/C"], None),
    ("https://example.com/2024년_선거#서울?a=서울+날씨는", ["https://example.com/2024%EB%85%84_%EC%84%A0%EA%B1%B0#%EC%84%9C%EC%9A%B8?a=%EC%84%9C%EC%9A%B8+%EB%82%A0%EC%94%A8%EB%8A%94"], None),
    ("xhttps://example.com, 주소https://example.com/a", ["https://example.com/a"], None),
    ("https://accounts.bank.example.signin.security-check.verify.evil.example/login", ["https://accounts.bank.example.signin.security-check.verify.evil.example/login"],
     ["accounts.bank.example.signin.security-check.verify.evil.example/login"]),
    ("https://bücher.example", ["https://xn--bcher-kva.example/"], ["xn--bcher-kva.example"]),
    ("https://bank.example@evil.example:8443/x", ["https://bank.example@evil.example:8443/x"], ["evil.example:8443/x"]),
    ("<b>https://example.com/\"onclick=x</b>", ["https://example.com/"], None),
    ("`https://example.com/a`, “https://example.com/b”", ["https://example.com/a", "https://example.com/b"], None),
    ("https://example.com/\u202egpj.exe", ["https://example.com/"], None),
    (f"https://example.com/{'long' * 20}", [f"https://example.com/{'long' * 20}"], [f"example.com/{'long' * 20}"[:34] + "…"]),
    (" ".join(f"https://example.com/{number}" for number in range(9)), [f"https://example.com/{number}" for number in range(5)], None),
    ("javascript://example.com/%0aalert(1) data://x file:///etc ftp://example.com", [], []),
    ("https:// https://: http://]", [], []),
    ("nothing to open: example.com, a://b", [], []),
]
LINKS = """
const row = [...document.querySelectorAll(`${arguments[0]} .row`)].find((row) => row.dataset.id === arguments[1]);
return [...row?.querySelectorAll('.links a') ?? []].map((link) => [link.href, link.textContent, link.target, link.rel]);
"""
HAS_ROOM = "return [...document.querySelectorAll('#list .row')].find((row) => row.dataset.id === arguments[0]).querySelector('.extras').checkVisibility()"


class Links(Scenario):
    def links(self, page, todo, place="#list"):
        return [href for href, *_ in page.run(LINKS, place, todo["id"])]

    def expect_links(self, page, hrefs, todo, place="#list"):
        expect(hrefs, lambda: self.links(page, todo, place), f"the links of “{todo['content']}”")

    def test_are_read_from_words_and_notes(self):
        page = self.signed_in()
        todos = [self.redis.add(content, page.today()) for content, *_ in SAID]
        for todo, (_, hrefs, words) in zip(todos, SAID):
            self.expect_links(page, hrefs, todo)
            # Nor is there room for what there is not.
            expect(bool(hrefs), lambda todo=todo: page.run(HAS_ROOM, todo["id"]), f"the room below “{todo['content']}”")
            for _, said, target, rel in page.run(LINKS, "#list", todo["id"]):
                self.assertEqual((target, rel), ("_blank", "noopener noreferrer"))
                self.assertIn(said, words or [said])
        # Those that are too many are told.
        signs = lambda: page.run("return [...document.querySelectorAll('.links')].map((place) => place.lastChild?.data).filter(Boolean)")
        expect(["…"], signs, "the signs of more")
        several = next(todo for todo in todos if todo["content"].count("https://") > 5)
        for count, more in ((5, []), (6, ["…"])):
            words = " ".join(f"https://example.com/{number}" for number in range(count))
            self.redis.update(several, content=words)
            expect(more, signs, f"the signs of more than five of {count}")
        noted = self.redis.add("read", page.today(), detail="here:\nhttps://example.com/note")
        self.expect_links(page, ["https://example.com/note"], noted)
        # They follow what is said.
        self.redis.update(noted, detail="there: https://example.com/other")
        self.expect_links(page, ["https://example.com/other"], noted)
        self.redis.update(noted, detail="")
        self.expect_links(page, [], noted)
        for check in (DUPLICATE_IDS, SMALL_TARGETS):
            self.assertEqual(page.run(check), [], check)
        page.emulate_size(320, 640)
        self.assertFalse(page.run(WIDER_THAN_WINDOW))
        self.assertEqual(page.new_errors(), [])

    def test_open_elsewhere_and_leave_the_todo_alone(self):
        page = self.signed_in()
        address = f"{page.url}healthz?opened"
        todo = self.redis.add(f"see {address}", page.today())
        self.expect_links(page, [address], todo)
        page.find("#list .links a").click()

        def opened():
            targets = page.command("Target.getTargets")["targetInfos"]
            return [target["targetId"] for target in targets if target["url"] == address]

        expect(1, lambda: len(opened()), "the tabs with what was opened")
        page.command("Target.closeTarget", targetId=opened()[0])
        self.assertEqual(page.count(".editor"), 0)
        # By keys: behind the words, and gone with them to the next row.
        page.run("document.querySelector('#list .words').focus()")
        page.press(Keys.TAB)
        page.part(todo["content"], "grip").takes_focus()
        page.press(Keys.TAB)
        page.find("#list .links a").takes_focus()
        other = self.redis.add("another", page.today())
        page.wait("the other todo", lambda: page.contents()[-1] == "another")
        page.run("document.querySelector('#list .row:last-child .words').focus()")
        self.assertEqual(page.run("return document.querySelector('#list a').tabIndex"), -1)
        # What is done to the todo leaves the focus where it is.
        page.run("document.querySelector('#list a').focus()")
        page.press("x")
        until("X: not done", lambda: self.redis.todos(page.today())[0]["status"] == "incomplete")
        expect("incomplete", lambda: page.statuses()[0], "the status")
        self.redis.update(todo, content=f"look at {address}")
        expect(f"look at {address}", lambda: page.contents()[0], "the words")
        self.assertTrue(page.run("return document.activeElement.matches('#list a')"))
        # What is being written may have others.
        page.press(Keys.F2)
        page.find(".edit-content").takes_focus()
        page.find("#list .links a").is_gone()
        page.press(Keys.ESCAPE)
        page.find("#list .links a").shows()
        self.assertEqual(self.redis.todos(page.today())[1]["id"], other["id"])
        self.assertEqual(page.new_errors(), [])

    def test_move_nothing_as_they_come(self):
        page = self.signed_in()
        todos = [self.redis.add(f"{number} https://example.com/{number}", page.today()) for number in range(20)]
        self.expect_links(page, ["https://example.com/19"], todos[-1])
        page.command("Animation.enable")
        page.command("Animation.setPlaybackRate", playbackRate=0)
        # What finds them comes over the network, after the first paint.
        page.delay_answers(200)
        page.command("Network.setCacheDisabled", cacheDisabled=True)
        page.command("Network.setBypassServiceWorker", bypass=True)
        for size in ((1280, 800), (390, 844)):
            page.emulate_size(*size)
            page.refresh()
            self.expect_links(page, ["https://example.com/19"], todos[-1])
            self.assertLess(jumps(page), 0.005, size)

    def test_are_not_dragged_for_their_todo(self):
        page = self.signed_in()
        todo = self.redis.add("see https://example.com/a", page.today())
        self.expect_links(page, ["https://example.com/a"], todo)
        moves = ActionChains(page.driver, duration=0).click_and_hold(page.find("#list .links a").element())
        moves.move_by_offset(0, 12).perform()
        self.assertEqual(page.count(".ghost, .dragged"), 0)
        ActionChains(page.driver).release().perform()
        # Two clicks open it twice, and edit nothing.
        page.run("document.querySelector('#list .links a').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))")
        self.assertEqual(page.count(".editor"), 0)
        self.assertEqual(page.new_errors(), [])

    def test_that_do_not_come_leave_no_room(self):
        page = self.signed_in()
        page.command("Network.enable")
        page.command("Network.setBlockedURLs", urls=["*/parts/links-*"])
        todo = self.redis.add("see https://example.com/a", page.today())
        expect(["see https://example.com/a"], page.contents, "the list")
        expect(False, lambda: page.run(HAS_ROOM, todo["id"]), "whether there is room for links")
        page.command("Network.setBlockedURLs", urls=[])
        self.redis.update(todo, status="complete")
        self.expect_links(page, ["https://example.com/a"], todo)
        self.assertTrue(page.run(HAS_ROOM, todo["id"]))
        self.assertEqual([error for error in page.new_errors() if "/parts/links-" not in error], [])

    def test_of_a_friend(self):
        self.add_user("bob", "correct horse")
        self.todomate("profile", "bob", "--audience", "public")
        self.todomate("follow", "alice", "bob")
        page = self.signed_in()
        todo = self.redis.add("look https://example.com/bob", page.today(), uid="bob", visibility="public")
        page.wait("bob's todo", lambda: page.contents_of("bob") == ["look https://example.com/bob"])
        self.expect_links(page, ["https://example.com/bob"], todo, ".person")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
