import type { AbiEvent } from '../../abi/abiItem.ts';
import { abiItemText } from '../../abi/read/abiItemText.ts';
import { aboutQuery, commentText } from '../handed/comments.ts';
import type { HandedEndpoint } from '../handed/endpoint.ts';
import type { HandedBlocks, HandedQuery } from '../handed/handover.ts';
import { readableEvent } from '../handed/identifiers.ts';
import { jsString } from './jsText.ts';

const LONGEST = 200_000;

interface ProgramParts {
  readonly query: HandedQuery;
  readonly endpoint: HandedEndpoint;
  readonly blocks: HandedBlocks;
  /** As npm has it. */
  readonly library: string;
  readonly imports: string;
  /** What opens the way to the endpoint, and what else comes before the first question. */
  readonly opening: readonly string[];
  /** An expression for the newest block. */
  readonly newest: string;
  /** Asks for `fromBlock` to `toBlock` and prints what comes, indented by two spaces. */
  readonly asking: readonly string[];
}

/** A program of ESM that asks for so many blocks at a time and prints a log a line, as JSON. */
export function programText(parts: ProgramParts) {
  const { query, endpoint, blocks, library, imports, opening, newest, asking } = parts;
  const last = blocks.to === 'latest' ? newest : `${blocks.to}n`;
  const notes = [
    aboutQuery(query),
    `To run: npm install ${library}, save this as logs.mjs, then node logs.mjs`,
    ...endpoint.notes,
  ];
  const text = [
    ...notes.map((note) => `// ${commentText(note)}`),
    imports,
    '',
    ...opening,
    `const last = ${last};`,
    '// Servers limit the blocks or the logs of an answer. One that cuts it short without a word is not noticed here.',
    'const step = 10_000n;',
    "const withoutBigint = (_, value) => (typeof value === 'bigint' ? value.toString() : value);",
    '',
    `for (let fromBlock = ${blocks.from}n; fromBlock <= last; fromBlock += step) {`,
    '  const toBlock = fromBlock + step <= last ? fromBlock + step - 1n : last;',
    ...asking,
    '}',
    '',
  ].join('\n');
  return text.length > LONGEST ? ({ refused: 'tooLong' } as const) : { text };
}

/** The declaration of an event as a literal, where libraries read it. */
export function declarationOf(event: AbiEvent | undefined): string | undefined {
  const readable = event && readableEvent(event);
  return readable && jsString(abiItemText(readable));
}
