/**
 * How well `text` fits what a person typed: all its characters in order, whatever their case; better at the start, at that of a
 * word and side by side. Undefined where it does not fit; a greater number fits better. Each character is looked at once.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = typed.toLowerCase();
  const lower = text.toLowerCase();
  let score = 0;
  let last = -2;
  let at = 0;
  for (const character of wanted) {
    const found = lower.indexOf(character, at);
    if (found < 0) return undefined;
    score += found === last + 1 || found === 0 ? 3 : isWordStart(text, found) ? 2 : 0;
    last = found;
    at = found + character.length;
  }
  return score - text.length / 1000;
}

/** Whether a word begins there: behind what is no letter or digit, or with a capital letter behind a small one. */
export function isWordStart(text: string, at: number): boolean {
  const [before = '', here = ''] = [text[at - 1], text[at]];
  return !/[A-Za-z0-9]/.test(before) || (/[A-Z]/.test(here) && /[a-z0-9]/.test(before));
}
