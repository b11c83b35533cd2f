import { type DocumentPiece, parseDocument } from './document.ts';
import { scanLines } from './documentLines.ts';
import { parseVerdictLine, type WrittenVerdict } from './verdictLine.ts';

/** A question of a document, not yet read. */
export interface DocumentQuestion {
  /** The nearest heading above it; undefined where there is none. */
  readonly title: string | undefined;
  /** The line of its opening fence, counted from 1. */
  readonly line: number;
  /** Where its text begins in the document. */
  readonly offset: number;
  /** Its JSON as it stands in the document. */
  readonly text: string;
  /** What stands behind it: what came of it when it was last run. */
  readonly verdict: WrittenVerdict | undefined;
}

const LONGEST_TITLE = 200;
const LONGEST_LINE = 1000;

/**
 * The questions of a Markdown document: its blocks of `chainlog`.
 *
 * @example questionsInDocument('# Why\n\n```chainlog\n{}\n```\n').map(({ title, line }) => [title, line]) // [['Why', 3]]
 */
export function questionsInDocument(text: string): readonly DocumentQuestion[] {
  let title: string | undefined;
  let at = 0;
  const questions: DocumentQuestion[] = [];
  for (const { kind, before, source, after, line } of parseDocument(text)) {
    if (kind === 'prose') title = headingIn(source) ?? title;
    else questions.push({ title, line, offset: at + before.length, text: source, verdict: verdictIn(after) });
    at += before.length + source.length + after.length;
  }
  return questions;
}

/** What stands behind the fence of a question. */
export function verdictIn(after: DocumentPiece['after']): WrittenVerdict | undefined {
  for (const line of after.split(/\r\n|\n|\r/).slice(0, 3)) {
    const verdict = parseVerdictLine(line);
    if (verdict) return verdict;
  }
  return undefined;
}

function headingIn(prose: string): string | undefined {
  const { lines } = scanLines(prose);
  for (let index = lines.length - 1; index >= 0; index--) {
    const { text, isText } = lines[index] ?? { text: '' };
    if (!isText) continue;
    const words = text.trim();
    const heading = /^#{1,6}(?=[ \t])/.exec(words)?.[0];
    if (heading) return withoutEnd(words.slice(heading.length, LONGEST_LINE)).slice(0, LONGEST_TITLE);
    const above = lines[index - 1];
    const isUnderline = /^(?:=+|-+)$/.test(words) && above?.isText && above.text.trim() !== '';
    if (isUnderline) return above.text.trim().slice(0, LONGEST_TITLE);
  }
  return undefined;
}

/** Marks at the end of a heading are none of its words. */
function withoutEnd(heading: string): string {
  const words = heading.trim();
  const bare = words.slice(0, words.length - (/#{1,200}$/.exec(words)?.[0].length ?? 0));
  return bare === '' || /[ \t]$/.test(bare) ? bare.trim() : words;
}
