// All visible text, icons and field borders whose contrast is below WCAG 2.2 AA (1.4.3, 1.4.11), from computed styles.
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

// Any CSS colour as red, green, blue and alpha.
function parts(color) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

const over = ([r, g, b, a], below) => [r, g, b].map((value, index) => value * a + below[index] * (1 - a));
const light = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);

function ratio(first, second) {
  const [dark, bright] = [luminance(first), luminance(second)].sort((left, right) => left - right);
  return (bright + 0.05) / (dark + 0.05);
}

function background(element) {
  if (!element) return parts(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff').slice(0, 3);
  const color = parts(getComputedStyle(element).backgroundColor);
  return color[3] === 1 ? color.slice(0, 3) : over(color, background(element.parentElement));
}

// Opacity lets the background through; the dialog's top layer does not inherit what is beneath.
const opacity = (element) => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen');

const poor = [];
let looked = 0;
function check(element, color, least, what) {
  looked += 1;
  const behind = background(element.matches('input, textarea') && what === 'border' ? element.parentElement : element);
  const [r, g, b, a] = parts(color);
  const found = ratio(over([r, g, b, a * opacity(element)], behind), behind);
  if (found < least) poor.push(`${what} ${color} in ${element.className?.baseVal ?? element.className} of ${element.tagName}: ${found.toFixed(2)}`);
}

for (const element of document.body.querySelectorAll('*')) {
  // What cannot be used just now is free to be faint (1.4.3).
  if (!isSeen(element) || element.closest('[aria-disabled=true]')) continue;
  const style = getComputedStyle(element);
  const size = parseFloat(style.fontSize);
  const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isField = element.matches('input, textarea');
  const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  if ((hasText || isField) && size > 0) check(element, style.color, least, 'text');
  if (isField && element.placeholder) check(element, getComputedStyle(element, '::placeholder').color, least, 'placeholder');
  if (isField && element !== document.activeElement) check(element, style.borderTopColor, 3, 'border');
  if (element.matches('button svg')) check(element.parentElement, style.color, 3, 'icon');
}
return { looked, poor };
