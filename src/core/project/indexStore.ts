import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedFile, IndexedSource } from './projectSources.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';

/**
 * Facts as text, a line of JSON each: items of ABIs once, files with numbers in their place.
 *
 * @param version of the program that read the files, as another one may read more out of them.
 * @returns undefined where it is more than is kept.
 */
export async function encodeIndex(
  files: Iterable<IndexedFile>,
  version: string,
  { slices, signal }: InSlices,
): Promise<string | undefined> {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  let length = 0;
  let fresh: string[] = [];
  const add = (line: unknown) => {
    const text = JSON.stringify(line);
    length += text.length + 1;
    lines.push(text);
  };
  const flush = () => {
    if (fresh.length > 0) add(['t', fresh]);
    fresh = [];
  };
  const numberOf = (text: string) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    fresh.push(text);
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  add([INDEX_HEADER, INDEX_VERSION, version]);
  for (const { path, signature, hash, context, facts, source, problem } of files) {
    const rows = facts ? factsRow(facts, numberOf) : null;
    // The texts stand before the first line that has their numbers.
    flush();
    add(['f', path, signature, hash, context, rows, source ? sourceRow(source) : null, problem ?? null]);
    if (length > MAX_INDEX_CHARS) return undefined;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return lines.join('\n');
}

function sourceRow({ json, imports, isIncomplete }: IndexedSource) {
  return [json, imports ?? [], isIncomplete];
}

function factsRow({ contracts, deployments, labels }: FileFacts, numberOf: (text: string) => number) {
  return [
    contracts.map(({ name, source, line, abi, itemLines }) => [
      ...[name, source ?? null, line ?? null, abi.map(numberOf), itemLines ?? null],
    ]),
    deployments.map(({ chainId, address: at, contract, block, transaction, commit }) => [
      ...[chainId, at, contract ?? null, block?.toString() ?? null, transaction ?? null, commit ?? null],
    ]),
    labels.map(({ address: at, name, chainId }) => [at, name, chainId ?? null]),
  ];
}

/** Goes up when what is kept, or what is read out of files, changes its form. */
const INDEX_VERSION = 1;
/** Characters of all that is kept; more is not loaded and not saved. */
const MAX_INDEX_CHARS = 64 * 1024 * 1024;

/** The first text of what is kept, by which it is known. */
const INDEX_HEADER = 'chainside contracts';

interface InSlices extends Abortable {
  readonly slices: TimeSlices;
}

const optionalText = z.nullable(z.string());
const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/));
const hex = z.string().check(z.regex(/^0x[0-9a-f]{0,128}$/));
const decimal = z.string().check(z.regex(/^\d{1,80}$/));
const index = z.int().check(z.nonnegative());
const contractRow = z.tuple([
  z.string(),
  optionalText,
  z.nullable(z.number()),
  z.array(index),
  z.nullable(z.array(z.number())),
]);
const deploymentRow = z.tuple([
  decimal,
  address,
  optionalText,
  z.nullable(decimal),
  z.nullable(hex),
  optionalText,
]);
const labelRow = z.tuple([address, z.string(), z.nullable(decimal)]);
const headLine = z.tuple([z.literal(INDEX_HEADER), z.literal(INDEX_VERSION), z.string()]);
const textsLine = z.tuple([z.literal('t'), z.array(z.string())]);
const fileLine = z.tuple([
  z.literal('f'),
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.nullable(z.tuple([z.array(contractRow), z.array(deploymentRow), z.array(labelRow)])),
  z.nullable(z.tuple([z.string(), z.array(z.string()), z.boolean()])),
  optionalText,
]);

/**
 * Reads what `encodeIndex` wrote; empty for what another version wrote, or anything else. What is wrong in it from
 * some line on is left out from there.
 */
export async function decodeIndex(
  kept: string,
  version: string,
  { slices, signal }: InSlices,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  if (kept.length > MAX_INDEX_CHARS) return files;
  const texts: string[] = [];
  let isFirst = true;
  for (let at = 0; at < kept.length; ) {
    const end = kept.indexOf('\n', at);
    const line = parseLine(kept.slice(at, end < 0 ? kept.length : end));
    at = end < 0 ? kept.length : end + 1;
    if (isFirst) {
      const head = headLine.safeParse(line);
      if (!head.success || head.data[2] !== version) return files;
      isFirst = false;
      continue;
    }
    const more = textsLine.safeParse(line);
    if (more.success) texts.push(...more.data[1]);
    else {
      const file = readFile(line, texts);
      if (!file) return files;
      files.set(file.path, file);
    }
    if (slices.isOver()) await slices.rest({ signal });
  }
  return files;
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFile(line: unknown, texts: readonly string[]): IndexedFile | undefined {
  const parsed = fileLine.safeParse(line);
  if (!parsed.success) return undefined;
  const [, path, signature, hash, context, rows, source, problem] = parsed.data;
  const facts = rows ? readRows(rows, texts) : undefined;
  if (rows && !facts) return undefined;
  return {
    ...{ path, signature, hash, context, facts },
    source: source ? { json: source[0], imports: source[1], isIncomplete: source[2] } : undefined,
    problem: problem ?? undefined,
  };
}

type Rows = NonNullable<z.infer<typeof fileLine>[5]>;

function readRows([contracts, deployments, labels]: Rows, texts: readonly string[]): FileFacts | undefined {
  if (contracts.some(([, , , abi]) => abi.some((number) => number >= texts.length))) return undefined;
  return {
    contracts: contracts.map(
      ([name, source, line, abi, itemLines]): ContractFacts => ({
        ...{ name, source: source ?? undefined, line: line ?? undefined },
        ...{ abi: abi.map((number) => texts[number] ?? ''), itemLines: itemLines ?? undefined },
      }),
    ),
    deployments: deployments.map(([chainId, at, contract, block, transaction, commit]) => ({
      ...{ chainId, address: at as Address, contract: contract ?? undefined },
      block: block === null ? undefined : BigInt(block),
      transaction: (transaction as Hex | null) ?? undefined,
      commit: commit ?? undefined,
    })),
    labels: labels.map(([at, name, chainId]) => ({
      ...{ address: at as Address, name, chainId: chainId ?? undefined },
    })),
  };
}
