import assert from 'node:assert/strict';
import { fetch as undiciFetch } from 'undici';
import {
  type FetchLike,
  type HashResult,
  type Hex,
  providers,
  systemClock,
  type Transaction,
  type TransactionProvider,
} from '../../src/core/index.ts';

/** The source of transactions of this name at an endpoint; undefined where the endpoint has not what it needs. */
export async function openTransactionProvider(
  name: 'calls' | 'blockscout',
  url: string,
  {
    fetch = undiciFetch as unknown as FetchLike,
    revoked = new AbortController().signal,
  }: { readonly fetch?: FetchLike; readonly revoked?: AbortSignal } = {},
): Promise<TransactionProvider | undefined> {
  const kind =
    providers.find((each) => each.name === name && each.offers.transactions) ??
    assert.fail('There is no such source.');
  const { transactions } = await kind.open({
    ...{ fetch, clock: systemClock, url, chainId: 31337 },
    ...{ key: undefined, revoked, throttle: { pass: async () => {} } },
  });
  return transactions;
}

/** As {@link openTransactionProvider}, where it has to be there. */
export async function requireTransactionProvider(
  ...where: Parameters<typeof openTransactionProvider>
): Promise<TransactionProvider> {
  return (await openTransactionProvider(...where)) ?? assert.fail('The endpoint tells of no transactions.');
}

export async function requireTransaction(
  { lookUpHash }: Pick<TransactionProvider, 'lookUpHash'>,
  hash: Hex,
): Promise<Transaction> {
  const answer = await lookUpHash(hash);
  return answer.kind === 'transaction' ? answer.transaction : assert.fail(`It is told as ${answer.kind}.`);
}

/** A transaction of which a test says what counts. */
export function transactionOf(facts: Partial<Transaction> = {}): Transaction {
  return {
    ...{ hash: hashOf(1), status: 'success', block: 5n, position: 0, time: 1_000, from: addressOf(1) },
    ...{ to: addressOf(2), created: undefined, value: 0n, fee: undefined, gasUsed: 21_000n },
    ...{ gasLimit: 30_000n, gasPrice: 1n, nonce: 0n, type: 2, authorizations: undefined, input: '0x' },
    ...{ logs: [], isCut: false, failure: undefined },
    ...facts,
  };
}

/** What a source answers with that found this. */
export function answerOf(transaction: Transaction): Extract<HashResult, { kind: 'transaction' }> {
  const source = { name: 'calls', origin: 'http://node.example', takesKey: false };
  return { kind: 'transaction', transaction, source, readAt: 0, methods: ['eth_getTransactionByHash'] };
}

export function hashOf(number: number): Hex {
  return `0x${'ab'.repeat(30)}${number.toString(16).padStart(4, '0')}`;
}

export function addressOf(number: number): Hex {
  return `0x${'cd'.repeat(18)}${number.toString(16).padStart(4, '0')}`;
}
