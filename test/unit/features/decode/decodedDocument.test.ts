import assert from 'node:assert/strict';
import {
  type AbiLookup,
  createLogDecoder,
  createTimeSlices,
  explainHex,
  type Hex,
  loadStandardLookup,
  mergeLookups,
  systemClock,
  toChecksumAddress,
  transferEvents,
} from '../../../../src/core/index.ts';
import {
  createHexDocument,
  createLogsDocument,
  type DecodingContext,
} from '../../../../src/features/decode/decodedDocument.ts';
import { findHexItems, findLogItems } from '../../../../src/features/decode/findItems.ts';
import { createMeaningLines } from '../../../../src/features/decode/formatMeaning.ts';
import { createWording, encodeItem, lookupOf } from '../../../support/decodingStubs.ts';

const TREASURY = `0x${'5a'.repeat(20)}` as const;
const TREASURY_WORDS = `Treasury (${toChecksumAddress(TREASURY)})`;
const word = (last: string) => last.replace(/^0x/, '').padStart(64, '0');
const wording = createWording(TREASURY);

const UNPAID = 'error Unpaid((address payer, uint256 amount) order, uint256[] parts)';
const EXECUTE = 'function execute(address to, uint256 value, bytes data)';
const CALL = encodeItem('function transfer(address to, uint256 value)', TREASURY, 12_500n);

/** The code `baseapp` in schema 0 of ERC-8021. */
const ATTRIBUTION = '62617365617070070080218021802180218021802180218021';

describe('Decoded hex', () => {
  let lookup: AbiLookup;
  before(async () => {
    lookup = mergeLookups(lookupOf(UNPAID, EXECUTE), await loadStandardLookup());
  });

  const decoding = (): DecodingContext => ({
    ...{ lookup, format: wording, help: 'Build the project.', intro: ['Decoded'] },
    decoder: createLogDecoder({ lookup, chainId: 1 }),
    chainId: 1,
    slices: createTimeSlices(systemClock),
  });

  describe('in a document', () => {
    const written = (lines: Awaited<ReturnType<typeof createHexDocument>>) =>
      lines
        .slice(2)
        .map(({ level, text }) => '  '.repeat(level) + text)
        .join('\n')
        .trimEnd();
    const hexes = async (text: string) => written(await createHexDocument(findHexItems(text, 1), decoding()));
    /** Without its first line, which is the hex. */
    const meaning = async (hex: string) => (await hexes(hex)).split('\n').slice(1).join('\n');
    const logs = async (value: unknown) =>
      written(await createLogsDocument(findLogItems(JSON.stringify(value)) ?? [], decoding()));

    it('is a call with its source, its arguments exact and readable, addresses by their names', async () => {
      assert.equal(
        await hexes(`call\n${CALL} again ${CALL}`),
        [
          `line 2 · 2 times · 68 bytes · ${CALL}`,
          '  Call to function transfer(address to, uint256 value) returns (bool)',
          '    Source: bundled list ERC-20',
          `    to address = ${TREASURY_WORDS}`,
          '    value uint256 = 12,500',
        ].join('\n'),
      );
    });

    it('is a revert with a tree of its tuples and arrays', async () => {
      assert.equal(
        await meaning(encodeItem(UNPAID, [TREASURY, 5n], [1n, 2n])),
        [
          `  Reverted with ${UNPAID}`,
          '    Defined in Shop in src/Shop.sol:7',
          '    order (address,uint256)',
          `      payer address = ${TREASURY_WORDS}`,
          '      amount uint256 = 5',
          '    parts uint256[]',
          '      [0] uint256 = 1',
          '      [1] uint256 = 2',
        ].join('\n'),
      );
    });

    it('says what a reason and a panic mean', async () => {
      const error = await meaning(encodeItem('error Error(string message)', 'not enough'));
      assert.match(error, /Source: Solidity\n {4}message string = "not enough"/);
      const panic = await meaning(encodeItem('error Panic(uint256 code)', 0x11n));
      assert.match(panic, /Meaning: an integer overflowed or underflowed\n {4}code uint256 = 17/);
    });

    it('has the calls of a multicall under the bytes that they are', async () => {
      const text = await meaning(encodeItem('function multicall(bytes[] data)', [CALL, '0x12']));
      assert.match(text, /\n {6}in data\[0\]:\n {8}Call to function transfer/);
      assert.doesNotMatch(text, /in data\[1\]/);
    });

    it('tells all that a topic0 may be, and what a known word is the hash of', async () => {
      const topic = await meaning(transferEvents.transfer.topic0);
      assert.match(topic, /uint256 value\)\n {4}Source: bundled list ERC-20\n/);
      assert.match(topic, /uint256 indexed tokenId\)\n {4}Source: bundled list ERC-721$/);
      const role = '0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6';
      assert.equal(await meaning(role), '  keccak256("MINTER_ROLE")');
    });

    it('reads words without a selector as what they may be', async () => {
      assert.match(await meaning(`0x${word(TREASURY)}`), /^ {2}May be address = Treasury/);
      assert.match(await meaning(`0x${word('7')}`), /^ {2}May be uint256 = 7$/);
      const hash = /^ {2}May be the hash of a transaction or block\n {2}May be uint256 = 70,/;
      assert.match(await meaning(`0x${'9c'.repeat(32)}`), hash);
      const text = await meaning(`0x${word(TREASURY)}${word('7')}`);
      assert.match(text, /Words with .*\n {4}\[0\] address = Treasury .*\n {4}\[1\] uint256 = 7$/);
      const hello = `0x${word('20')}${word('5')}${'68656c6c6f'.padEnd(64, '0')}`;
      assert.match(await meaning(hello), /^ {2}ABI-encoded string = "hello"/);
    });

    it('says why nothing is known, and what would help where that would', async () => {
      assert.equal(
        await meaning('0x12345678'),
        '  No known function or error has the selector 0x12345678.\n  Build the project.',
      );
      assert.equal(await meaning('0x123'), '  Not hex: expected 0x and an even number of hex digits.');
      assert.match(await meaning(TREASURY), /^ {2}20 bytes, which is an address[^\n]*$/);
      assert.match(
        await meaning(CALL.slice(0, -2)),
        /selector of function transfer.*\n.*\n.*Arguments do not match: /,
      );
      assert.match(
        await meaning(`0x12345678${ATTRIBUTION}`),
        /ends with an ERC-8021 attribution\.\n {2}Attribution \(ERC-8021\): baseapp\n/,
      );
    });

    it('cuts what is long, and says how long it is', async () => {
      const bytes: Hex = `0x${'ab'.repeat(40_000)}`;
      const text = await meaning(encodeItem('error Error(string message)', 'x'.repeat(100_000)));
      assert.ok(text.length < 40_000, `${text.length}`);
      const numbers = Array.from({ length: 2000 }, () => 1n);
      const call = encodeItem(UNPAID, [TREASURY, 5n], numbers);
      assert.match(await meaning(call), /\[499\] uint256 = 1\n {6}and 1500 more$/);
      assert.match(await meaning(encodeItem(EXECUTE, TREASURY, 0n, bytes)), /ab…\n {6}40,000 bytes in total/);
    });

    it('is a log by its event, with who emitted it, or why it stays raw', async () => {
      const topics = [transferEvents.transfer.topic0, `0x${word(TREASURY)}`, `0x${word('1')}`];
      const text = await logs([
        { address: TREASURY, topics, data: `0x${word('7')}` },
        { topics: [`0x${'12'.repeat(32)}`], data: '0x' },
      ]);
      assert.match(
        text,
        /^Log from Treasury 0x.*\n {2}event Transfer\(.*\n {4}Source: bundled list ERC-20\n/,
      );
      assert.match(text, /from address = Treasury .*\n.*to address = .*\n {4}value uint256 = 7\n/);
      assert.match(text, /\nLog\n {2}0x1212\w+: no known event has this topic0\.\n {2}Build the project\.$/);
    });
  });

  describe('in a hover', () => {
    const lines = (hex: Hex, known = lookup) =>
      createMeaningLines(explainHex(hex, { lookup: known }), wording).map((line) =>
        line
          .map((piece) => {
            if (typeof piece === 'string') return piece;
            if ('level' in piece) return `${'  '.repeat(piece.level)}-`;
            if ('strong' in piece) return `*${piece.strong}*`;
            if ('title' in piece) return `[${piece.title}]`;
            return 'icon' in piece ? `$${piece.icon}` : '';
          })
          .join(' '),
      );

    it('has the best meaning with its arguments, one a row, and what is nested below', () => {
      assert.deepEqual(lines(encodeItem('function multicall(bytes[] data)', [CALL])), [
        '$symbol-method Call to *function multicall(bytes[] data) returns (bytes[] results)* · bundled list Multicall',
        `  - *data* bytes[] = [${CALL.slice(0, 39)}…`,
        '    - data[0]',
        '      - $symbol-method Call to *function transfer(address to, uint256 value) returns (bool)* · bundled list ERC-20',
        `        - *to* address = ${TREASURY_WORDS}`,
        '        - *value* uint256 = 12,500',
      ]);
    });

    it('has the bytes behind the arguments of a call', () => {
      assert.equal(lines(`${CALL}07`).at(-1), '  - 1 byte behind the arguments · 0x07');
      const attributed = lines(`${CALL as '0x'}${ATTRIBUTION}`).at(-1);
      assert.equal(attributed, '  - 25 bytes behind the arguments · Attribution (ERC-8021): baseapp');
    });

    it('has no more rows than one looks at, whatever the data is', () => {
      const many = encodeItem(
        'function multicall(bytes[] data)',
        Array.from({ length: 200 }, () => CALL),
      );
      assert.ok(lines(many).length <= 22);
      assert.ok(lines(many).every((line) => line.length < 600));
    });

    it('says of what does not fit that it does not, and nothing of it where something fits', () => {
      const [heading, reason, ...others] = lines(CALL.slice(0, -2) as Hex);
      assert.match(heading ?? '', /^\$symbol-method Begins with the selector of \*function transfer/);
      assert.match(reason ?? '', /^ {2}- arguments do not match: /);
      assert.deepEqual(others, []);
      // Four bytes that two functions share.
      const both = mergeLookups(lookupOf('function many_msg_babbage(bytes1 message)'), lookup);
      assert.equal(explainHex(CALL, { lookup: both }).length, 2);
      assert.equal(lines(CALL, both).length, 3);
      assert.match(lines('0xa9059cbb', both).join(), /many_msg_babbage.*transfer/);
    });
  });
});
