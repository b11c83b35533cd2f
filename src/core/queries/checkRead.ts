import type { Abortable } from '../base/concurrency.ts';
import { type AppError, asAppError, badInput, isAppError } from '../base/errors.ts';
import { createMessage, type Message } from '../base/text.ts';
import { isWrittenAddress, requireWrittenAddress } from '../eth/address.ts';
import type { Address } from '../eth/hex.ts';
import type { FindAddressesByName } from '../logs/query/addressNames.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { fetchReadBlock, parseReadBlock, type ReadBlockClient } from '../reads/readBlock.ts';
import { listFunctions, type ReadDeps, type ReadResult, readContract } from '../reads/readContract.ts';
import { chooseFunction, filterFunctions, parseWrittenFunction } from '../reads/readFunction.ts';
import type { FiledRead, ReadDefinition, ReadExpectation } from './readDefinition.ts';
import {
  compareValues,
  isExpectedRevert,
  type RecordedValue,
  readResultToExpectation,
} from './readExpectation.ts';
import { createIndexKnowledge, toNameError } from './resolveQuery.ts';

/**
 * A read compared with its expectation; without one, it must return. `incomplete` means that it is not known: the
 * endpoint did not answer, has no state of the block, or the results are not decoded. `invalid` means that it cannot run
 * as it is written.
 */
export interface ReadCheck {
  readonly state: 'ok' | 'differs' | 'incomplete' | 'invalid';
  readonly reasons: readonly Message[];
  /** What was returned; undefined if nothing was. */
  readonly result?: ReadResult | undefined;
  /** Why nothing was returned. */
  readonly error?: AppError | undefined;
  /** The expectation that fits, if it is another one; undefined for bounds and reverts, which people write. */
  readonly update?: RecordedValue | undefined;
}

export interface ReadCheckDeps {
  readonly reads: ReadDeps;
  readonly client: ReadBlockClient;
  /** Of the project: names of one user mean nothing to others. */
  readonly findAddressesByName: FindAddressesByName;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Reads what a file says, and compares it with its expectation.
 *
 * @throws AppError `aborted`.
 * @example const { state, reasons } = await checkRead(parseReadDefinition(json), deps);
 */
export async function checkRead(
  { read, expect }: Pick<ReadDefinition, 'read' | 'expect'>,
  deps: ReadCheckDeps,
  options: Abortable = {},
): Promise<ReadCheck> {
  const resolveAddress = createAddressResolver(deps.findAddressesByName);
  try {
    const address = resolveAddress(read.contract, 'read.contract');
    parseBlock(read);
    const { function: name, args } = read;
    const block = await fetchReadBlock(read.block, deps.client, deps.now, options);
    const reads = { ...deps.reads, resolveAddress };
    const result = await readContract({ address, function: name, args, block }, reads, options);
    return judgeResult(result, expect, resolveAddress);
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    return judgeError(error, expect);
  }
}

function judgeResult(
  result: ReadResult,
  expect: ReadExpectation | undefined,
  resolveAddress: ReturnType<typeof createAddressResolver>,
): ReadCheck {
  if (result.undecoded !== undefined) {
    const reason = createMessage('{0} The values are its raw words.', result.undecoded);
    return { state: 'incomplete', reasons: [reason], result };
  }
  const reasons = expect ? compareValues(result, expect, { resolveAddress }) : [];
  const isWritten = expect && !('value' in expect);
  return {
    state: reasons.length > 0 ? 'differs' : 'ok',
    reasons,
    result,
    ...((!expect || (!isWritten && reasons.length > 0)) && { update: readResultToExpectation(result) }),
  };
}

function judgeError(error: AppError, expect: ReadExpectation | undefined): ReadCheck {
  const message = error.details.validation ?? createMessage('{0}', error.message);
  switch (error.kind) {
    case 'badInput': {
      const { field = '' } = error.details;
      // The block is well-formed: the chain has not reached it, or does not know it.
      const state = field === 'block' ? 'incomplete' : 'invalid';
      return { state, reasons: [message], error: withFileField(error) };
    }
    case 'notAContract':
      return { state: 'differs', reasons: [message], error };
    case 'reverted': {
      const isExpected = expect && 'reverts' in expect ? isExpectedRevert(error, expect.reverts) : false;
      if (isExpected) return { state: 'ok', reasons: [], error };
      const wanted = expect && 'reverts' in expect ? String(expect.reverts) : createMessage('a value');
      return isExpected === undefined
        ? { state: 'incomplete', reasons: [createMessage(NO_REVERT_DATA)], error }
        : { state: 'differs', reasons: [createMessage('{0} Expected: {1}.', message, wanted)], error };
    }
    default:
      return { state: 'incomplete', reasons: [message], error };
  }
}

const NO_REVERT_DATA = 'The call reverted, but the endpoint does not say why.';

/**
 * What is wrong with a read, as far as the project tells: names, the block, and, where the ABI of the contract is known,
 * its function, arguments and what is expected of it. No requests are sent.
 *
 * @example findReadErrors(parseReadDefinition(json), { index, chainId: 1 }).map(({ details }) => details.field);
 */
export function findReadErrors(
  { read, expect }: Pick<ReadDefinition, 'read' | 'expect'>,
  { index, chainId }: { readonly index: ContractIndex; readonly chainId: number },
): readonly AppError[] {
  const resolveAddress = createAddressResolver(createIndexKnowledge(index, chainId).findAddressesByName);
  const errors: AppError[] = [];
  const collect = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      if (!isAppError(error, 'badInput')) throw error;
      errors.push(withFileField(error));
      return undefined;
    }
  };
  const address = collect(() => resolveAddress(read.contract, 'read.contract'));
  collect(() => parseBlock(read));
  const written = collect(() => parseWrittenFunction(read.function));
  if (!address || !written) return errors;
  const functions =
    written.kind === 'declaration' && written.hasOutputs
      ? [written.item]
      : filterFunctions(listFunctions(index.abiAt({ address, chainId })?.items ?? []), written);
  if (functions.length === 0) return errors;
  const chosen = collect(() => chooseFunction(functions, read.args, { resolveAddress }));
  if (chosen && expect) collect(() => compareValues(chosen.item, expect, { resolveAddress }));
  return errors;
}

function parseBlock({ block }: FiledRead): void {
  try {
    parseReadBlock(block);
  } catch (error) {
    throw isAppError(error, 'badInput') ? withField(error, 'read.block') : error;
  }
}

function createAddressResolver(findAddressesByName: FindAddressesByName) {
  return (text: string, field: string): Address => {
    const name = text.trim();
    if (isWrittenAddress(name)) return requireWrittenAddress(name, field);
    const [only, ...others] = findAddressesByName(name);
    if (only && others.length === 0) return only;
    throw toNameError({ field, name, count: others.length + (only ? 1 : 0) });
  };
}

/** The error with the path of its field in the file: `args.to` is in `read.arguments.to`. */
function withFileField(error: AppError): AppError {
  const { field = '' } = error.details;
  if (/^(?:read|expect)\b/.test(field)) return error;
  return withField(error, field.startsWith('args') ? `read.arguments${field.slice(4)}` : `read.${field}`);
}

const withField = ({ details, message }: AppError, field: string) =>
  badInput(field, details.validation ?? message);
