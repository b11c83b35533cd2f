import assert from 'node:assert/strict';
import { type Abi, decodeEventLog } from 'viem';
import type { EmittedBy, UpgradedContracts } from '../../localnet/upgrades/upgradedContracts.ts';
import {
  type ContractIndex,
  createChainClient,
  createProjectIndexer,
  type DecodedLog,
  type Log,
  parseLogFilter,
  systemClock,
} from '../../src/core/index.ts';
import { memoryProject } from './memory.ts';

interface Without {
  /** Contracts whose artifacts are not there. */
  readonly artifacts?: readonly string[];
  /** Contracts whose deployments are not told. */
  readonly deployments?: readonly string[];
}

/** The files of a Foundry project that has built and deployed these contracts, by their paths. */
export function upgradedProject(
  { artifacts, deployed }: UpgradedContracts,
  without: Without = {},
): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n' };
  for (const [name, { source, abi, bytecode }] of Object.entries(artifacts)) {
    if (without.artifacts?.includes(name)) continue;
    const metadata = { settings: { compilationTarget: { [`src/${source}`]: name } } };
    files[`out/${source}/${name}.json`] = JSON.stringify({ abi, bytecode: { object: bytecode }, metadata });
  }
  const told = deployed.filter(({ name }) => !without.deployments?.includes(name));
  files['broadcast/Deploy.s.sol/31337/run-latest.json'] = JSON.stringify({
    transactions: told.map(({ name, address, transaction }) => ({
      ...{ hash: transaction, transactionType: 'CREATE', contractName: name, contractAddress: address },
    })),
    receipts: told.map(({ address, block, transaction }) => ({
      ...{ status: '0x1', transactionHash: transaction, contractAddress: address },
      blockNumber: `0x${block.toString(16)}`,
    })),
    chain: 31337,
  });
  return files;
}

/** What a log says by the contract that emitted it, out of another library: by name, as text. */
export function getExpectedValues(
  log: Log,
  contract: string,
  { artifacts }: UpgradedContracts,
): Readonly<Record<string, string>> {
  const abi = artifacts[contract]?.abi as Abi;
  const { args } = decodeEventLog({ abi, topics: log.topics as [`0x${string}`], data: log.data });
  return Object.fromEntries(Object.entries(args ?? {}).map(([name, value]) => [name, plainValue(value)]));
}

/** The same, as it was decoded; undefined where it was not. */
export function getDecodedValues(decoded: DecodedLog): Readonly<Record<string, string>> | undefined {
  if ('reason' in decoded) return undefined;
  const { event, values } = decoded;
  return Object.fromEntries(event.inputs.map(({ name }, index) => [name, plainValue(values[index])]));
}

/** Integers as text, tuples as lists, hex in lower case. */
export function plainValue(value: unknown): string {
  const each = (_: string, one: unknown) => {
    if (typeof one === 'bigint' || typeof one === 'number') return one.toString();
    return typeof one === 'object' && one !== null ? Object.values(one) : one;
  };
  return JSON.stringify(value, each).toLowerCase();
}

/** All logs of all these contracts. */
export async function fetchAllLogs({ truth }: UpgradedContracts, url: string): Promise<readonly Log[]> {
  const client = createChainClient({ url, fetch, clock: systemClock });
  const found: Log[] = [];
  const address = [...new Set(truth.map((one) => one.address))];
  for await (const page of client.openLogQuery(parseLogFilter({ address })).rest()) found.push(...page.logs);
  return found;
}

/** Which contract emitted a log. */
export function findEmitter({ truth }: UpgradedContracts, { blockNumber, logIndex }: Log): EmittedBy {
  const found = truth.find((one) => one.block === blockNumber && one.logIndex === logIndex);
  return found ?? assert.fail(`Nobody emitted log ${logIndex} of block ${blockNumber}.`);
}

/** What a project with these files knows. */
export async function indexProject(files: Readonly<Record<string, string>>): Promise<ContractIndex> {
  const indexer = createProjectIndexer({ files: memoryProject(files), roots: [''], clock: systemClock });
  await indexer.update('all');
  return indexer.index;
}
