import { AbiParameters, Address as AddressText, ContractAddress, Hash, Hex } from 'ox';
import * as z from 'zod/mini';
import { compileContracts } from './compile.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { type Address, quantity, type Send } from './transactions.ts';

export const demoChainId = 31337;

const accountNames = [
  'deployer',
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'frank',
  'grace',
  'heidi',
  'ivan',
] as const;
export type AccountName = (typeof accountNames)[number];

export type DemoContract = {
  readonly name: string;
  readonly symbol: string;
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155' | 'none';
  readonly decimals: number;
  readonly address: Address;
};

/** What stands on the local chain. Addresses are the same on every start, with their checksum. */
export type DemoChain = {
  readonly chainId: number;
  readonly contracts: {
    readonly usd: DemoContract;
    readonly tide: DemoContract;
    readonly badge: DemoContract;
    readonly items: DemoContract;
    readonly disperse: DemoContract;
  };
  /** Accounts of anvil's well-known mnemonic: they have coins and can send. */
  readonly accounts: Readonly<Record<AccountName, Address>>;
  /** Addresses without a known key: they hold tokens, and no transaction has touched them. */
  readonly holders: readonly Address[];
};

const holderCount = 30;
const usdSupply = 1_000_000_000n * 10n ** 6n;
const tideSupply = 1_000_000_000n * 10n ** 18n;

type Deployment = Omit<DemoContract, 'address'> & {
  readonly artifact: string;
  readonly constructorArgs: Hex.Hex;
};

// Addresses follow from the order: the deployer's nonce is a contract's place in this list.
const deployments = {
  usd: token('Harbor Dollar', 'HUSD', 6, usdSupply),
  tide: token('Tide', 'TIDE', 18, tideSupply),
  badge: {
    name: 'Harbor Badge',
    symbol: 'BADGE',
    standard: 'ERC-721',
    decimals: 0,
    artifact: 'Badge',
    constructorArgs: '0x',
  },
  items: {
    name: 'Items',
    symbol: '',
    standard: 'ERC-1155',
    decimals: 0,
    artifact: 'Items',
    constructorArgs: '0x',
  },
  disperse: {
    name: 'Disperse',
    symbol: '',
    standard: 'none',
    decimals: 0,
    artifact: 'Disperse',
    constructorArgs: '0x',
  },
} as const satisfies Record<keyof DemoChain['contracts'], Deployment>;

function token(name: string, symbol: string, decimals: number, supply: bigint) {
  const constructorArgs = AbiParameters.encode(
    AbiParameters.from('string name, string symbol, uint8 decimals, uint256 supply'),
    [name, symbol, decimals, supply],
  );
  return { name, symbol, standard: 'ERC-20', decimals, artifact: 'Token', constructorArgs } as const;
}

/** What stands on the chain once the contracts are deployed in the order of the list. */
export async function describeDemoChain(rpc: NodeRpc): Promise<DemoChain> {
  const accounts = await readAccounts(rpc);
  const contracts = Object.entries(deployments).map(([key, deployment], nonce) => {
    const { artifact, constructorArgs, ...shown }: Deployment = deployment;
    const address = ContractAddress.fromCreate({ from: accounts.deployer, nonce: BigInt(nonce) });
    return [key, { ...shown, address: AddressText.checksum(address) }];
  });
  return {
    chainId: demoChainId,
    contracts: Object.fromEntries(contracts) as DemoChain['contracts'],
    accounts,
    holders: Array.from({ length: holderCount }, (_, i) => holderAddress(i)),
  };
}

/** Deploys the contracts into the next block, which the caller mines. */
export async function deployDemoChain(send: Send, deployer: Address): Promise<void> {
  const bytecodes = await compileContracts();
  for (const { artifact, constructorArgs } of Object.values(deployments)) {
    const bytecode = bytecodes[artifact];
    if (!bytecode) throw new Error(`${artifact} was not compiled`);
    const data = Hex.concat(bytecode, constructorArgs);
    await send({ from: deployer, data, gas: 5_000_000n });
  }
}

/** Fails when a contract is not where the chain is said to have it. */
export async function assertDeployed(rpc: NodeRpc, { contracts }: DemoChain): Promise<void> {
  for (const { name, address } of Object.values(contracts)) {
    const code = await rpc.call('eth_getCode', [address, 'latest']);
    if (code === '0x') throw new Error(`${name} is not at ${address}`);
  }
}

async function readAccounts(rpc: NodeRpc): Promise<Record<AccountName, Address>> {
  const addresses = z.array(z.string()).parse(await rpc.call('eth_accounts', []));
  return Object.fromEntries(
    accountNames.map((name, i) => [name, AddressText.checksum(addresses[i] as Address)]),
  ) as Record<AccountName, Address>;
}

function holderAddress(index: number): Address {
  const hash = Hash.keccak256(Hex.fromString(`chainside holder ${index}`));
  return AddressText.checksum(Hex.slice(hash, 12));
}

/** Fails when a transaction of the chain failed: a history with holes must not pass for whole. */
export async function assertAllSucceeded(rpc: NodeRpc): Promise<void> {
  const head = Number(await rpc.call('eth_blockNumber', []));
  const calls = Array.from(
    { length: head + 1 },
    (_, block) => ['eth_getBlockReceipts', [quantity(block)]] as const,
  );
  const receipts = z
    .array(z.array(z.object({ status: z.string(), blockNumber: z.string(), transactionHash: z.string() })))
    .parse(await rpc.batch(calls));
  const failed = receipts.flat().find((receipt) => receipt.status !== quantity(1));
  if (failed) throw new Error(`failed in block ${failed.blockNumber}: ${failed.transactionHash}`);
}
