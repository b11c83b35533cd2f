import { parseArgument } from '../abi/argument.ts';
import { encodeParameters } from '../abi/encode.ts';
import type { AbiType } from '../abi/type.ts';
import type { Abortable } from '../base/concurrency.ts';
import { type AppError, badInput } from '../base/errors.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import type { CodeComparison, CodeMatch, FilledImmutable } from '../code/codeComparison.ts';
import type { CodeRequest } from '../code/compareCode.ts';
import { isWrittenAddress } from '../eth/address.ts';
import type { Hex } from '../eth/hex.ts';
import { readWholeBlock } from '../reads/oneBlock.ts';
import type { ResolvedBlock } from '../reads/readBlock.ts';
import { type CheckClient, checkAtBlock, type FiledCheckOutcome, toInvalidOutcome } from './checkOutcome.ts';
import { explainMismatch } from './checkSummary.ts';
import { type CodeDefinition, type CodeExpectation, SAME_CODE } from './codeDefinition.ts';
import {
  createErrorCollector,
  type FileContext,
  findNamedContract,
  findOnlyDeployment,
  formatNamedAddress,
  validateBlock,
  withField,
} from './filedNames.ts';

/** How code is compared. */
export interface CodeCheckDeps extends CheckClient {
  compareCode(request: CodeRequest, options: Abortable): Promise<CodeComparison>;
}

/**
 * Compares deployed code with the build that a file names. Without an expectation, it must be the same code.
 *
 * @throws AppError `aborted`.
 * @example const { state, reasons } = await checkCode(parseCodeDefinition(json), context, deps);
 */
export async function checkCode(
  definition: Pick<CodeDefinition, 'code' | 'expect'>,
  context: FileContext,
  deps: CodeCheckDeps,
  options: Abortable = {},
): Promise<FiledCheckOutcome> {
  const { contract, address, errors } = resolveCode(definition, context);
  const [first, ...others] = errors;
  if (first) return toInvalidOutcome([first, ...others]);
  const { block: text } = definition.code;

  async function check({ block }: Pick<ResolvedBlock, 'block'>): Promise<FiledCheckOutcome> {
    if (!contract || !address) throw badInput('code.contract', 'The contract is missing.');
    const compare = () => deps.compareCode({ contract, address, block }, options);
    const comparison = await readWholeBlock({ block, client: deps.client }, compare, options);
    return judgeComparison(comparison, definition.expect, context);
  }

  return checkAtBlock({ text, deps, withFileField }, check, options);
}

function withFileField(error: AppError): AppError {
  return error.details.field === 'block' ? withField(error, 'code.block') : error;
}

/**
 * What is wrong with a comparison of code, as far as the project tells. No requests are sent.
 *
 * @example findCodeErrors(parseCodeDefinition(json), context).map(({ details }) => details.field);
 */
export function findCodeErrors(
  definition: Pick<CodeDefinition, 'code' | 'expect'>,
  context: FileContext,
): readonly AppError[] {
  return resolveCode(definition, context).errors;
}

function resolveCode({ code, expect }: Pick<CodeDefinition, 'code' | 'expect'>, context: FileContext) {
  const { errors, collect } = createErrorCollector();
  const contract = collect(() => findNamedContract(context.index, code.contract, 'code.contract'));
  const address =
    code.address === undefined
      ? contract && collect(() => findOnlyDeployment(contract, context, 'code.contract'))
      : collect(() => context.resolveAddress(code.address ?? '', 'code.address'));
  collect(() => validateBlock(code.block, 'code.block'));
  for (const [name, value] of Object.entries(expect?.immutables ?? {}))
    collect(() => parseExpectedWord(value, `expect.immutables.${name}`, context));
  for (const [name, value] of Object.entries(expect?.libraries ?? {}))
    collect(() => context.resolveAddress(value, `expect.libraries.${name}`));
  return { contract, address, errors };
}

/** Compares a comparison with what is expected of it. */
function judgeComparison(
  comparison: CodeComparison,
  expect: CodeExpectation | undefined,
  context: FileContext,
): FiledCheckOutcome {
  const { match, isOutdated, reasons } = comparison;
  const outcome = { code: comparison };
  if (match === 'unknown' || isOutdated) return { ...outcome, state: 'incomplete', reasons };
  const expected: readonly CodeMatch[] = expect?.match ?? SAME_CODE;
  if (!expected.includes(match)) {
    const differs = createMessage(
      'The match is {0}. Expected: {1}.',
      foreign(match),
      foreign(expected.join(', ')),
    );
    return { ...outcome, state: 'differs', reasons: [differs, ...explainMismatch(comparison)] };
  }
  const { errors, collect } = createErrorCollector();
  const differences = [
    ...Object.entries(expect?.immutables ?? {}).map(([name, value]) =>
      collect(() => compareImmutable(comparison.immutables, { name, value }, context)),
    ),
    ...Object.entries(expect?.libraries ?? {}).map(([name, value]) =>
      collect(() => compareLibrary(comparison, { name, value }, context)),
    ),
  ].flatMap((one) => one ?? []);
  const [first, ...others] = errors;
  if (first) return { ...outcome, ...toInvalidOutcome([first, ...others]) };
  const state = differences.length > 0 ? 'differs' : 'ok';
  return { ...outcome, state, reasons: [...differences, ...comparison.unchecked] };
}

/** An expected value by the name of an immutable or a library. */
interface Expected<Value> {
  readonly name: string;
  readonly value: Value;
}

function compareImmutable(
  immutables: readonly FilledImmutable[],
  { name, value }: Expected<string | number | boolean>,
  context: FileContext,
): Message | undefined {
  const field = `expect.immutables.${name}`;
  const found = immutables.filter((one) => one.name === name || String(one.offset) === name);
  const [filled, ...others] = found;
  if (!filled || others.length > 0) {
    const names = immutables.map((one) => one.name ?? String(one.offset));
    throw filledNameError(field, name, names);
  }
  const expected = parseExpectedWord(value, field, context);
  if (expected.encodings.some((word) => isSameWord(word, filled.value))) return undefined;
  const shown = expected.isAddress ? formatAddressWord(filled.value, context) : filled.value;
  return createMessage(
    'The immutable {0} is {1}. Expected: {2}.',
    foreign(name, 80),
    foreign(shown),
    foreign(expected.text),
  );
}

function compareLibrary(
  { libraries }: CodeComparison,
  { name, value }: Expected<string>,
  context: FileContext,
): Message | undefined {
  const field = `expect.libraries.${name}`;
  const [filled, ...others] = libraries.filter(
    (one) => one.name === name || one.name.slice(one.name.lastIndexOf(':') + 1) === name,
  );
  if (!filled || others.length > 0)
    throw filledNameError(
      field,
      name,
      libraries.map((one) => one.name),
    );
  const expected = context.resolveAddress(value, field);
  if (filled.address === expected) return undefined;
  const shown = [filled.address, expected].map((address) => foreign(formatNamedAddress(address, context)));
  return createMessage('The library {0} is {1}. Expected: {2}.', foreign(name, 80), ...shown);
}

function filledNameError(field: string, name: string, names: readonly string[]): AppError {
  const shown = sanitizeText(name, 80);
  return names.length === 0
    ? badInput(
        field,
        createMessage('The code has no {0}: nothing is filled in by its deployment.', foreign(shown)),
      )
    : badInput(
        field,
        createMessage(
          'The code has no {0}, or several. It has {1}.',
          foreign(shown),
          foreign(names.slice(0, 20).join(', ')),
        ),
      );
}

/** A value of an unknown type as the encodings that it may be. */
interface ExpectedWord {
  readonly encodings: readonly Hex[];
  readonly isAddress: boolean;
  readonly text: string;
}

/** Text is hex, a number with or without a unit, `true`, `false`, or the name of an address. */
function parseExpectedWord(
  value: string | number | boolean,
  field: string,
  context: FileContext,
): ExpectedWord {
  const text = String(value).trim();
  const encode = (type: AbiType) =>
    encodeParameters(
      [{ name: '', type }],
      [parseArgument(type, typeof value === 'string' ? text : value, { field })],
    );
  if (/^(?:true|false)$/.test(text)) return { encodings: [encode(BOOL)], isAddress: false, text };
  if (/^-?\d/.test(text) && !/^0x/i.test(text))
    return { encodings: [encode(text.startsWith('-') ? INT : UINT)], isAddress: false, text };
  const isOtherHex = isWrittenAddress(text) && text.length !== ADDRESS_CHARS;
  if (isOtherHex) {
    if (text.length < 3 || text.length % 2 > 0)
      throw badInput(field, createMessage('{0} is not hex of whole bytes.', foreign(text, 80)));
    return {
      encodings: toEncodings(text.toLowerCase() as Hex),
      isAddress: false,
      text: sanitizeText(text, 80),
    };
  }
  const address = context.resolveAddress(text, field);
  return {
    encodings: toEncodings(address).slice(0, 1),
    isAddress: true,
    text: formatNamedAddress(address, context),
  };
}

const ADDRESS_CHARS = 42;
const WORD_CHARS = 66;
const BOOL: AbiType = { kind: 'bool', text: 'bool' };
const UINT: AbiType = { kind: 'uint', bits: 256, text: 'uint256' };
const INT: AbiType = { kind: 'int', bits: 256, text: 'int256' };

/** Of a number, at the end of its word; of `bytesN`, at its start. */
function toEncodings(hex: Hex): readonly Hex[] {
  const digits = hex.slice(2);
  return [`0x${digits.padStart(WORD_CHARS - 2, '0')}`, `0x${digits.padEnd(WORD_CHARS - 2, '0')}`];
}

/** Vyper's code holds values that are shorter or longer than a word. */
function isSameWord(word: Hex, value: Hex): boolean {
  return word === value.toLowerCase() || (value.length < WORD_CHARS && toEncodings(value).includes(word));
}

function formatAddressWord(value: Hex, context: FileContext): string {
  const address = /^0x0{24}([0-9a-f]{40})$/i.exec(value)?.[1]?.toLowerCase();
  return address === undefined ? value : formatNamedAddress(`0x${address}`, context);
}
