import assert from 'node:assert/strict';
import { encodeLogs, exportFormats, type Log } from '../../../../src/core/index.ts';
import { encodeFile, toAsyncIterable } from '../../../support/encodedFile.ts';

const hash = `0x${'ab'.repeat(32)}` as const;
const log: Log = {
  address: `0x${'cd'.repeat(20)}`,
  topics: [hash],
  data: '0x',
  ...{ blockNumber: 7n, blockHash: hash, logIndex: 0, transactionHash: hash, transactionIndex: 0 },
};

describe('formats of exports', () => {
  for (const { id, label, extension, columns, purpose } of exportFormats) {
    it(`write ${label}, and tell all that is recorded and shown of it`, async () => {
      const file = Buffer.from(await encodeFile(id, [[log]])).toString('latin1');
      assert.deepEqual(
        columns().filter((column) => !file.includes(column)),
        [],
      );
      assert.match(extension, /^[a-z0-9]+$/);
      assert.equal(purpose({ t: (message) => `<${message}>` })[0], '<');
    });
  }

  it('have each a name and an extension of their own', () => {
    for (const key of ['id', 'label', 'extension'] as const) {
      assert.equal(new Set(exportFormats.map((format) => format[key])).size, exportFormats.length);
    }
  });

  it('refuse one that is not among them by the name of the field', () => {
    const unknown = 'xlsx' as 'csv';
    assert.throws(() => encodeLogs(unknown, toAsyncIterable([])), {
      kind: 'badInput',
      details: { field: 'format' },
    });
  });
});
