import type { SliceOptions } from '../base/timeSlices.ts';
import { asRecord, isRecord, type PlainRecord } from '../base/values.ts';
import { isObjectAt, type JsonText, pickMembers, scanMembers } from '../project/readers/jsonScan.ts';
import type { BuiltCode, ImmutableTail } from './builtCode.ts';

/** What Vyper made of a contract, as a tool wrote it. */
export interface VyperOutput {
  readonly runtime: BuiltCode;
  readonly creation: BuiltCode;
  /** The ID of its source in the maps. */
  readonly id: number;
  readonly layout: unknown;
  /** As the compiler wrote it, unchecked. */
  readonly rawAbi: unknown;
}

/**
 * @example isVyperSource('src/Vault.vy') // true
 */
export function isVyperSource(path: string | undefined): boolean {
  return path !== undefined && /\.vyi?$/.test(path);
}

/**
 * A source with positions as Vyper counts them: characters of Unicode, with the line ends of Unix. Each is one byte here.
 *
 * @example toVyperText('# 🐟\r\n') // '# ?\n'
 */
export function toVyperText(source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII.
  return source.replaceAll('\r\n', '\n').replace(/[^\x00-\x7f]/gu, '?');
}

/**
 * Reads the code of a contract with its source map: an artifact of Foundry or Hardhat, which has no map, the standard and
 * the combined JSON of Vyper, or a manifest of Ape. Undefined if the text has no code of it.
 *
 * - https://docs.vyperlang.org/en/stable/compiling-a-contract.html
 * - https://github.com/ethpm/ethpm-spec
 *
 * @throws AppError `badInput` if the text is not an object or ends too early.
 */
export async function readVyperOutput(
  json: JsonText,
  contract: string,
  options: SliceOptions,
): Promise<VyperOutput | undefined> {
  const at = await findContract(json, { at: 0, contract }, options);
  if (at === undefined) return undefined;
  const found = pickMembers(json, at, MEMBERS);
  const evm = asRecord(found.evm);
  const code = toCode(
    found.deployedBytecode ?? evm.deployedBytecode ?? found.bytecode_runtime ?? found.runtimeBytecode,
    // Before 0.4.0 the only map is that of the runtime code.
    found.source_map_runtime ?? found.source_map ?? found.sourcemap,
  );
  const creation = toCode(
    found.bytecode ?? evm.bytecode ?? found.deploymentBytecode,
    found.source_map_runtime === undefined ? undefined : found.source_map,
  );
  if (code.digits === '') return undefined;
  const runtime = { ...code, tail: readTail(found.layout, creation.digits) };
  const id = typeof found.id === 'number' ? found.id : findOwnId(runtime.sourceMap);
  return { runtime, creation, id, layout: found.layout, rawAbi: found.abi };
}

const MEMBERS = [
  ...([
    'bytecode',
    'deployedBytecode',
    'id',
    'evm',
    'deploymentBytecode',
    'runtimeBytecode',
    'layout',
  ] as const),
  ...(['abi', 'bytecode_runtime', 'source_map', 'source_map_runtime', 'sourcemap'] as const),
] as const;
const CODE_MEMBERS: ReadonlySet<string> = new Set(
  MEMBERS.filter((name) => name !== 'abi' && name !== 'id' && name !== 'layout'),
);
/** `output` of a build, around `contracts`. */
const MAX_DEPTH = 3;

/** The position of the object that has the code: Vyper has one contract in a file, named like the file. */
async function findContract(
  json: JsonText,
  { at, contract }: { readonly at: number; readonly contract: string },
  options: SliceOptions,
  depth = 0,
): Promise<number | undefined> {
  if (depth > MAX_DEPTH || !isObjectAt(json, at)) return undefined;
  for (const { name, from } of scanMembers(json, at)) {
    if (options.slices.isOver()) await options.slices.rest(options);
    if (CODE_MEMBERS.has(name)) return at;
    const isInside =
      name === 'output' || name === 'contracts' || name === 'contractTypes' || name === contract;
    const base = name.slice(name.lastIndexOf('/') + 1);
    const found =
      isInside || base === `${contract}.vy`
        ? await findContract(json, { at: from, contract }, options, depth + 1)
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code as hex, or as an object with its map. */
function toCode(value: unknown, sourceMap: unknown): BuiltCode {
  const { object, bytecode, sourceMap: own } = asRecord(value);
  const code = [value, object, bytecode].find((each) => typeof each === 'string') ?? '';
  const digits = /^(?:0x)?([0-9a-f]*)$/i.exec(code as string)?.[1] ?? '';
  return { digits: digits.toLowerCase(), gaps: [], sourceMap: toMap(own ?? sourceMap) };
}

/**
 * The immutable variables that follow the runtime code: by the layout of the compiler, or since 0.3.10 by the list at the
 * end of the creation code: an integrity hash since 0.4.1, the size of the runtime code, those of data, that of immutable
 * variables, and the version.
 *
 * https://github.com/vyperlang/vyper/pull/3584
 */
function readTail(layout: unknown, creation: string): ImmutableTail {
  const variables = Object.entries(asRecord(asRecord(layout).code_layout)).flatMap(([name, value]) => {
    const { offset, length } = asRecord(value);
    return isSize(offset) && isSize(length) ? [{ name, offset, length }] : [];
  });
  variables.sort((a, b) => a.offset - b.offset);
  const end = variables.reduce((size, { offset, length }) => Math.max(size, offset + length), 0);
  const written = readTailBytes(creation);
  let from = 0;
  const isInOrder = variables.every(({ offset, length }) => {
    const isBehind = offset >= from && length >= 32;
    from = offset + length;
    return isBehind;
  });
  const isWhole = isInOrder && (written === undefined || written === end);
  const bytes = written ?? (isRecord(asRecord(layout).code_layout) ? end : undefined);
  return { bytes, names: isWhole ? variables : [] };
}

/** More than any code has. */
const MAX_TAIL_BYTES = 0xffff;
const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TAIL_BYTES;

function readTailBytes(creation: string): number | undefined {
  const length = 2 * Number.parseInt(creation.slice(-4), 16);
  // Its length includes its own two bytes.
  const list = length > 4 && length <= creation.length ? creation.slice(-length, -4) : '';
  const [, head] = LIST_HEAD.exec(list) ?? [];
  if (head === undefined) return undefined;
  const runtime = readSize(list, head.length);
  const count = runtime && readSize(list, runtime.to, LIST_TYPE);
  let size = count;
  for (let index = 0; size && index <= (count?.value ?? 0); index++) size = readSize(list, size.to);
  return size && VERSION.test(list.slice(size.to)) ? size.value : undefined;
}

/** A list of four, or of five with an integrity hash. */
const LIST_HEAD = /^(84|855820[0-9a-f]{64})/;
const VERSION = /^a165767970657283[0-9a-f]{6,12}$/;
/** The type of a list in the head of a CBOR item; that of an unsigned integer is 0. */
const LIST_TYPE = 0x80;

/** An unsigned integer of CBOR of up to two bytes, or the number of items of a list. */
function readSize(
  digits: string,
  at: number,
  type = 0,
): { readonly value: number; readonly to: number } | undefined {
  const value = Number.parseInt(digits.slice(at, at + 2), 16) - type;
  if (value >= 0 && value < 0x18) return { value, to: at + 2 };
  const size = value === 0x18 ? 2 : value === 0x19 ? 4 : undefined;
  if (size === undefined) return undefined;
  return { value: Number.parseInt(digits.slice(at + 2, at + 2 + size), 16), to: at + 2 + size };
}

/** The compressed map, by itself or beside others. Ape writes other maps as text of JSON. */
function toMap(value: unknown): string {
  const map = isRecord(value) ? (value as PlainRecord).pc_pos_map_compressed : value;
  return typeof map === 'string' && /^[\d:;io-]*$/.test(map) ? map : '';
}

/** That of the first entry, which is of the whole source, or has no position in it. */
function findOwnId(sourceMap: string): number {
  const id = Number(sourceMap.split(';', 1)[0]?.split(':')[2] ?? 0);
  return id >= 0 ? id : 0;
}
