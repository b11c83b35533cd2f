import assert from 'node:assert/strict';
import { formatMessage } from '../../../../src/core/base/text.ts';
import {
  createAbiLookup,
  createChainClient,
  createLogDecoder,
  createSignatureCache,
  createTimeSlices,
  type ExplainedFrame,
  type Hex,
  mergeLookups,
  type SignatureProvider,
  systemClock,
  traceTransaction,
} from '../../../../src/core/index.ts';
import { encodeItem } from '../../../support/decodingStubs.ts';
import { createNodeFetch } from '../../../support/operationDeps.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const [KNOWN, PULL, CLOSED] = [
  'function pay(uint256 amount)',
  'function pull(address,uint256)',
  'error Closed(uint256)',
];
const pull = encodeItem(PULL, addressOf(3), 5n);
const closed = encodeItem(CLOSED, 7n);
const origin = { trust: 'workspace', from: 'src/Shop.sol', contract: 'Shop', line: 1 } as const;

const call = (more: object) => ({ type: 'CALL', from: addressOf(1), to: addressOf(2), input: '0x', ...more });
const root = call({
  ...{ input: encodeItem(KNOWN, 1n), error: 'execution reverted', output: closed },
  calls: [
    call({ input: pull }),
    call({ to: addressOf(3), input: pull, error: 'execution reverted', output: closed }),
    call({ to: `0x${'1'.padStart(40, '0')}`, input: `0x${'99'.repeat(128)}` }),
    call({ type: 'CREATE', input: '0x6080604052', output: '0x6080' }),
  ],
});

/** The trace of a transaction, and what the provider of names was asked for. */
async function trace({ isAllowed = true, frame = root }: { isAllowed?: boolean; frame?: object } = {}) {
  const asked: (readonly Hex[])[] = [];
  const source: SignatureProvider = {
    label: { name: 'signatures', origin: 'https://names.example', takesKey: false },
    offers: { names: 'free' },
    async names({ selectors }) {
      asked.push(selectors);
      const names = [PULL, CLOSED].map((item) => item.slice(item.indexOf(' ') + 1));
      const found = [pull, closed].map((data, place) => {
        const name = { signature: names[place] ?? '', isVerified: false };
        return [data.slice(0, 10) as Hex, [name]] as const;
      });
      return { source: this.label, readAt: 0, events: new Map(), selectors: new Map(found) };
    },
  };
  const cache = createSignatureCache();
  const lookup = mergeLookups(createAbiLookup([{ text: KNOWN, origin }]), cache.lookup);
  const { fetch } = createNodeFetch([], {
    other: (method) => (method === 'debug_traceTransaction' ? frame : undefined),
  });
  const traced = await traceTransaction(transactionOf({ status: 'failed' }), {
    client: createChainClient({ fetch, clock: systemClock, url: 'http://127.0.0.1:1' }),
    ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 1 }), chainId: 1 },
    ...{ index: undefined, files: undefined, prefetchAbis: async () => undefined },
    ...(isAllowed && {
      prefetchSelectors: (selectors) => cache.prefetch({ events: new Map(), selectors }, { source }),
    }),
    slices: createTimeSlices(systemClock),
  });
  return traced.state === 'told' ? { root: traced.root, asked } : assert.fail(formatMessage(traced.reason));
}

const nameOf = (meaning: ExplainedFrame['call'] | ExplainedFrame['revert']) =>
  meaning && 'item' in meaning ? meaning.item.signature : undefined;

describe('names of functions and errors in a trace', () => {
  it('come from one request for those that nothing explains, errors first, without precompiles', async () => {
    const { root: explained, asked } = await trace();
    assert.deepEqual(asked, [[closed.slice(0, 10), pull.slice(0, 10)]]);
    assert.deepEqual([nameOf(explained.call), nameOf(explained.revert)], ['pay(uint256)', 'Closed(uint256)']);
    const [first, second, precompile] = explained.calls;
    assert.deepEqual(
      [nameOf(first?.call), nameOf(second?.call), nameOf(second?.revert)],
      ['pull(address,uint256)', 'pull(address,uint256)', 'Closed(uint256)'],
    );
    assert.equal(precompile?.call, undefined);
  });

  it('are looked up by nobody where all is known, or no provider is allowed', async () => {
    const known = call({ input: encodeItem(KNOWN, 1n) });
    assert.deepEqual((await trace({ frame: known })).asked, []);
    const { root: explained, asked } = await trace({ isAllowed: false });
    assert.deepEqual([asked, nameOf(explained.revert)], [[], undefined]);
  });
});
