// The keyboard short cuts of the console. Every page works without them.

const box = () => document.querySelector('input[type=search]');

const isTyping = ({ target }) => target.closest('input, textarea, select') !== null;

const rows = () => [...document.querySelectorAll('tbody th a, ul.found a')];

/** Moves the focus to the next or the previous row of the page's tables. */
const step = (by) => {
  const all = rows();
  const at = all.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
};

const go = (name) => document.querySelector(`a[data-key="${name}"]`)?.click();

/** What a key presses: a button, a link or a box of the row that has the focus. */
const press = (key) => {
  const row = document.activeElement?.closest('tr');
  const all = [...(row?.parentElement.querySelectorAll('[data-press]') ?? [])];
  const meant = all.filter((each) => each.dataset.press === key);
  (
    meant.find((each) => row.contains(each)) ?? meant.find((each) => each.closest('.group'))
  )?.click();
};

// Who comes back to a row goes on there. The browser chooses the target before the page has loaded.
addEventListener('load', () => document.querySelector('tr:target th a')?.focus());

let isGoing = false;

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && isTyping(event)) return event.target.blur();
  if (isTyping(event)) return;
  if (isGoing) {
    isGoing = false;
    return go(event.key);
  }
  if (event.key === 'g') {
    isGoing = true;
    setTimeout(() => (isGoing = false), 1500);
  } else if (event.key === '/') {
    event.preventDefault();
    box()?.focus();
    box()?.select();
  } else if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
  else press(event.key);
});
