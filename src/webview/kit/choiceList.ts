/** Between the list and the border of the page, in pixels. */
const MARGIN = 8;
/** Wider than a narrow field, so that what is long breaks seldom; and not down over all of the page. */
const WIDEST = 560;
const HIGHEST = 330;

/** Puts a list below its field, or what is below that, over the page: the form scrolls by itself and would cut it off. */
export function placeBelow(input: HTMLElement, list: HTMLElement, lowest: HTMLElement): void {
  const { left, width } = input.getBoundingClientRect();
  const { bottom } = lowest.getBoundingClientRect();
  const room = innerWidth - left - MARGIN;
  list.style.setProperty('left', `${left}px`);
  list.style.setProperty('top', `${bottom}px`);
  list.style.setProperty('width', `${Math.min(room, Math.max(width, WIDEST))}px`);
  list.style.setProperty('max-height', `${Math.min(HIGHEST, innerHeight - bottom - MARGIN)}px`);
}

/** Keeps the lines of a pasted list apart: an input joins them else. */
export function pasteOnOneLine(event: ClipboardEvent, oneLine: (text: string) => string): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  const input = event.currentTarget;
  if (!/[\r\n]/.test(text) || !(input instanceof HTMLInputElement)) return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = input;
  input.setRangeText(oneLine(text.trim()), selectionStart ?? 0, selectionEnd ?? 0, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

export function linesJoined(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
