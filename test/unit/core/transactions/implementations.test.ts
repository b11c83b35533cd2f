import assert from 'node:assert/strict';
import { hashSignature } from '../../../../src/core/eth/keccak.ts';
import {
  type AbiLookup,
  type Address,
  AppError,
  createAbiLookup,
  createLogDecoder,
  createTimeSlices,
  explainTransaction,
  type Hex,
  type HexMeaning,
  systemClock,
  type Transaction,
} from '../../../../src/core/index.ts';
import { explainTrace } from '../../../../src/core/traces/explainTrace.ts';
import { encodeItem, frameOf } from '../../../support/decodingStubs.ts';
import { addressOf, transactionOf } from '../../../support/transactions.ts';

const [proxy, v1, v2] = [addressOf(2), addressOf(3), addressOf(4)];
const ERROR = 'error Insufficient(uint256 missing)';
const WITHDRAW = 'function withdraw(uint256 amount)';
const UPGRADED = hashSignature('Upgraded(address)');

const itemsOf = (contract: string, trust: 'deployment' | 'workspace') =>
  createAbiLookup(
    [ERROR, WITHDRAW].map((text) => ({
      text,
      origin: { trust, from: `src/${contract}.sol`, contract, line: 32 },
    })),
  );
const deployed = new Map<Address, AbiLookup>([
  [v1, itemsOf('Vault', 'deployment')],
  [v2, itemsOf('VaultV2', 'deployment')],
]);
const workspace = [itemsOf('Vault', 'workspace'), itemsOf('VaultV2', 'workspace')];
/** Two versions declare the same error and function, and both are deployed. */
const lookup: AbiLookup = {
  events: () => [],
  errors: (selector, at) =>
    [...(at ? [deployed.get(at.address)] : []), ...workspace].flatMap((one) => one?.errors(selector) ?? []),
  functions: (selector, at) =>
    [...(at ? [deployed.get(at.address)] : []), ...workspace].flatMap(
      (one) => one?.functions(selector) ?? [],
    ),
};
const data = encodeItem(ERROR, 7n);
const input = encodeItem(WITHDRAW, 5n);
const failed: Partial<Transaction> = {
  ...{ to: proxy, input, block: 38n, status: 'failed' },
  failure: { state: 'told', by: 'replay', data, isCut: false, message: 'execution reverted' },
};

function fileOf(meaning: HexMeaning | undefined): string | undefined {
  return meaning && 'origin' in meaning ? meaning.origin.from : undefined;
}

/** @param upgradedIn V2 runs after this block. */
async function filesOf(facts: Partial<Transaction>, upgradedIn: bigint) {
  const { call, revert, implementations } = await explainTransaction(transactionOf(facts), {
    ...{ lookup, chainId: 1, slices: createTimeSlices(systemClock) },
    fetchImplementations: async (address, block) => {
      assert.equal(address, proxy);
      return [block >= upgradedIn ? v2 : v1];
    },
  });
  return { call: fileOf(call[0]), revert: fileOf(revert[0]), implementations };
}

describe('functions and errors of a proxy', () => {
  it('are those of the code in force in the block', async () => {
    const inV2 = await filesOf(failed, 20n);
    assert.deepEqual(inV2, { call: 'src/VaultV2.sol', revert: 'src/VaultV2.sol', implementations: [v2] });
    const inV1 = await filesOf(failed, 40n);
    assert.deepEqual(inV1, { call: 'src/Vault.sol', revert: 'src/Vault.sol', implementations: [v1] });
  });

  it('are those before its block for a transaction that upgrades it', async () => {
    const log = {
      address: proxy,
      topics: [UPGRADED, `0x${v2.slice(2).padStart(64, '0')}` as Hex],
      data: '0x',
      logIndex: 0,
    } as const;
    const { call, implementations } = await filesOf({ to: proxy, input, block: 38n, logs: [log] }, 38n);
    assert.deepEqual([call, implementations], ['src/Vault.sol', [v1]]);
  });

  it('are decoded all the same where the node has no state, and for a contract that is no proxy', async () => {
    const slices = createTimeSlices(systemClock);
    for (const fetchImplementations of [
      async () => Promise.reject(new AppError('historyUnavailable', 'No state.')),
      async () => [],
    ]) {
      const options = { lookup, chainId: 1, slices, fetchImplementations };
      const { revert, implementations } = await explainTransaction(transactionOf(failed), options);
      assert.deepEqual([fileOf(revert[0]), implementations], ['src/Vault.sol', []]);
    }
  });

  it('are those of the code to which a call of a trace was passed on, through any number of proxies', async () => {
    const reverted = { error: 'execution reverted', output: data, input } as const;
    const inner = frameOf({ ...reverted, type: 'DELEGATECALL', from: proxy, to: v2 });
    const middle = frameOf({
      ...reverted,
      type: 'DELEGATECALL',
      from: proxy,
      to: addressOf(9),
      calls: [inner],
    });
    const other = frameOf({ type: 'DELEGATECALL', to: v1, input: '0x12345678' });
    for (const calls of [[inner], [other, middle]]) {
      const explained = await explainTrace(frameOf({ ...reverted, to: proxy, calls }), {
        ...{ lookup, decoder: createLogDecoder({ lookup, chainId: 1 }), contracts: new Map(), chainId: 1 },
        ...{ transaction: transactionOf(), slices: createTimeSlices(systemClock) },
      });
      assert.deepEqual([explained.call, explained.revert].map(fileOf), [
        'src/VaultV2.sol',
        'src/VaultV2.sol',
      ]);
    }
  });
});
