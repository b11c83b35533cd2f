import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Abi, decodeEventLog, type Hex, toEventSelector, toFunctionSelector } from 'viem';
import { createDiskFiles } from '../../../src/cli/projectFolder.ts';
import {
  createProjectIndexer,
  type ProjectIndexer,
  parseAbiItem,
  systemClock,
} from '../../../src/core/index.ts';

/** The index of a project on disk, all of it read. */
export async function indexedProject(folder: string): Promise<ProjectIndexer> {
  const indexer = createProjectIndexer({ files: createDiskFiles(folder), roots: [''], clock: systemClock });
  await indexer.update('all');
  return indexer;
}

export function readJson<T>(...path: readonly string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** The items of an ABI by their hashes, and which parameters of events are indexed: as viem reads it. */
export function hashesOfAbi(abi: Abi): readonly string[] {
  const hashes = abi.flatMap((item) => {
    if (item.type === 'event')
      return [`event ${toEventSelector(item)} ${item.inputs.map(indexedMark).join('')}`];
    if (item.type === 'function') return [`function ${toFunctionSelector(item)}`];
    // An error's selector is that of a function of its name.
    if (item.type !== 'error') return [];
    const { name, inputs } = item;
    return [
      `error ${toFunctionSelector({ type: 'function', name, inputs, outputs: [], stateMutability: 'view' })}`,
    ];
  });
  return hashes.sort();
}

/** The same of what the index has. */
export function hashesOfItems(texts: readonly string[]): readonly string[] {
  const hashes = texts.map((text) => {
    const item = parseAbiItem(text);
    if (item?.kind === 'event') return `event ${item.topic0} ${item.inputs.map(indexedMark).join('')}`;
    return `${item?.kind} ${item?.selector}`;
  });
  return hashes.sort();
}

const indexedMark = ({ indexed }: { readonly indexed?: boolean | undefined }) => (indexed ? '1' : '0');

export interface MinedLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A log by a compiler's ABI as viem reads it, written as ours are in JSON. */
export function decodedByViem(abi: Abi, { topics, data }: MinedLog) {
  const { eventName, args } = decodeEventLog({ abi, topics: topics as never, data });
  const item = abi.find((each) => each.type === 'event' && toEventSelector(each) === topics[0]);
  const { inputs } = item as { readonly inputs: readonly { readonly name: string }[] };
  const named = (args ?? {}) as unknown as Readonly<Record<string, unknown>>;
  return { name: eventName, values: inputs.map(({ name }) => plain(named[name])) };
}

/** Integers as decimal text, addresses in lower case. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return isAddress(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);
