import { lineBefore } from './constantName.ts';

/** Characters behind an address that are looked at on its line, and above it for what it is a part of. */
const NEAR = 240;
const FAR = 2000;
const LONGEST_NAME = 64;
const LONGEST_COMMENT = 48;
/** Keys that say only that an address follows: what it is of stands around them. */
const SAYS_NOTHING = /^(?:address|addr|contract|contractaddress|account|value|id|proxy|deployedto|to|at)$/i;
const NAME_CHARACTER = /[\w$.-]/;
const HAS_LETTER = /\p{L}/u;

/**
 * The word beside an address, of `length` characters at `offset`, that says what it is: the key or the variable before
 * it, the cell before it in a table, the label behind it, or the comment at the end of its line.
 */
export function nameBeside(text: string, offset: number, length: number): string | undefined {
  const before = lineBefore(text, offset);
  const start = offset - before.length;
  const near = text.slice(offset + length, offset + length + NEAR);
  const lineEnd = near.indexOf('\n');
  const behind = lineEnd < 0 ? near : near.slice(0, lineEnd);
  const key = keyBefore(before);
  const around =
    key !== undefined && SAYS_NOTHING.test(key)
      ? keyAround(text.slice(Math.max(0, start - FAR), start))
      : undefined;
  return around ?? key ?? labelBehind(behind) ?? cellBefore(before) ?? commentBehind(behind);
}

/** `treasury = `, `"treasury": "`, `TREASURY=`, `USDC: IERC20(`. */
function keyBefore(before: string): string | undefined {
  const opened = withoutOpening(before);
  const sign = opened.at(-1);
  if (sign !== '=' && sign !== ':') return undefined;
  const left = opened
    .slice(0, -1)
    .replace(/[ \t:]$/, '')
    .trimEnd();
  if ('=!<>'.includes(left.at(-1) ?? ' ')) return undefined;
  return nameAtEnd(left);
}

/** Without what opens a value: quotation marks, brackets, and names of functions and types that it is given to. */
function withoutOpening(before: string): string {
  let end = before.length;
  const trim = () => {
    while (end > 0 && ' \t\'"`[{'.includes(before.charAt(end - 1))) end--;
  };
  trim();
  for (let casts = 0; casts < 4 && before.charAt(end - 1) === '('; casts++) {
    end--;
    while (end > 0 && /[\w$.!]/.test(before.charAt(end - 1))) end--;
    trim();
  }
  return before.slice(0, end);
}

function nameAtEnd(left: string): string | undefined {
  const quote = left.at(-1) ?? '';
  if (quote === '"' || quote === "'") {
    const start = left.lastIndexOf(quote, left.length - 2);
    return start < 0 ? undefined : named(left.slice(start + 1, -1));
  }
  let start = left.length;
  while (start > 0 && NAME_CHARACTER.test(left.charAt(start - 1))) start--;
  return named(left.slice(start));
}

/** The key of what the line stands in: `"Treasury": {`, `[treasury]`, `treasury:`. */
function keyAround(above: string): string | undefined {
  for (const line of above.split('\n').reverse()) {
    const text = line.trim();
    if (text.startsWith('}') || text.startsWith(']')) return undefined;
    if (text.startsWith('[') && text.endsWith(']')) return nameAtEnd(text.slice(1, -1));
    const opens = text.endsWith('{') ? text.slice(0, -1).trimEnd() : text;
    if ((text.endsWith('{') || text.endsWith(':')) && opens.endsWith(':'))
      return nameAtEnd(opens.slice(0, -1).trimEnd());
  }
  return undefined;
}

/** `0x…": "Treasury"`. */
function labelBehind(behind: string): string | undefined {
  const text = behind.replace(/^["'`]/, '').trimStart();
  const value = /^[:=]/.test(text) ? text.slice(1).trimStart() : '';
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return end < 0 ? undefined : named(value.slice(1, end));
}

/** `Treasury,0x…`, `| Treasury | 0x…`. */
function cellBefore(before: string): string | undefined {
  const cells = before.split(before.includes('|') ? '|' : ',');
  const cell = cells.at(-2)?.trim();
  return cell === undefined || cells.at(-1)?.trim() || !/^[\p{L}\p{N} _.-]+$/u.test(cell)
    ? undefined
    : named(cell);
}

/** `0x…, // Treasury`. */
function commentBehind(behind: string): string | undefined {
  const start = behind.search(/\/\/|#/);
  if (start < 0 || /[\p{L}\p{N}]/u.test(behind.slice(0, start))) return undefined;
  const comment = behind
    .slice(start)
    .replace(/^[/#!]{1,4}/, '')
    .trim();
  return comment.length > LONGEST_COMMENT ? undefined : named(comment);
}

function named(name: string): string | undefined {
  const trimmed = name.trim();
  const isName = trimmed.length <= LONGEST_NAME && HAS_LETTER.test(trimmed) && !/^0x/i.test(trimmed);
  return isName ? trimmed : undefined;
}
