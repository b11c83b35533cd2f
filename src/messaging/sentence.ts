/**
 * A part of a sentence in a cell. If there is too little room, free text is cut first, then lists; then the labels of
 * facts and amounts go, facts are cut, and amounts last.
 */
export interface SentencePart {
  readonly kind: 'fact' | 'amount' | 'list' | 'text';
  /** The name of the value; empty if it has none. */
  readonly label: string;
  readonly text: string;
}

/** Before each part but the first. */
export const PART_GAP = '  ';

/** The whole sentence: `Paid  member Bob  cents 120,002`. */
export function joinSentence(parts: readonly SentencePart[]): string {
  return parts.map(({ label, text }) => (label === '' ? text : `${label} ${text}`)).join(PART_GAP);
}

/** The parts of the first `maxChars` characters of the sentence. */
export function cutSentence(parts: readonly SentencePart[], maxChars: number): readonly SentencePart[] {
  const cut: SentencePart[] = [];
  let left = maxChars;
  for (const part of parts) {
    left -= (cut.length > 0 ? PART_GAP.length : 0) + (part.label === '' ? 0 : part.label.length + 1);
    if (left <= 0) break;
    cut.push({ ...part, text: part.text.slice(0, left) });
    left -= part.text.length;
  }
  return cut;
}
