import { parseLargeJson } from '../../../src/core/http/largeJson.ts';
import {
  createLineFinder,
  createTimeSlices,
  parseFilterTerms,
  systemClock,
} from '../../../src/core/index.ts';
import { explainRowFilter, parseRowFilter } from '../../../src/core/logs/store/rowFilter.ts';
import { extractKey } from '../../../src/core/networks/endpointUrl.ts';
import { parseDocument } from '../../../src/core/queries/document.ts';
import { findQueries, writeExpectation } from '../../../src/core/queries/queryFiles.ts';
import { locateQueryParts, parsePartialQuery } from '../../../src/core/queries/queryText.ts';
import { parseWrittenFunction } from '../../../src/core/reads/readFunction.ts';
import { redactText } from '../../../src/core/secrets/redactKey.ts';
import { parsePastedAddress } from '../../../src/host/names/addressName.ts';
import { findAmountAt } from '../../../src/host/places/amountInText.ts';
import { findChainLinks } from '../../../src/host/places/chainLinks.ts';
import { findAddressAt, findAllHex, findHexAt } from '../../../src/host/places/hexInText.ts';
import { findNumberAt } from '../../../src/host/places/numberInText.ts';
import { findFileAddresses } from '../../../src/host/places/workspaceAddresses.ts';
import { createTableFilter, explainTableFilter } from '../../../src/host/tableFilter.ts';
import { type Chance, pick, repeatUnits } from './random.ts';
import { type Work, workOf } from './work.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const slices = () => createTimeSlices(systemClock);

const ADDRESS = `0x${'5a'.repeat(20)}`;
const HASH = `0x${'7a'.repeat(32)}`;
/** What is looked for on a line, what only begins like it, and what is around it. */
const PLACES = [
  ...[
    ADDRESS,
    HASH,
    '0x12345678',
    '0x12345678: ',
    '0x',
    'hex"',
    "hex'00'",
    '0',
    'f',
    '(0) ',
    '1_000',
    '1,000',
  ],
  ...[
    '10 ** 18',
    ' * ',
    '1e18',
    '.5',
    ' gwei',
    'block ',
    'blockNumber: ',
    'tx hash: ',
    'key = ',
    '="',
    '`',
    ' ',
  ],
  ...['address constant A = ', 'IERC20(', '"a": {', '"address": "', '|', '# ', '// ', '\n', '…', '{', ','],
];
/** Parts of a query file. */
const QUERY = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    '":',
    '"a":1,',
    `"address":["${ADDRESS}"],`,
    '"event":"E(uint a)",',
    '\\',
  ],
  ...[
    '"expect":{',
    '"count":1,',
    '//x\n',
    '/*',
    '*/',
    '\n',
    '\r',
    '1',
    'null',
    '\u2028',
    '```chainlog\n',
    '```\n',
  ],
  ...['~~~', '> ', '- ', '<!--', '-->', '3 logs, complete to 16\n', '"fromBlock":1,', '{}\n'],
];
const TERMS = ['a:', '!', '"', '>=', '1e9 ', 'ether ', 'to:', '0x', ' ', 'x', '\\', '=', 'value>1 '];
const JSON_PARTS = ['[', ']', '{', '}', '{"a":', '"', '\\', '\\"', ',', '0', '[],', '{},', '"a",', ' '];

const lineOf = (size: number, chance: Chance) => repeatUnits(chance, size, PLACES);
const makeTerms = (size: number, chance: Chance) => repeatUnits(chance, size, TERMS);
const inMiddle =
  (find: (line: string, offset: number) => unknown) =>
  (line: string): unknown =>
    find(line, Math.floor(line.length / 2));

function makeQuery(size: number, chance: Chance): string {
  const body = repeatUnits(chance, size, QUERY);
  return pick(chance, [body, `{${body}}`, `{"address":[${body}]}`, `\`\`\`chainlog\n{${body}}\n\`\`\`\n`]);
}

/** Knows no name, as the filter of a result without rows. */
const unknown = {
  ...{ argumentAt: () => undefined, findArgumentsByName: () => [], listArgumentNames: () => [] },
  ...{ findEventsByName: () => [], findAddressesByName: () => [], listDecimals: () => [] },
  unitsOf: () => undefined,
};

const file = { path: 'a.chainlog.json', place: 0, pin: { fromBlock: 1n, toBlock: 2n } };

export const placesWork: readonly Work[] = [
  workOf('a line that someone points at', MIB, [
    [lineOf, inMiddle(findAmountAt)],
    [lineOf, inMiddle(findNumberAt)],
    [lineOf, inMiddle(findAddressAt)],
    [lineOf, inMiddle(findHexAt)],
    [lineOf, (line: string) => [...findAllHex(line)].length],
    [lineOf, (line: string) => findChainLinks(line, { hashes: 'likely' })],
    [lineOf, (text: string) => findFileAddresses(text, 'A.sol', slices())],
    [lineOf, (text: string) => findFileAddresses(text, 'a.json', slices())],
  ]),
  workOf('a query that is written', 256 * KIB, [
    [makeQuery, (text: string) => findQueries(text, 'a.chainlog.json')],
    [makeQuery, (text: string) => findQueries(text, 'a.chain.md')],
    [makeQuery, writeResult],
    [makeQuery, (text: string) => createLineFinder(text, 'a.md')(0, 'address.3')],
    [makeQuery, (text: string) => locateQueryParts(text).itemsAt(['address'])],
    [makeQuery, parsePartialQuery],
    [makeQuery, parseDocument],
    [
      (size, chance) => repeatUnits(chance, size, ['f(', 'uint', ' a', ',', ')', ' view returns (']),
      parseWrittenFunction,
    ],
  ]),
  workOf('a text that is typed or pasted', 16 * KIB, [
    [makeTerms, parseFilterTerms],
    [makeTerms, (text: string) => parseRowFilter(text)],
    [makeTerms, (text: string) => explainRowFilter(text, unknown as never)],
    [
      makeTerms,
      (text: string) => createTableFilter(text, { columns: [], cell: () => ({ text, exact: text }) }),
    ],
    [makeTerms, (text: string) => explainTableFilter(text, [], { t: String } as never)],
    [lineOf, parsePastedAddress],
    [
      (size, chance) => `https://a.example/?${repeatUnits(chance, size, ['a=', '&', '/', 'k3J9'])}`,
      extractKey,
    ],
  ]),
  workOf('a text of JSON', 14 * MIB, [
    [
      (size, chance) => `[${repeatUnits(chance, size, JSON_PARTS)}]`,
      async (text: string) => {
        const limits = { maxDepth: 64, maxValues: 400_000, maxMembers: 20_000 };
        await parseLargeJson(text, { limits, slices: slices() }).catch(ignoreInvalid);
      },
    ],
    [
      (size, chance) =>
        repeatUnits(chance, size, ['Zk3_0123456789ab', 'cdef0123456789aQ', '5a6b', '%5A', '\\u00']),
      (text: string) => redactText(text, 'Zk3_0123456789abcdef0123456789aQ', slices()),
    ],
  ]),
];

/** Only a query that was read has a result. */
function writeResult(text: string): string | undefined {
  const [found] = findQueries(text, file.path);
  if (!found || found.error) return undefined;
  return writeExpectation(text, file, { count: 1, hash: HASH } as never);
}

function ignoreInvalid(error: unknown): void {
  if (!(error instanceof SyntaxError)) throw error;
}
