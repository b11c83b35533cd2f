import * as z from 'zod/mini';
import type { Address } from '../../../values/address.ts';
import type { Hex } from '../../../values/hex.ts';
import type { ContractFacts, FileFacts } from '../../facts.ts';
import { type InSlices, KEPT_HEAD, KEPT_VERSION, MOST_KEPT } from './keptForm.ts';
import type { KnownFile } from './knownFile.ts';

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
const headLine = z.tuple([z.literal(KEPT_HEAD), z.literal(KEPT_VERSION), z.string()]);
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
 * Reads what `encodeKept` wrote; empty for what another version wrote, or anything else. What is wrong in it from
 * some line on is left out from there.
 */
export async function decodeKept(
  kept: string,
  version: string,
  { slices, signal }: InSlices,
): Promise<ReadonlyMap<string, KnownFile>> {
  const files = new Map<string, KnownFile>();
  if (kept.length > MOST_KEPT) return files;
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

function readFile(line: unknown, texts: readonly string[]): KnownFile | undefined {
  const parsed = fileLine.safeParse(line);
  if (!parsed.success) return undefined;
  const [, path, signature, hash, context, rows, source, problem] = parsed.data;
  const facts = rows ? readRows(rows, texts) : undefined;
  if (rows && !facts) return undefined;
  return {
    ...{ path, signature, hash, context, facts },
    source: source ? { json: source[0], imports: source[1], isLacking: source[2] } : undefined,
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
