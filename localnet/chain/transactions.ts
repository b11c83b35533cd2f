import type { Hex } from 'ox';
import type { NodeRpc } from './nodeRpc.ts';

export type Address = Hex.Hex;

/** Sends from an account that the node itself signs for. Resolves to the hash; nothing is mined yet. */
export type Send = (transaction: {
  readonly from: Address;
  readonly to?: Address;
  readonly data?: Hex.Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
}) => Promise<Hex.Hex>;

const gasPrice = 2_000_000_000n;
const usualGas = 2_500_000n;

export function createSend(rpc: NodeRpc): Send {
  // Gas and its price are fixed: estimating would double the calls, and balances would not repeat.
  return async ({ from, to, data, value = 0n, gas = usualGas }) =>
    (await rpc.call('eth_sendTransaction', [
      { from, to, data, value: quantity(value), gas: quantity(gas), gasPrice: quantity(gasPrice) },
    ])) as Hex.Hex;
}

export function quantity(value: bigint | number): Hex.Hex {
  return `0x${value.toString(16)}`;
}
