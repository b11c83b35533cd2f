import type { Abortable } from '../base/concurrency.ts';
import type { AppError } from '../base/errors.ts';
import { type CodeCheckDeps, checkCode, findCodeErrors } from './checkCode.ts';
import type { FiledCheckOutcome } from './checkOutcome.ts';
import { checkRead, findReadErrors, type ReadCheckDeps } from './checkRead.ts';
import { checkState, findStateErrors, type StateCheckDeps } from './checkState.ts';
import { type CodeDefinition, isCodeJson, parseCodeDefinition } from './codeDefinition.ts';
import type { FileContext } from './filedNames.ts';
import { type ChainQueryDefinition, parseChainQueryDefinition, requireChain } from './queryDefinition.ts';
import { isReadJson, parseReadDefinition, type ReadDefinition } from './readDefinition.ts';
import { isStateJson, parseStateDefinition, type StateDefinition } from './stateDefinition.ts';

/** What a file can check besides logs: a read, deployed code, or state from logs. */
export type FiledCheck = ReadDefinition | CodeDefinition | StateDefinition;

export type ChainFiledCheck = FiledCheck & { readonly chainId: number };

/**
 * Whether the JSON of a query is a check that is not of logs.
 *
 * @example isFiledCheckJson({ chainId: 1, read: { contract: 'Vault', function: 'cap' } }) // true
 */
export function isFiledCheckJson(json: unknown): boolean {
  return isReadJson(json) || isCodeJson(json) || isStateJson(json);
}

/**
 * Parses the JSON of a check for which {@link isFiledCheckJson} holds.
 *
 * @throws AppError `badInput` for an invalid field, named by its path, or an unknown key.
 * @example 'code' in parseFiledCheck({ code: { contract: 'Vault' } }) // true
 */
export function parseFiledCheck(json: unknown): FiledCheck {
  if (isReadJson(json)) return parseReadDefinition(json);
  return isCodeJson(json) ? parseCodeDefinition(json) : parseStateDefinition(json);
}

/**
 * Parses what a file has: a query, or a check. It must name its chain, because files do not depend on the active network.
 *
 * @throws AppError `badInput` as {@link parseFiledCheck} and `parseQueryDefinition` do, and for a missing `chainId`.
 * @example 'read' in parseFileDefinition({ chainId: 1, event: 'Paused()' }) // false
 */
export function parseFileDefinition(json: unknown): ChainQueryDefinition | ChainFiledCheck {
  return isFiledCheckJson(json) ? requireChain(parseFiledCheck(json)) : parseChainQueryDefinition(json);
}

/**
 * @example isFiledCheck(parseFileDefinition({ chainId: 1, event: 'Paused()' })) // false
 */
export function isFiledCheck(
  definition: ChainQueryDefinition | ChainFiledCheck,
): definition is ChainFiledCheck {
  return !('query' in definition);
}

/** Whether nothing is expected of a check. Of code, it always is: that it is the same. */
export function expectsNothing(check: FiledCheck): boolean {
  return check.expect === undefined && !('code' in check);
}

/**
 * What is wrong with a check, as far as the project tells. No requests are sent.
 *
 * @example findFiledCheckErrors(parseFiledCheck(json), createFileContext(index, 1)).map(({ message }) => message);
 */
export function findFiledCheckErrors(check: FiledCheck, context: FileContext): readonly AppError[] {
  if ('read' in check) return findReadErrors(check, context);
  return 'code' in check ? findCodeErrors(check, context) : findStateErrors(check, context);
}

/** How checks are run. */
export type FiledCheckDeps = ReadCheckDeps & CodeCheckDeps & StateCheckDeps;

/**
 * Runs a check, and compares its result with its expectation.
 *
 * @throws AppError `aborted`.
 * @example const { state, reasons } = await runFiledCheck(parseFiledCheck(json), context, deps);
 */
export async function runFiledCheck(
  check: FiledCheck,
  context: FileContext,
  deps: FiledCheckDeps,
  options: Abortable = {},
): Promise<FiledCheckOutcome> {
  if ('read' in check) return checkRead(check, context, deps, options);
  return 'code' in check
    ? checkCode(check, context, deps, options)
    : checkState(check, context, deps, options);
}
