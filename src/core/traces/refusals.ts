import { parseAbiItem } from '../abi/item.ts';
import { parseAbi } from '../abi/parseAbi.ts';
import type { AbiParameter, AbiType } from '../abi/type.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import { asList, asRecord, isRecord, type PlainRecord } from '../base/values.ts';
import type { Hex } from '../eth/hex.ts';
import { type CallFrame, isCreation } from './callFrame.ts';
import { isRevertError } from './halts.ts';
import type { ContractBuild } from './readBuilds.ts';

/** Why a contract refused a call, before a line of its source ran: compilers check each call, and revert without data. */
export interface Refusal {
  readonly kind:
    | 'argument'
    | 'arguments'
    | 'constructorArguments'
    | 'constructorValue'
    | 'noFunction'
    | 'noReceive'
    | 'value';
  readonly contract: string;
  /** The called function by name, or the unknown selector. */
  readonly called: string;
  /** The argument that is out of its range, by its position from 1 and its type. */
  readonly argument?: { readonly position: number; readonly type: string };
}

interface RefusalOptions {
  readonly knownName?: string | undefined;
  /** What a function checks, by its name; undefined if only the size of the data is checked. */
  readonly getChecks?: ((name: string) => ArgumentChecks) | undefined;
}

/**
 * Why the code of a build refused a call, by its ABI. Undefined if a line of its source may have run.
 *
 * @param options.knownName of the called function, if another contract has it.
 * @example const { kind } = findRefusal(frame, build) ?? {}; // 'noFunction': the contract lacks the selector
 */
export function findRefusal(
  frame: CallFrame,
  {
    rawAbi: abi,
    contract,
    creation,
    runtime,
  }: Pick<ContractBuild, 'contract' | 'creation' | 'rawAbi' | 'runtime'>,
  { knownName, getChecks }: RefusalOptions = {},
): Refusal | undefined {
  const { error, input, output, value, calls } = frame;
  const isPlainRevert = error !== undefined && isRevertError(error) && output === '0x' && calls.length === 0;
  if (!isPlainRevert || !Array.isArray(abi)) return undefined;
  const entries = abi.filter(isRecord);
  const refuse = (kind: Refusal['kind'], called = ''): Refusal => ({ kind, called, contract: contract.name });
  const takesValue = (entry: PlainRecord | undefined) => value === 0n || (entry && isPayable(entry));
  const find = (wanted: string) => entries.find(({ type }) => type === wanted);
  if (isCreation(frame)) {
    const own = find('constructor');
    if (!takesValue(own)) return refuse('constructorValue');
    const bytes = (input.length - 2 - creation.digits.length) / 2;
    const isShort = getChecks?.('').checksOffsets !== false && bytes < countHeadBytes(own);
    return isShort ? refuse('constructorArguments') : undefined;
  }
  // A library has selectors that its ABI lacks, and does not check whether its caller was paid.
  if (LIBRARY.test(runtime.digits)) return undefined;
  const fallback = find('fallback');
  const refuseOther = (kind: 'noFunction' | 'noReceive', called?: string) => {
    if (!fallback) return refuse(kind, called);
    return takesValue(fallback) ? undefined : refuse('value', 'fallback');
  };
  if (input === '0x') return find('receive') ? undefined : refuseOther('noReceive');
  const selector = input.slice(0, SELECTOR_CHARS);
  const entry = entries.find((each) => toFunction(each)?.selector === selector);
  if (!entry)
    return refuseOther('noFunction', knownName === undefined ? selector : `${knownName} (${selector})`);
  const name = sanitizeText(String(entry.name), MAX_NAME_CHARS);
  if (!takesValue(entry)) return refuse('value', name);
  const checks = getChecks?.(String(entry.name));
  const isShort = (input.length - SELECTOR_CHARS) / 2 < countHeadBytes(entry);
  if (isShort && checks?.checksOffsets !== false) return refuse('arguments', name);
  const argument = checks && findDirtyArgument(entry, input, checks);
  return argument && { ...refuse('argument', name), argument };
}

/**
 * The function that a call of a build runs: by its selector, or `other` for one without a selector. Undefined for a library,
 * whose ABI lacks selectors, and without an ABI.
 *
 * @example findCalled(frame, build); // { name: 'pay' }
 */
export function findCalled(
  { input }: Pick<CallFrame, 'input'>,
  { rawAbi: abi, runtime }: Pick<ContractBuild, 'rawAbi' | 'runtime'>,
): { readonly name: string } | 'other' | undefined {
  if (!Array.isArray(abi) || LIBRARY.test(runtime.digits)) return undefined;
  const selector = input.slice(0, SELECTOR_CHARS);
  const entry = abi.filter(isRecord).find((each) => toFunction(each)?.selector === selector);
  return entry ? { name: String(entry.name) } : 'other';
}

const SELECTOR_CHARS = 10;
const MAX_NAME_CHARS = 120;
/** A library compares the address of its code first. */
const LIBRARY = /^73.{40}30(?:81)?14/;

/** Before Solidity 0.4.16 an ABI has only `payable`; Vyper writes `nonpayable`. */
function isPayable({ stateMutability, payable }: PlainRecord): boolean {
  return stateMutability === undefined ? payable === true : stateMutability === 'payable';
}

function toFunction(entry: PlainRecord) {
  if (entry.type !== 'function' && entry.type !== undefined) return undefined;
  const [text] = parseAbi([entry]).items;
  const item = text === undefined ? undefined : parseAbiItem(text);
  return item?.kind === 'function' ? item : undefined;
}

/** How many bytes the arguments have at least. */
function countHeadBytes(entry: PlainRecord | undefined): number {
  const item = entry && toFunction({ ...entry, type: 'function', name: 'any', outputs: [] });
  return item ? countHeads(item.inputs) * 32 : 0;
}

/** The first argument that no compiler takes: a value out of the range of its type, or an offset behind the data. */
function findDirtyArgument(entry: PlainRecord, input: Hex, options: ArgumentChecks): Refusal['argument'] {
  const item = toFunction(entry);
  const data = { args: input.slice(SELECTOR_CHARS), ...options, left: MAX_CHECKED_VALUES };
  let at = 0;
  for (const [index, { type }] of (item?.inputs ?? []).entries()) {
    const raw = asRecord(asList(entry.inputs)[index]);
    if (isDirty(type, raw, { at, base: 0 }, data)) {
      const { members, name } = findEnum(raw, options);
      const text = members === undefined ? type.text : (name ?? type.text);
      return { position: index + 1, type: sanitizeText(text, MAX_NAME_CHARS) };
    }
    at += countBytes(type);
  }
  return undefined;
}

/** What a compiler checks of arguments before a line of the source runs. */
export interface ArgumentChecks {
  /** How many members enums have, by name. */
  readonly enumSizes?: ReadonlyMap<string, number> | undefined;
  /** Whether it checks that all is within the data, as solc does; not each release of Vyper does. */
  readonly checksOffsets?: boolean | undefined;
  /** Whether it checks members of structs and lists: solc leaves those in calldata until they are read. */
  readonly checksMembers?: boolean | undefined;
}

/** Of one call that are looked at. */
const MAX_CHECKED_VALUES = 10_000;
const WORD_CHARS = 64;

interface CheckedData extends ArgumentChecks {
  readonly args: string;
  left: number;
}

/** In bytes: of the head, and of what offsets count from. */
interface HeadPlace {
  readonly at: number;
  readonly base: number;
}

function isDirty(type: AbiType, raw: PlainRecord, { at, base }: HeadPlace, data: CheckedData): boolean {
  const { args, checksOffsets = true, checksMembers = false } = data;
  const size = args.length / 2;
  const readWord = (place: number) => BigInt(`0x${args.slice(2 * place, 2 * place + WORD_CHARS)}`);
  if (data.left-- <= 0) return false;
  if (at + 32 > size) return checksOffsets;
  if (!isDynamic(type)) {
    if (type.kind !== 'tuple' && type.kind !== 'array') {
      const word = readWord(at);
      const { members } = findEnum(raw, data);
      return isOutOfRange(type, word) || (members !== undefined && word >= BigInt(members));
    }
    return checksMembers && hasDirtyMember(type, raw, { at, base: at }, data);
  }
  const start = readWord(at) + BigInt(base);
  const isList = type.kind !== 'tuple' && (type.kind !== 'array' || type.length === undefined);
  const room = BigInt(size) - start - (isList ? 32n : 0n);
  if (room < 0n) return isList ? checksOffsets : checksOffsets && checksMembers;
  const inner = Number(start);
  if (!isList) return checksMembers && hasDirtyMember(type, raw, { at: inner, base: inner }, data);
  const length = readWord(inner);
  const unit = type.kind === 'array' ? countBytes(type.item) : 1;
  if (length * BigInt(unit) > room) return checksOffsets;
  if (type.kind !== 'array' || !checksMembers) return false;
  const list = { ...type, length: Math.min(Number(length), MAX_CHECKED_VALUES) };
  return hasDirtyMember(list, raw, { at: inner + 32, base: inner + 32 }, data);
}

/** Of a tuple or an array with its length. */
function hasDirtyMember(
  type: AbiType,
  raw: PlainRecord,
  { at, base }: HeadPlace,
  data: CheckedData,
): boolean {
  if (type.kind === 'tuple') {
    let next = at;
    return type.members.some((member, index) => {
      const place = { at: next, base };
      next += countBytes(member.type);
      return isDirty(member.type, asRecord(asList(raw.components)[index]), place, data);
    });
  }
  if (type.kind !== 'array') return false;
  const unit = countBytes(type.item);
  const element = { ...raw, internalType: String(raw.internalType).replace(/\[\d*\]$/, '') };
  for (let index = 0; index < (type.length ?? 0) && data.left > 0; index++) {
    if (isDirty(type.item, element, { at: at + index * unit, base }, data)) return true;
  }
  return false;
}

function findEnum({ internalType }: PlainRecord, { enumSizes }: ArgumentChecks) {
  const [, name] = /^enum (?:\w+\.)?(\w+)$/.exec(String(internalType)) ?? [];
  return { name, members: name === undefined ? undefined : enumSizes?.get(name) };
}

/** Of the head. */
const countBytes = (type: AbiType) => 32 * (isDynamic(type) ? 1 : countStaticHeads(type));

function isOutOfRange(type: AbiType, word: bigint): boolean {
  switch (type.kind) {
    case 'address':
      return word >= 1n << 160n;
    case 'bool':
      return word > 1n;
    case 'uint':
      return word >= 1n << BigInt(type.bits);
    case 'int':
      return BigInt.asUintN(256, BigInt.asIntN(type.bits, word)) !== word;
    case 'fixedBytes':
      return BigInt.asUintN(256 - 8 * type.size, word) !== 0n;
    default:
      return false;
  }
}

function countHeads(parameters: readonly AbiParameter[]): number {
  return parameters.reduce((sum, { type }) => sum + (isDynamic(type) ? 1 : countStaticHeads(type)), 0);
}

function countStaticHeads(type: AbiType): number {
  if (type.kind === 'tuple') return countHeads(type.members);
  return type.kind === 'array' ? (type.length ?? 0) * countStaticHeads(type.item) : 1;
}

function isDynamic(type: AbiType): boolean {
  if (type.kind === 'tuple') return type.members.some((member) => isDynamic(member.type));
  if (type.kind === 'array') return type.length === undefined || isDynamic(type.item);
  return type.kind === 'string' || type.kind === 'bytes';
}

/**
 * A refusal in plain words, to stand inside a sentence.
 *
 * @example formatMessage(describeRefusal({ kind: 'value', contract: 'Vault', called: 'set' })) // 'Vault.set is not payable'
 */
export function describeRefusal({ kind, contract, called, argument }: Refusal): Message {
  switch (kind) {
    case 'noFunction':
      return createMessage(
        '{0} has no function {1}, and no fallback function',
        foreign(contract),
        foreign(called),
      );
    case 'noReceive':
      return createMessage('{0} has no receive function, and no fallback function', foreign(contract));
    case 'value':
      return createMessage('{0} is not payable', foreign(`${contract}.${called}`));
    case 'arguments':
      return createMessage(
        '{0} was called with too few bytes for its arguments',
        foreign(`${contract}.${called}`),
      );
    case 'argument':
      return createMessage(
        'argument {0} of {1} is not a valid {2}',
        foreign(String(argument?.position)),
        foreign(`${contract}.${called}`),
        foreign(argument?.type ?? ''),
      );
    case 'constructorValue':
      return createMessage('{0} has no payable constructor', foreign(contract));
    case 'constructorArguments':
      return createMessage(
        '{0} was created with too few bytes for the arguments of its constructor',
        foreign(contract),
      );
  }
}
