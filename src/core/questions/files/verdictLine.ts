import { groupDigits } from '../../values/units.ts';

/** What a document says came of a question: a complete answer, which can be had again. */
export interface WrittenVerdict {
  /** Logs of the answer. */
  readonly count: number;
  /** The last block of the range that was read. */
  readonly toBlock: bigint;
  /** The {@link rowsDigest} of the answer. */
  readonly sha256: string;
}

const MOST_LOGS = 1_000_000_000_000;
const LINE =
  /^[ \t]{0,12}<!-- (\d[\d,]{0,20}) logs?, complete to (\d[\d,]{0,30}), sha256 ([0-9a-f]{64}) -->[ \t]{0,12}[\r\n]{0,2}$/;

/**
 * The HTML comment that stands behind a question of a document and says what came of it.
 *
 * @example verdictLine({ count: 5000, toBlock: 21_000_000n, sha256 }); // '<!-- 5,000 logs, complete to 21,000,000, sha256 … -->'
 */
export function verdictLine({ count, toBlock, sha256 }: WrittenVerdict): string {
  const logs = count === 1 ? '1 log' : `${groupDigits(count)} logs`;
  return `<!-- ${logs}, complete to ${groupDigits(toBlock)}, sha256 ${sha256} -->`;
}

/**
 * What such a line says; undefined where it is none.
 *
 * @example parseVerdictLine('<!-- checked by hand -->') // undefined
 */
export function parseVerdictLine(line: string): WrittenVerdict | undefined {
  const [, logs, block, sha256] = LINE.exec(line) ?? [];
  if (logs === undefined || block === undefined || sha256 === undefined) return undefined;
  const count = Number(logs.replaceAll(',', ''));
  return count <= MOST_LOGS ? { count, toBlock: BigInt(block.replaceAll(',', '')), sha256 } : undefined;
}
