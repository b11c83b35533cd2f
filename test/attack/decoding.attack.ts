import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileEvent } from '../../src/core/abi/eventDecoder.ts';
import { formatAbiItem } from '../../src/core/abi/item.ts';
import {
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

const known = await knownEvents();
assert.ok(known.length > 300, `${known.length} events`);
/** One test for each, or in the short form one for all. */
const groups = campaign.short
  ? [[`${known.length} events`, known] as const]
  : known.map((event) => [formatAbiItem(event).slice(6), [event]] as const);

describe('decoding', () => {
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
});

/** Nothing thrown, nothing wrong, and in a long campaign in time: the least of a few tries, as the machine may be busy. */
function withstands(log: MadeLog): void {
  isNeverWrong(log);
  if (campaign.short) return;
  const decode = compileEvent(log.event);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least > MAX_MS; tries++) {
    const started = performance.now();
    decode(log);
    least = Math.min(least, performance.now() - started);
  }
  assert.ok(least <= MAX_MS, `${least} ms`);
}
