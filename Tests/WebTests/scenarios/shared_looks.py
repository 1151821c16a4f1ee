"""What the shared board looks like to eyes, hands and screen readers."""
from appearance import CONTRAST, DUPLICATE_IDS, HEADINGS, NAMED, SMALL_TARGETS, WIDER_THAN_WINDOW
from waiting import expect
from world import Scenario, main


class SharedLooks(Scenario):
    def setUp(self):
        super().setUp()
        self.page = page = self.signed_in()
        today = page.today()
        page.add("mine")
        for name in ("bob", "carol"):
            self.add_user(name, "correct horse")
            other = self.signed_in(0, name)
            if name == "bob":
                other.request("PATCH", "/v1/users/bob/profile", {"audience": "public"})
                other.request("PUT", "/v1/users/bob/following/alice")
            for number, status in enumerate(("todo", "inProgress", "complete", "incomplete")):
                # Of carol, who has not answered, only what everyone may see: without that she would have no list.
                seen = {"visibility": "public"} if name == "carol" and not number else {}
                self.redis.add(f"{status} {number}", today, uid=name, status=status, detail="with a note", **seen)
            other.close()
            page.request("PUT", f"/v1/users/alice/following/{name}")
        page.request("PUT", "/v1/users/alice/blocked/mallory")
        expect(["bob", "carol"], page.people, "the lists")
        expect(4, lambda: len(page.contents_of("bob")), "the number of todos of bob")
        page.todo_of("bob", "todo 0", ".react").click()
        page.find(".emojis [data-emoji='🎉']").click()
        page.find(".person .chip").shows()

    def each_look(self):
        page = self.page
        yield "the lists"
        for view, ready in (("people", "#requests .someone"), ("feed", ".item")):
            page.show(view)
            page.find(ready).shows()
            yield view
        page.emulate_size(1280, 800)
        page.show("today")
        page.todo_of("bob", "todo 0", ".react").click()
        page.find("dialog .emojis").shows()
        yield "the panel of emojis"
        page.escape()
        page.part("mine", "grip").click()
        page.find("dialog .statuses").shows()
        yield "the menu of a todo"
        page.escape()
        page.person("bob", ".panel-head .grip").click()
        page.find("dialog .danger").shows()
        yield "the menu of a list"
        page.escape()
        page.person("bob", ".name").click()
        page.find("#month-title").tells("bob")
        yield "the month of bob"

    def test_contrast(self):
        page = self.page
        for scheme in ("light", "dark"):
            page.emulate_scheme(scheme, motion="reduce")
            for look in self.each_look():
                self.assertEqual(page.run(CONTRAST)["poor"], [], f"{look}, {scheme}")
            page.show("today")

    def test_names_and_room_for_a_finger(self):
        page = self.page
        for look in self.each_look():
            for size in ((390, 844), (768, 1024), (1024, 768), (1280, 800)):
                page.emulate_size(*size)
                self.assertEqual(page.run(SMALL_TARGETS), [], f"{look} at {size}")
                self.assertFalse(page.run(WIDER_THAN_WINDOW), f"{look} at {size}")
            tree = page.command("Accessibility.getFullAXTree")["nodes"]
            shown = [node for node in tree if not node["ignored"] and node["role"]["value"] in NAMED]
            nameless = {node["role"]["value"] for node in shown if not node["name"]["value"].strip()}
            self.assertLessEqual(nameless, {"main", "list"}, look)
            self.assertEqual(page.run(DUPLICATE_IDS), [], look)
            levels = page.run(HEADINGS)
            self.assertEqual(levels.count(1), 1, look)
            self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])), look)

    def test_the_chosen_tab_keeps_its_colours_under_the_mouse(self):
        page = self.page
        page.show("feed")
        tab, other = page.find("#tabs [data-view=feed]"), page.find("#tabs [data-view=today]")

        def colours(part):
            return part.run("const { color, backgroundColor } = getComputedStyle(found); return [color, backgroundColor]")

        def point(part):
            part.point()
            expect(True, lambda: part.run("return found.matches(':hover')"), f"whether the mouse is over {part}")

        point(other)
        chosen, hovered = colours(tab), colours(other)
        point(tab)
        self.assertEqual(colours(tab), chosen)
        self.assertNotEqual(colours(other), hovered, "another one tells that it can be pressed")

    def test_the_tab_of_today_shows_today(self):
        page = self.page
        for size in ((390, 844), (1280, 800)):
            page.emulate_size(*size)
            # From another day in the month, from another tab, and from that day itself.
            for views in (("month",), ("month", "people"), ("month", "today")):
                page.show("month")
                page.find(".cell:not([aria-current=date])").click()
                expect(False, lambda: page.find("#day-eyebrow").text == "Today", "whether it is today")
                for view in (*views[1:], "today"):
                    page.find(f"#tabs [data-view={view}]").click()
                page.find("#day-eyebrow").reads("Today")

    def test_korean(self):
        page = self.page
        page.choose_account("language")
        for _ in self.each_look():
            words = page.run("return [...document.querySelectorAll('button, label, p, h2, h3, span')].map((e) => e.ariaLabel ?? e.innerText)")
            self.assertEqual([text for text in words if "undefined" in text or "{" in text], [])
        page.show("people")
        page.find("#requests-title span").reads("받은 요청")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
