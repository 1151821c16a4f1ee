"""Something on the page, sought anew at each use: what was found before may have been drawn anew since."""
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains

from waiting import expect, until

CHILD = "(within, selector) => within.querySelector(selector)"
ROW = "(within, content) => [...within.querySelectorAll('.row')].find((row) => row.querySelector('.content').textContent === content)"
TOAST = "(within, words) => [...within.querySelectorAll('.toast')].find((toast) => toast.textContent.includes(words))"
BUTTON = "(within, words) => [...within.querySelectorAll('button')].find((button) => button.textContent.trim() === words)"

# The element, and why it cannot be pressed just now, if so: it must show, rest, and not lie under another one.
READY = """
if (!found?.checkVisibility({ visibilityProperty: true })) return [null, 'is not shown'];
if (found.matches(':disabled')) return [null, 'is disabled'];
const moving = document.getAnimations().some(({ effect }) => effect.target?.contains(found));
if (moving) return [null, 'moves'];
const around = [];
for (let element = found; element; element = element.parentElement) around.push(element);
// A smooth scroll moves nothing in its first frame.
const isSmooth = around.some((element) => getComputedStyle(element).scrollBehavior === 'smooth');
const frame = () => new Promise((resume) => { requestAnimationFrame(resume); setTimeout(resume, 1000); });
const place = () => JSON.stringify(found.getBoundingClientRect());
const before = place();
return frame().then(() => isSmooth && frame()).then(() => {
  if (place() !== before) return [null, 'moves'];
  const { left, top, width, height } = found.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  if (found.contains(above)) return [found, null];
  found.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
  return [null, `lies under ${above?.outerHTML.slice(0, 200)}`];
});
"""
# These come before anything has happened.
TOO_EARLY = (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)


class Part:
    def __init__(self, driver, *steps):
        """`steps`: from the document to the element; each a function in JavaScript and what it takes."""
        self.driver, self.steps = driver, steps

    def __str__(self):
        return " ".join(str(argument) for _, *arguments in self.steps for argument in arguments)

    def find(self, selector):
        return Part(self.driver, *self.steps, (CHILD, selector))

    def row(self, content):
        return Part(self.driver, *self.steps, (ROW, content))

    def run(self, script, *arguments):
        """Runs a script in which `found` is the element, or nothing."""
        way = "".join(f"found = found && ({code})(found, ...steps[{at}]);" for at, (code, *_) in enumerate(self.steps))
        steps = [arguments for _, *arguments in self.steps]
        code = f"const [steps, ...values] = arguments; let found = document; {way} {script}"
        return self.driver.execute_script(code, steps, *arguments)

    # Looking: as it is at this moment

    @property
    def is_shown(self):
        return self.run("return Boolean(found?.checkVisibility({ visibilityProperty: true }))")

    @property
    def text(self):
        """What one can read there. (WebDriver's own text leaves out what only begins to fade in.)"""
        return self.run("return found?.checkVisibility({ visibilityProperty: true }) ? found.innerText.trim() : ''")

    @property
    def value(self):
        return self.run("return found?.value")

    @property
    def has_focus(self):
        return self.run("return Boolean(found) && found === document.activeElement")

    def attribute(self, name):
        return self.run("return found?.getAttribute(values[0])", name)

    def middle(self):
        """Where on the page it is."""
        return self.run("const { x, y, width, height } = found.getBoundingClientRect(); return [x + width / 2, y + height / 2]")

    # Looking: until it is so

    def element(self):
        return until(f"there is {self}", lambda: self.run("return found"))

    def shows(self):
        expect(True, lambda: self.is_shown, f"whether {self} shows")
        return self

    def is_gone(self):
        expect(False, lambda: self.is_shown, f"whether {self} shows")

    def reads(self, words):
        expect(words, lambda: self.text, f"the text of {self}")

    def tells(self, words):
        until(f"{self} tells {words!r}", lambda: words in self.text)

    def holds(self, value):
        expect(value, lambda: self.value, f"the value of {self}")

    def says(self, name, value):
        expect(value, lambda: self.attribute(name), f"{name} of {self}")

    def takes_focus(self):
        expect(True, lambda: self.has_focus, f"whether {self} has the focus")

    # Doing

    def do(self, action):
        """Does something with the element as soon as a hand could."""
        hindrance = None

        def is_done():
            nonlocal hindrance
            element, hindrance = self.run(READY)
            if hindrance:
                return False
            try:
                action(element)
            except TOO_EARLY as reason:
                hindrance = reason.msg
            return not hindrance

        try:
            until("", is_done)
        except AssertionError:
            raise AssertionError(f"waited in vain to use {self}, which {hindrance}") from None

    def click(self):
        self.do(lambda element: element.click())

    def double_click(self):
        self.do(lambda element: ActionChains(self.driver).double_click(element).perform())

    def point(self):
        """Moves the pointer there."""
        self.do(lambda element: ActionChains(self.driver).move_to_element(element).perform())

    def type(self, *keys):
        self.do(lambda element: element.send_keys(*keys))

    def fill(self, value):
        """Puts a value into a field in one go, as a date picker does."""
        self.shows().run("found.value = values[0]", value)
