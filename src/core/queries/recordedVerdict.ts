import { groupDigits } from '../base/text.ts';

/** The recorded result of a query: a complete and reproducible one. */
export type RecordedVerdict = {
  readonly count: number;
  /** The last block of the range that was read. */
  readonly toBlock: bigint;
} & RecordedHash;

/** The {@link digestContents} of the logs, or their {@link digestRows}, which earlier versions recorded. */
type RecordedHash =
  | { readonly contentSha256: string; readonly sha256?: undefined }
  | { readonly sha256: string; readonly contentSha256?: undefined };

/**
 * The HTML comment after a query in a document, which records its result.
 *
 * @example formatVerdictLine({ count: 5000, toBlock: 21_000_000n, contentSha256 }); // '<!-- 5,000 logs, complete to 21,000,000, content sha256 … -->'
 */
export function formatVerdictLine({ count, toBlock, sha256, contentSha256 }: RecordedVerdict): string {
  const logs = count === 1 ? '1 log' : `${groupDigits(count)} logs`;
  const hash = contentSha256 === undefined ? `sha256 ${sha256}` : `content sha256 ${contentSha256}`;
  return `<!-- ${logs}, complete to ${groupDigits(toBlock)}, ${hash} -->`;
}

/**
 * Parses a line of {@link formatVerdictLine}; undefined for any other line.
 *
 * @example parseVerdictLine('<!-- checked by hand -->') // undefined
 */
export function parseVerdictLine(line: string): RecordedVerdict | undefined {
  const [, logs, block, content, hash] = VERDICT_LINE.exec(line) ?? [];
  if (logs === undefined || block === undefined || hash === undefined) return undefined;
  const count = Number(logs.replaceAll(',', ''));
  if (count > MAX_LOGS) return undefined;
  const toBlock = BigInt(block.replaceAll(',', ''));
  return content ? { count, toBlock, contentSha256: hash } : { count, toBlock, sha256: hash };
}

const MAX_LOGS = 1_000_000_000_000;
const VERDICT_LINE =
  /^[ \t]{0,99}<!--[ \t]{0,4}(\d[\d,]{0,20}) logs?, complete to (\d[\d,]{0,30}), (content )?sha256 ([0-9a-f]{64})[ \t]{0,4}-->[ \t]{0,12}[\r\n]{0,2}$/;

/**
 * Whether an HTML comment is meant as a recorded result: it has its three parts, or begins like one and has two of
 * them, whatever is wrong with them.
 *
 * @example isMeantAsVerdict('<!-- 3 logs, complete to 16 -->') // true
 */
export function isMeantAsVerdict(comment: string): boolean {
  const parts = VERDICT_PARTS.filter((part) => part.test(comment)).length;
  return parts === VERDICT_PARTS.length || (parts > 1 && VERDICT_START.test(comment));
}

const VERDICT_START = /^<!--\s{0,9}(?:\d|(?:\w{1,20}\s{1,9})?logs?\b|complete|content\s|sha-?256)/i;
const VERDICT_PARTS = [/\d\s{0,9}logs?\b/i, /\bcomplete\b|\bcomplete[ds]\s{1,9}to\b/i, /\bsha-?256\b/i];
