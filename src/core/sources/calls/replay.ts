import { asAppError } from '../../base/errors.ts';
import { isRecord } from '../../base/records.ts';
import { MOST_WORDS } from '../../http/serverWords.ts';
import { isMissingMethod, isRevert } from '../../rpc/ethCall.ts';
import type { RpcCallOptions, RpcClient } from '../../rpc/rpcClient.ts';
import type { FailureReason, Transaction } from '../../transactions/transaction.ts';
import { type Hex, parseHexData, toQuantity } from '../../values/hex.ts';

interface Replayed extends Pick<Transaction, 'block' | 'from' | 'gasLimit' | 'input' | 'to' | 'value'> {
  readonly authorizationList: readonly unknown[] | undefined;
}

const NOT_OFFERED: FailureReason = { state: 'notOffered' };

/**
 * Runs a failed transaction again by `eth_call`, on the state after the block before: what stood before it in its own
 * block is not part of that. With the same gas, so that one that ran out of it does again; without its price, so that
 * nobody has to have the fee.
 *
 * @throws AppError `aborted` alone: what else goes wrong is the answer.
 * @example await replay(transaction, { call, limits }); // { state: 'told', by: 'replay', data: '0xe5693…', … }
 */
export async function replay(
  { block, from, to, input, value, gasLimit, authorizationList }: Replayed,
  { call, limits }: { readonly call: RpcClient['call']; readonly limits: RpcCallOptions },
): Promise<FailureReason> {
  if (block === undefined || block === 0n) return NOT_OFFERED;
  const transaction = {
    ...{ from, to, data: input, value: toQuantity(value) },
    ...(gasLimit === undefined ? {} : { gas: toQuantity(gasLimit) }),
    ...(authorizationList === undefined ? {} : { authorizationList }),
  };
  try {
    await call('eth_call', [transaction, toQuantity(block - 1n)], limits);
    return { state: 'passed' };
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    if (error.kind !== 'rpc') return { state: 'refused', words: error.message };
    if (isMissingMethod(error)) return NOT_OFFERED;
    const words = error.details.serverMessage ?? '';
    if (!isRevert(error)) return { state: 'refused', words };
    return { state: 'told', by: 'replay', words, ...revertData(error.details.data) };
  }
}

/**
 * What an execution returned, out of `data` of the error that a node answers with: hex (geth, anvil, reth), hex behind
 * a word (`Reverted 0x…` of OpenEthereum and Nethermind), or an object that has it (Hardhat). Long data is cut where
 * the words of a server are.
 *
 * @example revertData('Reverted 0x4e487b71') // { data: '0x4e487b71', isCut: false }
 */
export function revertData(data: unknown): { readonly data: Hex | undefined; readonly isCut: boolean } {
  const text = isRecord(data) ? (data.data ?? data.result) : data;
  if (typeof text !== 'string') return { data: undefined, isCut: false };
  const [found] = /0x[0-9a-fA-F]*$/.exec(text) ?? [];
  const isCut = text.length >= MOST_WORDS;
  const digits = found?.slice(0, found.length - (found.length % 2));
  return { data: parseHexData(digits), isCut: isCut && digits !== undefined };
}
