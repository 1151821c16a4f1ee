"""What somebody sees at first: nothing before it is known what, and then all of it."""
from waiting import expect
from world import Scenario, everywhere, main

# Puts the page in place of itself as it comes, before its scripts have run, and says what can be read in it.
BEFORE_SCRIPTS = """
return fetch('/').then((answer) => answer.text()).then((text) => {
  document.body.replaceWith(new DOMParser().parseFromString(text, 'text/html').body);
  const readable = (element) => element.checkVisibility({ visibilityProperty: true }) && element.innerText?.trim();
  return [...document.body.querySelectorAll('button, p, li, h2, h3, a, label')].filter(readable).map((element) => element.innerText);
});
"""
# Which of these elements have something dark in them, in a picture of the page.
INKED = """
const [picture, selector] = arguments;
const image = new Image();
image.src = `data:image/png;base64,${picture}`;
return image.decode().then(() => {
  const scale = image.width / innerWidth;
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  return [...document.querySelectorAll(selector)].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const { data } = context.getImageData(left * scale, top * scale, width * scale, height * scale);
    return data.some((value, index) => index % 4 < 3 && value < 110);
  });
});
"""


class FirstSight(Scenario):
    @everywhere
    def test_nothing_shows_before_it_is_known_what(self):
        page = self.board()
        page.door()
        self.assertEqual(page.run(BEFORE_SCRIPTS), [])

    @everywhere
    def test_the_list_is_painted_as_the_month_is(self):
        page = self.signed_in()
        for number in range(4):
            self.redis.add(f"MMMM {number}", page.today())
        page.refresh()
        page.row("MMMM 3").shows()

        def inked(selector):
            return page.run(INKED, page.driver.get_screenshot_as_base64(), selector)

        expect([True] * 4, lambda: inked("#list .content"), "what is painted of the list")
        expect([True], lambda: inked("[aria-current=date] .number"), "what is painted of today in the month")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
