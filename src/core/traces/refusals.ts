import { parseAbiItem } from '../abi/item.ts';
import { parseAbi } from '../abi/parseAbi.ts';
import type { AbiParameter, AbiType } from '../abi/type.ts';
import { createMessage, type Message, sanitizeText } from '../base/text.ts';
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
  readonly checksArguments?: boolean;
  /** How many members enums have, by name. */
  readonly enumSizes?: ReadonlyMap<string, number>;
}

/**
 * Why the code of a build refused a call, by its ABI. Undefined if a line of its source may have run.
 *
 * @param options.checksArguments whether the compiler checks the range of each argument, as solc does since 0.8.0.
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
  { knownName, checksArguments = false, enumSizes }: RefusalOptions = {},
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
    return bytes < countHeadBytes(own) ? refuse('constructorArguments') : undefined;
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
  if ((input.length - SELECTOR_CHARS) / 2 < countHeadBytes(entry)) return refuse('arguments', name);
  const argument = checksArguments ? findDirtyArgument(entry, input, enumSizes) : undefined;
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
function findDirtyArgument(
  entry: PlainRecord,
  input: Hex,
  enumSizes: ReadonlyMap<string, number> | undefined,
): Refusal['argument'] {
  const item = toFunction(entry);
  const size = BigInt((input.length - SELECTOR_CHARS) / 2);
  let at = SELECTOR_CHARS;
  for (const [index, { type }] of (item?.inputs ?? []).entries()) {
    const word = BigInt(`0x${input.slice(at, at + WORD_CHARS)}`);
    const { internalType } = asRecord(asList(entry.inputs)[index]);
    const [, name] = /^enum (?:\w+\.)?(\w+)$/.exec(String(internalType)) ?? [];
    const members = name === undefined ? undefined : enumSizes?.get(name);
    const isDirty = isDynamic(type)
      ? isBehindData(type, { word, size, args: input.slice(SELECTOR_CHARS) })
      : isOutOfRange(type, word) || (members !== undefined && word >= BigInt(members));
    const text = members === undefined ? type.text : (name ?? type.text);
    if (isDirty) return { position: index + 1, type: sanitizeText(text, MAX_NAME_CHARS) };
    at += WORD_CHARS * (isDynamic(type) ? 1 : countStaticHeads(type));
  }
  return undefined;
}

const WORD_CHARS = 64;

/** Whether an offset, or the length there, goes beyond the data. */
function isBehindData(
  type: AbiType,
  { word, size, args }: { readonly word: bigint; readonly size: bigint; readonly args: string },
): boolean {
  if (type.kind === 'tuple' || (type.kind === 'array' && type.length !== undefined)) return false;
  if (word + 32n > size) return true;
  const at = 2 * Number(word);
  const length = BigInt(`0x${args.slice(at, at + WORD_CHARS)}`);
  const unit = type.kind !== 'array' ? 1 : isDynamic(type.item) ? 32 : 32 * countStaticHeads(type.item);
  return length * BigInt(unit) > size - word - 32n;
}

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
      return createMessage('{0} has no function {1}, and no fallback function', contract, called);
    case 'noReceive':
      return createMessage('{0} has no receive function, and no fallback function', contract);
    case 'value':
      return createMessage('{0} is not payable', `${contract}.${called}`);
    case 'arguments':
      return createMessage('{0} was called with too few bytes for its arguments', `${contract}.${called}`);
    case 'argument':
      return createMessage(
        'argument {0} of {1} is not a valid {2}',
        String(argument?.position),
        `${contract}.${called}`,
        argument?.type ?? '',
      );
    case 'constructorValue':
      return createMessage('{0} has no payable constructor', contract);
    case 'constructorArguments':
      return createMessage(
        '{0} was created with too few bytes for the arguments of its constructor',
        contract,
      );
  }
}
