"""The colours of people: of their own, always the same, and legible."""
from waiting import expect
from world import Scenario, main


class Hues(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def test_people_have_colours_of_their_own(self):
        page = self.page
        hues = lambda: page.run(
            "return [...document.querySelectorAll('.person .avatar')].map((e) => [e.closest('.person').dataset.uid, e.style.getPropertyValue('--hue')])"
        )
        people = [f"friend{number}" for number in range(9)]
        for name in people:
            self.add_user(name, "correct horse")
            self.redis.cli("FCALL", "todomate_settings", "1", f"todomate:{{{name}}}", '{"audience":"public"}')
            self.redis.add("shown", self.today, uid=name, visibility="public")
            page.request("PUT", f"/v1/users/alice/following/{name}")
        expect(sorted(people), lambda: sorted(uid for uid, _ in hues()), "whose lists show")
        first = dict(hues())
        own = page.run("return document.querySelector('#sign .avatar').style.getPropertyValue('--hue')")
        self.assertEqual(len({*first.values(), own}), len(people) + 1, first)
        # The same after a reload, whatever comes first.
        page.refresh()
        page.live()
        expect(first, lambda: dict(hues()), "the colours")
        for scheme in ("light", "dark"):
            page.emulate_scheme(scheme, motion="reduce")
            for hue in range(0, 360, 30):
                ratio = page.run(AVATAR, hue)
                self.assertGreaterEqual(ratio, 4.5, (scheme, hue))


AVATAR = """
const avatar = document.querySelector('.person .avatar').cloneNode(true);
avatar.style.setProperty('--hue', arguments[0]);
document.body.append(avatar);
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const light = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const luminance = (color) => {
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  return 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
};
const [one, other] = [getComputedStyle(avatar).color, getComputedStyle(avatar).backgroundColor].map(luminance);
avatar.remove();
return (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
"""

if __name__ == "__main__":
    main()
