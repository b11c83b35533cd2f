import assert from 'node:assert/strict';
import { createMessage } from '../../../../src/core/base/text.ts';
import {
  createLogDecoder,
  createTimeSlices,
  type Simulation,
  type SimulationPoint,
  systemClock,
} from '../../../../src/core/index.ts';
import type { CallFrame } from '../../../../src/core/traces/callFrame.ts';
import { explainTrace } from '../../../../src/core/traces/explainTrace.ts';
import {
  createSimulationDocument,
  type SimulationParts,
} from '../../../../src/features/decode/formatSimulation.ts';
import { formatShownKey, parseShownKey } from '../../../../src/features/decode/shownKey.ts';
import { createWording, encodeItem, frameOf, lookupOf } from '../../../support/decodingStubs.ts';
import { anyNetwork } from '../../../support/stubs.ts';
import { addressOf, hashOf, transactionOf } from '../../../support/transactions.ts';

const PAY = 'function pay(uint256 price)';
const ERROR = 'error Unpaid(uint256 missing)';
const network = anyNetwork(5, { name: 'Test Node', symbol: 'HBR' });
const failed = transactionOf({ status: 'failed', input: encodeItem(PAY, 5n), gasLimit: 50_000n });
const reverted = { error: 'execution reverted', output: encodeItem(ERROR, 7n) };
const lookup = lookupOf(PAY, ERROR);

async function simulate(
  frame: Partial<CallFrame>,
  { after = 4n, isOwnState = true, method = 'debug_traceCall' as const } = {},
): Promise<Simulation> {
  const root = await explainTrace(frameOf({ input: failed.input, ...frame }), {
    ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 5 }), chainId: 5 },
    ...{ contracts: new Map(), slices: createTimeSlices(systemClock) },
    transaction: { block: undefined, position: undefined, logs: undefined },
  });
  const trace = {
    state: 'told',
    root,
    cutReason: undefined,
    hasLogs: true,
    method,
    failedAt: undefined,
  } as const;
  return { call: { ...failed, after }, isOwnState, trace };
}

function textOf(
  simulation: Simulation | undefined,
  point: Exclude<SimulationPoint, bigint> = 'own',
  transaction: SimulationParts['transaction'] = failed,
): string {
  const format = createWording(addressOf(1));
  const parts = { call: failed, simulation, transaction, point, network, format, uriOf: () => undefined };
  return createSimulationDocument(parts)
    .map(({ level, text }) => `${'  '.repeat(level)}${text}`)
    .join('\n');
}

describe('the document of a simulation', () => {
  it('says what it is, on which state it ran, and why it would fail', async () => {
    const text = textOf(await simulate(reverted));
    assert.match(text, new RegExp(`^Simulation of transaction ${hashOf(1)} on Test Node\n`));
    assert.match(text, /\nThe node ran the call, .* Nothing was sent to the chain\.\n/);
    assert.match(text, /\nStatus: Would fail\nState: after block 4, as it was for the transaction/);
    assert.match(text, /\nGas limit: 50,000\nMethod: debug_traceCall\n/);
    assert.match(
      text,
      /\nWhy it would fail\n {2}Reverted with error Unpaid\(uint256 missing\)\n[\s\S]* = 7\n/,
    );
    assert.match(text, /\nCalls\n {2}CALL .*\.pay\(price: 5\) · 21,000 gas · Unpaid\(missing: 7\)$/);
  });

  it('says what is not the same as for the transaction', async () => {
    const second = textOf(await simulate(reverted, { isOwnState: false }));
    assert.match(second, /State: after block 4, without the earlier transactions of its block\n/);
    const latest = textOf(await simulate(reverted, { after: 1_234n, isOwnState: false }), 'latest');
    assert.match(latest, /State: after block 1,234, the latest\n/);
  });

  it('names likely causes where it succeeds', async () => {
    const own = textOf(await simulate({ output: '0x' }));
    assert.match(
      own,
      /Status: Would succeed\n[\s\S]*Earlier transactions of its block, or the number and time/,
    );
    const latest = textOf(await simulate({ output: '0x' }), 'latest');
    assert.match(latest, /The transaction failed\. State, time or balances have changed since\./);
    const mined = textOf(await simulate({ output: '0x' }), 'own', { ...failed, status: 'success' });
    assert.doesNotMatch(mined, /The transaction failed/);
  });

  it('says that nothing is known, and why', async () => {
    assert.match(textOf(undefined), /Status: Unknown\n[\s\S]*\nThe endpoint took too long\.$/);
    const { call } = await simulate({});
    const trace = { state: 'notOffered', reason: createMessage('The node is pruned.') } as const;
    assert.match(
      textOf({ call, isOwnState: true, trace }),
      /Status: Unknown\n[\s\S]*\nThe node is pruned\.$/,
    );
  });
});

describe('the key of a document', () => {
  it('brings back a transaction, a simulation and a call', () => {
    const call = {
      from: addressOf(1),
      to: addressOf(2),
      input: '0x12345678',
      value: 5n,
      gasLimit: 9n,
    } as const;
    for (const shown of [{ hash: hashOf(1) }, { hash: hashOf(1), simulate: 'latest' }, { call }] as const) {
      const key = formatShownKey(shown, network) ?? assert.fail('It is too long.');
      assert.deepEqual(
        JSON.parse(JSON.stringify(parseShownKey(key)?.shown, stringify)),
        JSON.parse(JSON.stringify(shown, stringify)),
      );
    }
    const long = { call: { ...call, input: `0x${'12'.repeat(20_000)}` } } as const;
    assert.equal(formatShownKey(long, network), undefined);
  });

  it('from elsewhere is refused unless it is whole', () => {
    for (const key of [
      '',
      '{}',
      '{"hash":"0x12","chain":"","network":""}',
      '{"call":{"to":"0x1","data":"0x"},"chain":"","network":""}',
    ])
      assert.equal(parseShownKey(key), undefined);
  });
});

const stringify = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
