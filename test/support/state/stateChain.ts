import assert from 'node:assert/strict';
import { type Abi, createPublicClient, encodeDeployData, encodeFunctionData, http } from 'viem';
import { startAnvil } from '../../../localnet/chain/anvil.ts';
import { createNodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { compileSolidity } from '../../../localnet/chain/solidity.ts';
import { type Sent, sendCall } from '../../../localnet/chain/transactions.ts';
import {
  type Address,
  type ContractState,
  createChainClient,
  fetchState,
  systemClock,
} from '../../../src/core/index.ts';
import type { StateQuery } from '../../../src/core/state/contractState.ts';

export interface TestContract {
  readonly address: Address;
  readonly abi: Abi;
}

/** A node with contracts that a test compiles and calls; a block for each transaction. */
export type StateChain = Awaited<ReturnType<typeof startStateChain>>;

/** Starts a node and compiles the contracts of these sources. */
export async function startStateChain(sources: Readonly<Record<string, string>>) {
  const written = Object.fromEntries(
    Object.entries(sources).map(([name, content]) => [name, { content }] as const),
  );
  const [anvil, { contracts }] = await Promise.all([
    startAnvil({ port: 0, genesisTime: 1_700_000_000 }),
    compileSolidity(written, ['abi', 'evm.bytecode.object']),
  ]);
  const node = createNodeRpc(anvil.url);
  const accounts = ((await node.call('eth_accounts', [])) as Address[]).map(
    (account) => account.toLowerCase() as Address,
  );
  const [first = assert.fail()] = accounts;
  const viem = createPublicClient({ transport: http(anvil.url, { batch: true }) });
  const client = createChainClient({ url: anvil.url, fetch, clock: systemClock });

  await node.call('evm_setAutomine', [true]);
  async function mine(transaction: Sent) {
    const [, params] = sendCall(transaction);
    return (await node.call('eth_sendTransactionSync', params)) as {
      readonly contractAddress: Address | null;
      readonly status: string;
    };
  }

  return {
    ...{ node, accounts, viem, url: anvil.url },
    stop: () => anvil.stop(),
    async deploy(name: string, args: readonly unknown[] = []): Promise<TestContract> {
      const { abi, bytecode } = contracts.find((one) => one.name === name) ?? assert.fail(name);
      const data = encodeDeployData({ abi: abi as Abi, bytecode, args });
      const { contractAddress } = await mine({ from: first, data, gas: 20_000_000n });
      return { address: contractAddress ?? assert.fail(name), abi: abi as Abi };
    },
    /** Whether it succeeded. */
    async send(
      { address, abi }: TestContract,
      functionName: string,
      args: readonly unknown[],
      { from = first, value = 0n }: { readonly from?: Address; readonly value?: bigint } = {},
    ): Promise<boolean> {
      const data = encodeFunctionData({ abi, functionName, args });
      return (await mine({ from, to: address, data, value, gas: 20_000_000n })).status === '0x1';
    },
    /** Undefined if it reverts. */
    async read(
      { address, abi }: TestContract,
      functionName: string,
      args: readonly unknown[],
      block: bigint,
    ) {
      return viem
        .readContract({ address, abi, functionName, args, blockNumber: block })
        .catch(() => undefined);
    },
    block: () => viem.getBlockNumber({ cacheTime: 0 }),
    fetchState(query: Omit<StateQuery, 'owner'> & { readonly owner?: Address }): Promise<ContractState> {
      return fetchState({ owner: undefined, ...query }, { client, clock: systemClock });
    },
  };
}
