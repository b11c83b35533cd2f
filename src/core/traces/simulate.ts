import { badInput } from '../base/errors.ts';
import type { RpcCallOptions } from '../rpc/rpcClient.ts';
import type { RepeatedCall, Transaction } from '../transactions/transaction.ts';
import type { SimulatedCall } from './callFrame.ts';
import {
  type TraceOptions,
  type TransactionTrace,
  traceTransaction,
  transactionTraceToJson,
} from './traceTransaction.ts';

/** Where a call is simulated: on the state before the block of its transaction, or after a block. */
export type SimulationPoint = 'own' | 'latest' | bigint;

/** What a call would do. It was not sent. */
export interface Simulation {
  readonly call: SimulatedCall;
  /** Whether it ran on the very state that its transaction had. The number and time of the block are others all the same. */
  readonly isOwnState: boolean;
  readonly trace: TransactionTrace;
}

interface SimulationOptions extends TraceOptions {
  readonly client: TraceOptions['client'] & { getBlockNumber(options?: RpcCallOptions): Promise<bigint> };
}

/**
 * Runs the call of a transaction again, with the same gas, and without its nonce and fee. Its own state is that after
 * the block before: earlier transactions of its block are not applied.
 *
 * @throws AppError `badInput` for `own` of a transaction that is in no block; of any network kind for `latest`;
 *   `aborted`. Any other error is a reason in `trace`.
 * @example (await simulateTransaction(transaction, 'latest', options)).trace.state; // 'told'
 */
export async function simulateTransaction(
  { block, position, ...transaction }: Transaction,
  point: SimulationPoint,
  options: SimulationOptions,
): Promise<Simulation> {
  const own = block === undefined || block === 0n ? undefined : block - 1n;
  const after = point === 'own' ? own : point;
  if (after === undefined)
    throw badInput('simulate', 'The transaction is in no block yet. Simulate it at the latest block.');
  const simulation = await simulateCall(transaction, after, options);
  return { ...simulation, isOwnState: simulation.call.after === own && position === 0 };
}

/**
 * Runs a call on the state after a block.
 *
 * @throws AppError as {@link simulateTransaction} does.
 * @example (await simulateCall(call, 'latest', options)).call.after; // 120n
 */
export async function simulateCall(
  { from, to, value, input, gasLimit, accessList, authorizationList }: RepeatedCall,
  block: 'latest' | bigint,
  options: SimulationOptions,
): Promise<Simulation> {
  const { client, signal } = options;
  const after = block === 'latest' ? await client.getBlockNumber({ signal }) : block;
  const call = { from, to, value, input, gasLimit, accessList, authorizationList, after };
  return { call, isOwnState: false, trace: await traceTransaction(call, options) };
}

/**
 * A simulation as JSON: `block` is the one after which it ran.
 *
 * @example simulationToJson(simulation).block; // '41'
 */
export function simulationToJson({ call, isOwnState, trace }: Simulation) {
  return { block: call.after.toString(), isOwnState, ...transactionTraceToJson(trace) };
}
