import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareLogs,
  createLogStore,
  digestRows,
  isAppError,
  type Log,
  readRows,
} from '../../../../src/core/index.ts';
import { anyLog } from '../../../support/anyLogs.ts';
import { createTestClock } from '../../../support/clocks.ts';

const limits = { mostRows: 10_000, mostBytes: 1 << 24, clock: createTestClock() };

/** Logs that a store holds exactly, each at a place of its own. */
const anyRows = fc
  .uniqueArray(anyLog, {
    maxLength: 30,
    selector: ({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`,
  })
  .map((logs) =>
    logs
      .filter(({ blockNumber }) => blockNumber < 2n ** 53n)
      .map((log) => ({ ...log }))
      .toSorted(compareLogs),
  );

async function written(logs: readonly Log[], order: 'newestFirst' | 'oldestFirst' = 'oldestFirst') {
  const store = createLogStore();
  store.append(order === 'oldestFirst' ? logs : logs.toReversed());
  const pieces: Uint8Array[] = [];
  const sha256 = await digestRows(store, { order, onPiece: (piece) => void pieces.push(piece) });
  return { sha256, text: Buffer.concat(pieces) };
}

async function* inPieces(text: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

const refused = (kind: 'badLogs' | 'tooLarge') => (error: unknown) => isAppError(error, kind);

describe('rows that were kept', () => {
  it('are read as they were hashed, however they come in pieces and whichever end was read first', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRows,
        fc.integer({ min: 1, max: 2000 }),
        fc.constantFrom('newestFirst' as const, 'oldestFirst' as const),
        async (logs, size, order) => {
          const { sha256, text } = await written(logs, order);
          const rows = await readRows(inPieces(text, size), { sha256, ...limits });
          assert.deepEqual(rows.slice(0, rows.length), logs);
        },
      ),
    );
  });

  it('are refused once anything of them is another', async () => {
    const rows = anyRows.filter((logs) => logs.length > 0);
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(), fc.integer({ min: 0, max: 255 }), async (logs, place, byte) => {
        const { sha256, text } = await written(logs);
        const changed = Uint8Array.from(text);
        const at = place % text.length;
        changed[at] = byte;
        fc.pre(byte !== text[at]);
        await assert.rejects(readRows(inPieces(changed, 512), { sha256, ...limits }), refused('badLogs'));
        const cut = text.subarray(0, at);
        await assert.rejects(readRows(inPieces(cut, 512), { sha256, ...limits }), refused('badLogs'));
      }),
    );
  });

  it('are refused where they are in no order', async () => {
    const [a, b] =
      fc.sample(
        anyRows.filter((logs) => logs.length > 1),
        1,
      )[0] ?? assert.fail();
    const turned = [b, a].flatMap((log) => log ?? []);
    const { sha256, text } = await written(turned);
    await assert.rejects(readRows(inPieces(text, 512), { sha256, ...limits }), refused('badLogs'));
  });

  it('are read no further than they are wanted', async () => {
    const [logs = []] = fc.sample(
      anyRows.filter((rows) => rows.length > 2),
      1,
    );
    const { sha256, text } = await written(logs);
    const few = readRows(inPieces(text, 512), { sha256, ...limits, mostRows: 2 });
    await assert.rejects(few, refused('tooLarge'));
    const small = readRows(inPieces(text, 10), { sha256, ...limits, mostBytes: 100 });
    await assert.rejects(small, refused('tooLarge'));
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(1 << 20).fill(0x20);
    }
    const line = readRows(endless(), { sha256, ...limits, mostBytes: Number.MAX_SAFE_INTEGER });
    await assert.rejects(line, refused('tooLarge'));
  });
});
