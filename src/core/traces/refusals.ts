import { parseAbiItem } from '../abi/item.ts';
import { parseAbi } from '../abi/parseAbi.ts';
import type { AbiParameter, AbiType } from '../abi/type.ts';
import { createMessage, type Message, sanitizeText } from '../base/text.ts';
import { isRecord, type PlainRecord } from '../base/values.ts';
import { type CallFrame, isCreation } from './callFrame.ts';
import { isRevertError } from './halts.ts';
import type { ContractBuild } from './readBuilds.ts';

/** Why a contract refused a call, before a line of its source ran: compilers check each call, and revert without data. */
export interface Refusal {
  readonly kind:
    | 'arguments'
    | 'constructorArguments'
    | 'constructorValue'
    | 'noFunction'
    | 'noReceive'
    | 'value';
  readonly contract: string;
  /** The called function by name, or the unknown selector. */
  readonly called: string;
}

/**
 * Why the code of a build refused a call, by its ABI. Undefined if a line of its source may have run.
 *
 * @param knownName of the called function, if another contract has it.
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
  knownName?: string,
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
  return (input.length - SELECTOR_CHARS) / 2 < countHeadBytes(entry) ? refuse('arguments', name) : undefined;
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
export function describeRefusal({ kind, contract, called }: Refusal): Message {
  switch (kind) {
    case 'noFunction':
      return createMessage('{0} has no function {1}, and no fallback function', contract, called);
    case 'noReceive':
      return createMessage('{0} has no receive function, and no fallback function', contract);
    case 'value':
      return createMessage('{0} is not payable', `${contract}.${called}`);
    case 'arguments':
      return createMessage('{0} was called with too few bytes for its arguments', `${contract}.${called}`);
    case 'constructorValue':
      return createMessage('{0} has no payable constructor', contract);
    case 'constructorArguments':
      return createMessage(
        '{0} was created with too few bytes for the arguments of its constructor',
        contract,
      );
  }
}
