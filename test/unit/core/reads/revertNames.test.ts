import assert from 'node:assert/strict';
import {
  AppError,
  createAbiLookup,
  type Hex,
  isAppError,
  parseAbiItem,
  readView,
} from '../../../../src/core/index.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';
import { addressOf } from '../../../support/transactions.ts';

const origin = { trust: 'signatures', from: 'names.example', contract: undefined, line: undefined } as const;
const CLOSED = 'error Closed(uint256 until)';

/** The message of a view that reverts with this data, and the selectors that are looked up. */
async function read(data: Hex | undefined) {
  const asked: (readonly Hex[])[] = [];
  let lookup = createAbiLookup([{ text: 'error Early()', origin }]);
  const item = parseAbiItem('function count() view returns (uint256)');
  if (item?.kind !== 'function') return assert.fail();
  const error = await readView(
    { address: addressOf(1), item, args: [], block: 5n },
    {
      chainId: 1,
      client: {
        callAtBlock: async () => {
          throw new AppError('reverted', 'The call reverted.', { data });
        },
        fetchImplementations: async () => [],
        getCode: async () => '0x',
        requireCode: async () => undefined,
      },
      lookup: {
        events: () => [],
        functions: () => [],
        errors: (selector) => lookup.errors(selector),
      },
      async prefetchSelectors(selectors) {
        asked.push(selectors);
        lookup = createAbiLookup([{ text: CLOSED, origin }]);
      },
    },
  ).catch((cause: unknown) => cause);
  return isAppError(error, 'reverted') ? { message: error.message, asked } : assert.fail(String(error));
}

describe('the error of a view that reverts', () => {
  it('is named by its selector where nothing else explains it', async () => {
    const data = encodeItem(CLOSED, 9n);
    assert.deepEqual(await read(data), {
      message: 'The call reverted: Closed(until: 9).',
      asked: [[data.slice(0, 10)]],
    });
  });

  it('is looked up nowhere if it is known, or has no selector', async () => {
    const known = await read(encodeItem('error Early()'));
    assert.deepEqual(known, { message: 'The call reverted: Early().', asked: [] });
    const text = await read(encodeItem('error Error(string)', 'closed'));
    assert.deepEqual(text, { message: 'The call reverted: "closed".', asked: [] });
    for (const data of [undefined, '0x'] as const) {
      assert.deepEqual(await read(data), { message: 'The call reverted.', asked: [] });
    }
    const short = await read('0x1234');
    assert.deepEqual(short, { message: 'The call reverted with an unknown error: 0x1234.', asked: [] });
  });
});
