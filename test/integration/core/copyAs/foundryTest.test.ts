import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasForge } from '../../../../scripts/support/foundry/forge.ts';
import {
  type AbiEvent,
  type CopyLog,
  type CopyResult,
  copyLogsTargets,
  createLogDecoder,
  type Log,
} from '../../../../src/core/index.ts';
import { arbitraryEvent, arbitraryLogOf } from '../../../support/abi/arbitraryAbi.ts';
import { type ForgeCase, runForgeTests } from '../../../support/copyAs/forgeProject.ts';
import { eventOf, logOfEvent } from '../../../support/eventLogs.ts';
import { runs } from '../../../support/fullRun.ts';

const network = { name: 'Local Node', chainId: 31337, rpcUrl: 'http://127.0.0.1:8545' };
const hand = (logs: readonly CopyLog[]): CopyResult =>
  copyLogsTargets[0]?.copy(logs, network) ?? assert.fail();

function decoded(event: AbiEvent, log: Log): CopyLog {
  const item = { item: event, origin: { trust: 'workspace', from: 'a test' } } as const;
  const lookup = { events: () => [item], errors: () => [], functions: () => [] };
  const known = createLogDecoder({ lookup: lookup as never, chainId: 31337 }).decode(log);
  return 'event' in known ? { log, known } : assert.fail(JSON.stringify(known.reason));
}

function textOf(handed: CopyResult): string {
  return 'text' in handed ? handed.text : assert.fail(handed.error);
}

const events = {
  transfer: eventOf('event Transfer(address indexed from, address indexed to, uint256 value)'),
  noted: eventOf('event Noted(string indexed note, uint256[] indexed list, int8 shift)'),
  filled: eventOf(
    'event Filled((address token, uint256[] amounts, (bytes4 tag, string why)[2] parts) order, (address token, uint256[] amounts, (bytes4 tag, string why)[2] parts)[] others, bytes20 indexed key)',
  ),
  bare: eventOf(
    'event Bare(address indexed who, uint256 indexed a, uint256 indexed b, bytes32 indexed c, bytes data) anonymous',
  ),
};
const who = `0x${'ab'.repeat(20)}` as const;
const order = [
  who,
  [1n, 2n],
  [
    ['0x12345678', 'a'],
    ['0xffffffff', '\u202e"\\\n*/ 😀'],
  ],
] as const;
const topic = (hex: string) => `0x${hex.padStart(64, '0')}` as const;

describe('Foundry test of logs', function foundry() {
  this.timeout(300_000);

  it('declares the event, and checks what the log tells', () => {
    const log = logOfEvent(events.transfer, [who, `0x${'cd'.repeat(20)}`, 125_000n]);
    const text = textOf(hand([decoded(events.transfer, log)]));
    assert.match(text, /event Transfer\(address indexed from, address indexed to, uint256 value\);/);
    assert.match(text, /vm\.expectEmit\(true, true, false, true, EMITTER\);/);
    assert.match(
      text,
      /emit Transfer\(0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB, 0x[\dA-Fa-f]{40}, 125000\);/,
    );
  });

  it('says which arguments are known by their hash alone, and does not compare them', () => {
    const log = logOfEvent(events.noted, ['hello', 5n, -3n]);
    const text = textOf(hand([decoded(events.noted, log)]));
    assert.match(text, /only the hash of note, list, which is not compared/);
    assert.match(text, /vm\.expectEmit\(false, false, false, true, EMITTER\);/);
  });

  it('refuses what no contract can declare, and too many', () => {
    const other = eventOf('event Transfer(address indexed from, address indexed to, uint256 indexed id)');
    const [one, two] = [
      decoded(events.transfer, logOfEvent(events.transfer, [who, who, 1n])),
      decoded(other, logOfEvent(other, [who, who, 1n])),
    ];
    assert.deepEqual(hand([one, two]), { error: 'layouts' });
    assert.deepEqual(hand(Array.from({ length: 51 }, () => one)), { error: 'tooLong' });
    const reserved = eventOf('event mapping(uint256 a)');
    assert.deepEqual(hand([decoded(reserved, logOfEvent(reserved, [1n]))]), { error: 'name' });
    const own = eventOf('event vm(uint256 a)');
    assert.deepEqual(hand([decoded(own, logOfEvent(own, [1n]))]), { error: 'name' });
    const call = eventOf('event Called(function f)');
    assert.deepEqual(hand([decoded(call, logOfEvent(call, [`0x${'11'.repeat(24)}`]))]), { error: 'type' });
  });

  if (hasForge()) {
    it('passes with forge where the log is emitted, also one of any kind, and fails where another one is', async () => {
      const transfer = logOfEvent(events.transfer, [who, `0x${'cd'.repeat(20)}`, 125_000n]);
      const noted = logOfEvent(events.noted, ['hello', 5n, -3n]);
      const filled = logOfEvent(events.filled, [
        order,
        [order, order],
        topic(`${'77'.repeat(20)}${'00'.repeat(12)}`),
      ]);
      const bare = logOfEvent(events.bare, [who, 1n, 2n, topic('3'), '0x0102']);
      const elsewhere = { ...transfer, address: `0x${'0e'.repeat(20)}` } as const;
      const [t, n, f, b, e] = [
        decoded(events.transfer, transfer),
        decoded(events.noted, noted),
        decoded(events.filled, filled),
        decoded(events.bare, bare),
        decoded(events.transfer, elsewhere),
      ];
      const wrong = logOfEvent(events.transfer, [who, `0x${'cd'.repeat(20)}`, 125_001n]);
      const cases: readonly (ForgeCase & { readonly passes: boolean })[] = [
        { text: textOf(hand([t])), logs: [transfer], passes: true },
        { text: textOf(hand([n])), logs: [noted], passes: true },
        { text: textOf(hand([f])), logs: [filled], passes: true },
        { text: textOf(hand([b])), logs: [bare], passes: true },
        { text: textOf(hand([t, n, f, e])), logs: [transfer, noted, filled, elsewhere], passes: true },
        { text: textOf(hand([t])), logs: [wrong], passes: false },
        { text: textOf(hand([t])), logs: [elsewhere], passes: false },
        { text: textOf(hand([t, e])), logs: [elsewhere, transfer], passes: false },
        { text: textOf(hand([b])), logs: [{ ...bare, data: `0x${bare.data.slice(4)}01` }], passes: false },
      ];
      const place = logOfEvent(events.transfer, [who, who, 1n]);
      const made = fc
        .sample(
          arbitraryEvent.chain((event) => arbitraryLogOf(event)),
          { numRuns: runs(80), seed: 7 },
        )
        .map(({ event, topics, data }) => {
          const log: Log = { ...place, topics, data };
          return { log, handed: hand([decoded(event, log)]) };
        });
      const others = made.flatMap(({ log, handed }) =>
        'text' in handed ? [{ text: handed.text, logs: [log], passes: true }] : [],
      );
      assert.ok(others.length > made.length / 2, `${others.length}`);
      // One build for all.
      const all = [...cases, ...others];
      const passed = await runForgeTests(all);
      for (const [index, { text, passes }] of all.entries()) assert.equal(passed[index], passes, text);
    });
  }
});
