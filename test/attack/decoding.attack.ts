import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileEvent } from '../../src/core/abi/eventDecoder.ts';
import { type AbiEvent, formatAbiItem, parseAbiItem } from '../../src/core/abi/item.ts';
import {
  arbitraryEvent,
  arbitraryLogOf,
  equalsViem,
  isNeverWrong,
  type MadeLog,
  mutated,
} from '../support/abi/arbitraryAbi.ts';
import { knownEvents } from '../support/abi/knownEvents.ts';
import { campaign } from './support/campaign.ts';

const runs = { seed: campaign.seed, numRuns: campaign.short ? 200 : 10_000 };
/** Of each of some hundred events. */
const runsOfEach = { ...runs, numRuns: campaign.short ? 10 : 10_000 };
const mutantsOfEach = { ...runs, numRuns: campaign.short ? 10 : 1_000 };
/** What one log may take, so that a screen of them stays within a frame or two. */
const MAX_MS = 5;

/** One of each kind of event, and what is hard to decode. */
const events = [
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event URI(string value, uint256 indexed id)',
  'event ProposalCreated(uint256 id, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 start, uint256 end, string description)',
  'event Moved(int24 tick, int256 amount0, int256 amount1, uint160 price, uint128 liquidity)',
  'event Order((address token, (uint256 id, bytes data)[] items, string[2] notes)[] indexed offer, (uint8 kind, (bool on, bytes4 id)[3] flags, (string text, int16[][2] grid)[] rows) order)',
  'event Deep((((bytes[] a, string b)[2] c, uint64 d)[] e)[] f, uint8[2][][3] g)',
  'event Word(bytes32 indexed a, bytes1 b, bool indexed c, function d)',
  'event Empty()',
  'event Raw(address indexed a, uint256 indexed b, string indexed c, bytes32 indexed d, bytes e) anonymous',
  'event Bare(uint256[] list) anonymous',
];

const known = await knownEvents();
assert.ok(known.length > 300, `${known.length} events`);
/** One test for each, or in the short form one for all. */
const groups = campaign.short
  ? [[`${known.length} events`, known] as const]
  : known.map((event) => [formatAbiItem(event).slice(6), [event]] as const);

describe('decoding', () => {
  for (const text of events) {
    const event = parseAbiItem(text) as AbiEvent;
    it(`gives what viem gives: ${text.slice(6, 80)}`, () => {
      fc.assert(fc.property(arbitraryLogOf(event), equalsViem), runs);
    });

    it(`withstands broken logs: ${text.slice(6, 80)}`, () => {
      fc.assert(fc.property(mutated(arbitraryLogOf(event)), withstands), runs);
    });
  }

  describe('of what is in the bundled lists and in projects', () => {
    for (const [name, events] of groups) {
      it(name, () => {
        for (const event of events) {
          fc.assert(fc.property(arbitraryLogOf(event), equalsViem), runsOfEach);
          fc.assert(fc.property(mutated(arbitraryLogOf(event)), withstands), mutantsOfEach);
        }
      });
    }
  });

  it('gives what viem gives, whatever the event is', () => {
    fc.assert(fc.property(arbitraryEvent.chain(arbitraryLogOf), equalsViem), runs);
  });

  it('withstands broken logs, whatever the event is', () => {
    fc.assert(fc.property(mutated(arbitraryEvent.chain(arbitraryLogOf)), withstands), runs);
  });
});

/** Nothing thrown, nothing wrong, and in time: the least of a few tries, as the machine may be busy. */
function withstands(log: MadeLog): void {
  isNeverWrong(log);
  const decode = compileEvent(log.event);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least > MAX_MS; tries++) {
    const started = performance.now();
    decode(log);
    least = Math.min(least, performance.now() - started);
  }
  assert.ok(least <= MAX_MS, `${least} ms`);
}
