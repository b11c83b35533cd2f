import type { Hex } from 'ox';
import type { NodeRpc } from './nodeRpc.ts';

export type Address = Hex.Hex;

/** From an account that the node itself signs for. */
export type Sent = {
  readonly from: Address;
  readonly to?: Address;
  readonly data?: Hex.Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
};

/** Resolves to the hash; nothing is mined yet. */
export type Send = (transaction: Sent) => Promise<Hex.Hex>;

const gasPrice = 2_000_000_000n;
const usualGas = 2_500_000n;

export function createSend(rpc: NodeRpc): Send {
  return async (transaction) => (await rpc.call(...sendCall(transaction))) as Hex.Hex;
}

/** The call that sends a transaction. */
export function sendCall({ from, to, data, value = 0n, gas = usualGas }: Sent) {
  // Gas and its price are fixed: estimating would double the calls, and balances would not repeat.
  const prices = { value: quantity(value), gas: quantity(gas), gasPrice: quantity(gasPrice) };
  return ['eth_sendTransaction', [{ from, to, data, ...prices }]] as const;
}

export function quantity(value: bigint | number): Hex.Hex {
  return `0x${value.toString(16)}`;
}
