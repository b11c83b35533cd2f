import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonFields } from '../../../../src/core/export/textFormats.ts';
import { logToJson } from '../../../../src/core/index.ts';
import { anyLog, anyPages } from '../../../support/anyLogs.ts';
import { encodeFile } from '../../../support/encodedFile.ts';

const textOf = async (...file: Parameters<typeof encodeFile>) =>
  new TextDecoder().decode(await encodeFile(...file));

describe('JSON of logs', () => {
  it('is the result of eth_getLogs', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const text = await textOf('json', pages);
        assert.deepEqual(JSON.parse(text), pages.flat().map(logToJson));
        assert.ok(text.endsWith(']\n'));
      }),
    );
  });

  it('is an object a line as NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, async (pages) => {
        const lines = (await textOf('ndjson', pages)).split('\n');
        assert.equal(lines.pop(), '');
        assert.deepEqual(
          lines.map((line) => JSON.parse(line)),
          pages.flat().map(logToJson),
        );
      }),
    );
  });

  it('has the fields that are told of it', () => {
    const [log] = fc.sample(anyLog, 1);
    assert.ok(log);
    assert.deepEqual(Object.keys(logToJson(log)), jsonFields);
  });
});
