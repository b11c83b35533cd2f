import * as z from 'zod/mini';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import { pushAll } from '../base/values.ts';
import type { Address, Hex } from '../eth/hex.ts';
import type { IndexedFile, IndexedSource } from './projectSources.ts';
import type { ContractFacts, FileFacts } from './readers/facts.ts';

/** The first text of the store, which identifies it. */
const INDEX_HEADER = 'chainside contracts';
/** Increase it when the format of the store, or what is read from files, changes. */
const INDEX_VERSION = 8;
/** A larger index is neither saved nor loaded. */
const MAX_INDEX_CHARS = 64 * 1024 * 1024;

interface InSlices extends Abortable {
  readonly slices: TimeSlices;
}

/**
 * Encodes an index as text, one JSON line per file. Items of ABIs are written once; files refer to them by number.
 *
 * @param version of the program that read the files: another version may read more from them.
 * @returns undefined if the text is larger than what is stored.
 */
export async function encodeIndex(
  files: Iterable<IndexedFile>,
  version: string,
  { slices, signal }: InSlices,
): Promise<string | undefined> {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  let length = 0;
  let newTexts: string[] = [];
  const add = (line: unknown) => {
    const text = JSON.stringify(line);
    length += text.length + 1;
    lines.push(text);
  };
  const flush = () => {
    if (newTexts.length > 0) add(['t', newTexts]);
    newTexts = [];
  };
  const getNumber = (text: string) => {
    const existing = numbers.get(text);
    if (existing !== undefined) return existing;
    newTexts.push(text);
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  add([INDEX_HEADER, INDEX_VERSION, version]);
  for (const { path, signature, hash, context, facts, source, error } of files) {
    const rows = facts ? encodeFacts(facts, getNumber) : null;
    // The texts come before the first line that refers to them.
    flush();
    add(['f', path, signature, hash, context, rows, source ? encodeSource(source) : null, error ?? null]);
    if (length > MAX_INDEX_CHARS) return undefined;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return lines.join('\n');
}

function encodeSource({ json, imports, isIncomplete }: IndexedSource) {
  return [json, imports ?? [], isIncomplete];
}

function encodeFacts(
  { contracts, deployments, labels, units }: FileFacts,
  getNumber: (text: string) => number,
) {
  return [
    contracts.map(({ name, source, line, abi, itemLines, enums, isOfProxy, isLibrary }) => [
      name,
      source ?? null,
      line ?? null,
      abi.map(getNumber),
      itemLines ?? null,
      enums ? Object.entries(enums).map(([text, places]) => [getNumber(text), places]) : null,
      isOfProxy ?? false,
      isLibrary ?? false,
    ]),
    deployments.map(({ address: at, block, ...one }) => [
      one.chainId,
      at,
      one.contract ?? null,
      block?.toString() ?? null,
      one.transaction ?? null,
      one.commit ?? null,
      one.time ?? null,
      one.contractType ?? null,
      one.chosen ?? null,
    ]),
    labels.map(({ address: at, name, chainId }) => [at, name, chainId ?? null]),
    units?.map(({ field, unit }) => [field, unit]) ?? null,
  ];
}

const optionalText = z.nullable(z.string());
const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/));
const hex = z.string().check(z.regex(/^0x[0-9a-f]{0,128}$/));
const decimal = z.string().check(z.regex(/^\d{1,80}$/));
const index = z.int().check(z.nonnegative());
const enumPlace = z.object({
  path: z.string(),
  name: z.string(),
  unit: z.exactOptional(z.string()),
  members: z.exactOptional(z.array(z.string())),
  isFlag: z.exactOptional(z.literal(true)),
  isOther: z.exactOptional(z.literal(true)),
});
const contractRow = z.tuple([
  z.string(),
  optionalText,
  z.nullable(z.number()),
  z.array(index),
  z.nullable(z.array(z.number())),
  z.nullable(z.array(z.tuple([index, z.array(enumPlace)]))),
  z.boolean(),
  z.boolean(),
]);
const deploymentRow = z.tuple([
  decimal,
  address,
  optionalText,
  z.nullable(decimal),
  z.nullable(hex),
  optionalText,
  z.nullable(z.int()),
  optionalText,
  optionalText,
]);
const labelRow = z.tuple([address, z.string(), z.nullable(decimal)]);
const unitRows = z.nullable(z.array(z.tuple([z.string(), z.string()])));
const headLine = z.tuple([z.literal(INDEX_HEADER), z.literal(INDEX_VERSION), z.string()]);
const textsLine = z.tuple([z.literal('t'), z.array(z.string())]);
const fileLine = z.tuple([
  z.literal('f'),
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.nullable(z.tuple([z.array(contractRow), z.array(deploymentRow), z.array(labelRow), unitRows])),
  z.nullable(z.tuple([z.string(), z.array(z.tuple([z.string(), z.string()])), z.boolean()])),
  optionalText,
]);

/**
 * Decodes what `encodeIndex` wrote; empty if another version wrote it, or for any other text. From the first invalid line
 * on, lines are ignored.
 */
export async function decodeIndex(
  text: string,
  version: string,
  { slices, signal }: InSlices,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  if (text.length > MAX_INDEX_CHARS) return files;
  const texts: string[] = [];
  let isFirst = true;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = parseLine(text.slice(at, end < 0 ? text.length : end));
    at = end < 0 ? text.length : end + 1;
    if (isFirst) {
      const head = headLine.safeParse(line);
      if (!head.success || head.data[2] !== version) return files;
      isFirst = false;
      continue;
    }
    const newTexts = textsLine.safeParse(line);
    if (newTexts.success) pushAll(texts, newTexts.data[1]);
    else {
      const file = decodeFile(line, texts);
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

function decodeFile(line: unknown, texts: readonly string[]): IndexedFile | undefined {
  const parsed = fileLine.safeParse(line);
  if (!parsed.success) return undefined;
  const [, path, signature, hash, context, rows, source, error] = parsed.data;
  const facts = rows ? decodeFacts(rows, texts) : undefined;
  if (rows && !facts) return undefined;
  return {
    path,
    signature,
    hash,
    context,
    facts,
    source: source ? { json: source[0], imports: source[1], isIncomplete: source[2] } : undefined,
    error: error ?? undefined,
  };
}

type FactsRows = NonNullable<z.infer<typeof fileLine>[5]>;

function decodeFacts(
  [contracts, deployments, labels, units]: FactsRows,
  texts: readonly string[],
): FileFacts | undefined {
  if (contracts.some(([, , , abi]) => abi.some((number) => number >= texts.length))) return undefined;
  return {
    contracts: contracts.map(
      ([name, source, line, abi, itemLines, enums, isOfProxy, isLibrary]): ContractFacts => ({
        name,
        source: source ?? undefined,
        line: line ?? undefined,
        abi: abi.map((number) => texts[number] ?? ''),
        itemLines: itemLines ?? undefined,
        ...(enums && {
          enums: Object.fromEntries(enums.map(([number, places]) => [texts[number] ?? '', places])),
        }),
        ...(isOfProxy && { isOfProxy }),
        ...(isLibrary && { isLibrary }),
      }),
    ),
    deployments: deployments.map(
      ([chainId, at, contract, block, transaction, commit, time, contractType, chosen]) => ({
        chainId,
        address: at as Address,
        contract: contract ?? undefined,
        block: block === null ? undefined : BigInt(block),
        transaction: (transaction as Hex | null) ?? undefined,
        commit: commit ?? undefined,
        ...(time !== null && { time }),
        ...(contractType !== null && { contractType }),
        ...(chosen !== null && { chosen }),
      }),
    ),
    labels: labels.map(([at, name, chainId]) => ({
      address: at as Address,
      name,
      chainId: chainId ?? undefined,
    })),
    ...(units && { units: units.map(([field, unit]) => ({ field, unit })) }),
  };
}
