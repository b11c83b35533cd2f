import type { Abortable } from '../base/concurrency.ts';
import { type AppError, badInput, isAppError } from '../base/errors.ts';
import { createMessage, foreign } from '../base/text.ts';
import type { Address } from '../eth/hex.ts';
import { listFunctions } from '../reads/contractViews.ts';
import type { ResolvedBlock } from '../reads/readBlock.ts';
import { type ReadDeps, type ReadResult, readContract } from '../reads/readContract.ts';
import { chooseFunction, filterFunctions, parseWrittenFunction } from '../reads/readFunction.ts';
import {
  type CheckClient,
  checkAtBlock,
  describeError,
  type FiledCheckOutcome,
  toErrorOutcome,
} from './checkOutcome.ts';
import {
  createErrorCollector,
  type FileContext,
  type ResolveAddress,
  validateBlock,
  withField,
} from './filedNames.ts';
import type { ReadDefinition, ReadExpectation } from './readDefinition.ts';
import { compareValues, isExpectedRevert, readResultToExpectation } from './readExpectation.ts';

/** How a read is made. */
export interface ReadCheckDeps extends CheckClient {
  openReads(options: Abortable): Promise<ReadDeps>;
}

/**
 * Reads what a file says, and compares it with its expectation; without one, it must return.
 *
 * @throws AppError `aborted`.
 * @example const { state, reasons } = await checkRead(parseReadDefinition(json), context, deps);
 */
export async function checkRead(
  { read, expect }: Pick<ReadDefinition, 'read' | 'expect'>,
  { resolveAddress }: FileContext,
  deps: ReadCheckDeps,
  options: Abortable = {},
): Promise<FiledCheckOutcome> {
  const { function: name, args, block: text, from: sender } = read;
  const { errors, collect } = createErrorCollector();
  const address = collect(() => resolveAddress(read.contract, 'read.contract'));
  collect(() => validateBlock(text, 'read.block'));
  const from = sender === undefined ? undefined : collect(() => resolveAddress(sender, 'read.from'));
  const [first] = errors;
  if (first) return toErrorOutcome(first, withFileField);

  async function check({ block, reasons }: ResolvedBlock): Promise<FiledCheckOutcome> {
    try {
      if (!address) throw badInput('read.contract', 'The contract is missing.');
      const reads = { ...(await deps.openReads(options)), resolveAddress };
      const result = await readContract({ address, function: name, args, block, from }, reads, options);
      return judgeResult({ ...result, reasons }, expect, resolveAddress);
    } catch (error) {
      if (isAppError(error, 'reverted')) return judgeRevert(error, expect);
      throw error;
    }
  }

  return checkAtBlock({ text, deps, withFileField }, check, options);
}

function judgeResult(
  result: ReadResult,
  expect: ReadExpectation | undefined,
  resolveAddress: ResolveAddress,
): FiledCheckOutcome {
  if (result.undecoded !== undefined) {
    const reason = createMessage('{0} The values are its raw words.', result.undecoded);
    return { state: 'incomplete', reasons: [reason], read: result };
  }
  const reasons = expect ? compareValues(result, expect, { resolveAddress }) : [];
  const isWritten = expect && !('value' in expect);
  return {
    state: reasons.length > 0 ? 'differs' : 'ok',
    reasons,
    read: result,
    ...((!expect || (!isWritten && reasons.length > 0)) && { update: readResultToExpectation(result) }),
  };
}

function judgeRevert(error: AppError, expect: ReadExpectation | undefined): FiledCheckOutcome {
  const isExpected = expect && 'reverts' in expect ? isExpectedRevert(error, expect.reverts) : false;
  if (isExpected) return { state: 'ok', reasons: [], error };
  const wanted = expect && 'reverts' in expect ? foreign(String(expect.reverts)) : createMessage('a value');
  return isExpected === undefined
    ? { state: 'incomplete', reasons: [createMessage(NO_REVERT_DATA)], error }
    : {
        state: 'differs',
        reasons: [createMessage('{0} Expected: {1}.', describeError(error), wanted)],
        error,
      };
}

const NO_REVERT_DATA = 'The call reverted, but the endpoint does not say why.';

/**
 * What is wrong with a read, as far as the project tells: names, the block, and, where the ABI of the contract is known,
 * its function, arguments and what is expected of it. No requests are sent.
 *
 * @example findReadErrors(parseReadDefinition(json), context).map(({ details }) => details.field);
 */
export function findReadErrors(
  { read, expect }: Pick<ReadDefinition, 'read' | 'expect'>,
  { index, chainId, resolveAddress }: FileContext,
): readonly AppError[] {
  const { errors, collect } = createErrorCollector();
  // What a proxy runs now says nothing of an earlier block.
  const listItemsAt = (address: Address) =>
    read.block === 'latest'
      ? index.abisAt({ address, chainId }).flatMap(({ items = [] }) => items)
      : (index.abiAt({ address, chainId })?.items ?? []);
  const address = collect(() => resolveAddress(read.contract, 'read.contract'));
  const { from } = read;
  if (from !== undefined) collect(() => resolveAddress(from, 'read.from'));
  collect(() => validateBlock(read.block, 'read.block'));
  const written = collect(() => parseWrittenFunction(read.function));
  const functions =
    !address || !written
      ? []
      : written.kind === 'declaration' && written.hasOutputs
        ? [written.item]
        : filterFunctions(listFunctions(listItemsAt(address)), written);
  if (functions.length > 0) {
    const chosen = collect(() => chooseFunction(functions, read.args, { resolveAddress }));
    if (chosen && expect) collect(() => compareValues(chosen.item, expect, { resolveAddress }));
  }
  return errors.map(withFileField);
}

/** The error with the path of its field in the file: `args.to` is in `read.arguments.to`. */
function withFileField(error: AppError): AppError {
  const { field = '' } = error.details;
  if (/^(?:read|expect)\b/.test(field)) return error;
  return withField(error, field.startsWith('args') ? `read.arguments${field.slice(4)}` : `read.${field}`);
}
