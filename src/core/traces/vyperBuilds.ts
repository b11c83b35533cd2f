import { asRecord, isRecord, type PlainRecord } from '../base/values.ts';
import { isObjectAt, pickMembers, scanMembers } from '../project/readers/jsonScan.ts';
import type { BuiltCode } from './builtCode.ts';

/** What Vyper made of a contract, as a tool wrote it. */
export interface VyperOutput {
  readonly runtime: BuiltCode;
  readonly creation: BuiltCode;
  /** The ID of its source in the maps. */
  readonly id: number;
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
export function readVyperOutput(text: string, contract: string): VyperOutput | undefined {
  const at = findContract(text, contract, 0);
  if (at === undefined) return undefined;
  const found = pickMembers(text, at, MEMBERS);
  const evm = asRecord(found.evm);
  const runtime = toCode(
    found.deployedBytecode ?? evm.deployedBytecode ?? found.bytecode_runtime ?? found.runtimeBytecode,
    // Before 0.4.0 the only map is that of the runtime code.
    found.source_map_runtime ?? found.source_map ?? found.sourcemap,
  );
  const creation = toCode(
    found.bytecode ?? evm.bytecode ?? found.deploymentBytecode,
    found.source_map_runtime === undefined ? undefined : found.source_map,
  );
  if (runtime.digits === '') return undefined;
  const id = typeof found.id === 'number' ? found.id : findOwnId(runtime.sourceMap);
  return { runtime, creation, id };
}

const MEMBERS = [
  ...(['bytecode', 'deployedBytecode', 'id', 'evm', 'deploymentBytecode', 'runtimeBytecode'] as const),
  ...(['bytecode_runtime', 'source_map', 'source_map_runtime', 'sourcemap'] as const),
] as const;
const CODE_MEMBERS: ReadonlySet<string> = new Set(MEMBERS);
/** `output` of a build, around `contracts`. */
const MAX_DEPTH = 3;

/** The position of the object that has the code: Vyper has one contract in a file, named like the file. */
function findContract(text: string, contract: string, at: number, depth = 0): number | undefined {
  if (depth > MAX_DEPTH || !isObjectAt(text, at)) return undefined;
  for (const { name, from } of scanMembers(text, at)) {
    if (name !== 'id' && CODE_MEMBERS.has(name)) return at;
    const isInside =
      name === 'output' || name === 'contracts' || name === 'contractTypes' || name === contract;
    const base = name.slice(name.lastIndexOf('/') + 1);
    const found =
      isInside || base === `${contract}.vy` ? findContract(text, contract, from, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code as hex, or as an object with its map. */
function toCode(value: unknown, sourceMap: unknown): BuiltCode {
  const { object, bytecode, sourceMap: own } = asRecord(value);
  const code = [value, object, bytecode].find((each) => typeof each === 'string') ?? '';
  const digits = /^(?:0x)?([0-9a-f]*)$/i.exec(code as string)?.[1] ?? '';
  return { digits: digits.toLowerCase(), gaps: [], sourceMap: toMap(own ?? sourceMap), hasTail: true };
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
