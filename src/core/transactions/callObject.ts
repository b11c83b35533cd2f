import { toQuantity } from '../eth/hex.ts';
import type { Transaction } from './transaction.ts';

/** What a node needs to run the call of a transaction again. */
export type RepeatedCall = Pick<
  Transaction,
  'accessList' | 'authorizationList' | 'from' | 'gasLimit' | 'input' | 'to' | 'value'
>;

/**
 * A call as `eth_call` and `debug_traceCall` take it: with the gas limit, so that it runs out of gas again; without a
 * nonce and a gas price, so that the sender needs no funds for the fee.
 *
 * @example toCallObject(transaction).value;
 */
export function toCallObject({
  from,
  to,
  input,
  value,
  gasLimit,
  accessList = [],
  authorizationList = [],
}: RepeatedCall): Readonly<Record<string, unknown>> {
  return {
    from,
    ...(to && { to }),
    data: input,
    value: toQuantity(value),
    ...(gasLimit !== undefined && { gas: toQuantity(gasLimit) }),
    ...(accessList.length > 0 && { accessList }),
    ...(authorizationList.length > 0 && { authorizationList }),
  };
}
