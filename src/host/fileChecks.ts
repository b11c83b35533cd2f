import * as vscode from 'vscode';
import {
  type Address,
  createFileContext,
  createFiledCheckDeps,
  type FileContext,
  type FiledCheck,
  type FiledCheckOutcome,
  formatReadValues,
  isAppError,
  listReadValues,
  type Network,
  openReads,
  runFiledCheck,
  sanitizeText,
  summarizeCode,
  summarizeState,
  toChecksumAddress,
} from '../core/index.ts';
import { localize } from './l10n.ts';
import { formatNumber } from './numbers.ts';
import { createSessionOperations, type SessionOperationsDeps } from './sessionOperations.ts';
import { showMessage, withDelayedProgress } from './ui/dialogs.ts';

/**
 * Runs the check of a query file or document: a read, a comparison of code, or state. Compares its result with what is
 * expected.
 *
 * @throws AppError `aborted`.
 */
export async function runFileCheck(
  definition: FiledCheck,
  network: Network,
  deps: SessionOperationsDeps,
  options: { readonly signal: AbortSignal },
): Promise<FileCheck> {
  const operation = createSessionOperations(deps).depsOf({ network, isChosen: deps.session.isChosen });
  const [index, names] = await Promise.all([deps.contracts.index(), deps.names()]);
  const { chainId } = network;
  const { files = NO_FILES } = deps.contracts;
  const checkDeps = createFiledCheckDeps({
    ...{ client: deps.session.clientOf(network), clock: deps.clock, chainId, index, files },
    readSource: async (file) => (await operation.knowledge(options)).readSource?.(file),
    openReads: (opening) => openReads(operation, opening),
  });
  const context = createFileContext(index, chainId);
  const outcome = await runFiledCheck(definition, context, checkDeps, options);
  const nameOf = (address: Address) => names.nameOf(address, chainId)?.name;
  const { read } = outcome;
  return {
    outcome,
    nameOf,
    values: read ? listReadValues(read, { nameOf }) : [],
    conclusion: [...formatConclusion(outcome, definition), ...formatChosenNames(context.chosen)],
  };
}

/** Which deployment a name of several means: a sentence each. */
export function formatChosenNames(chosen: FileContext['chosen']): readonly string[] {
  return [...chosen].map(([name, { address, count }]) => {
    const args = [sanitizeText(name, 80), toChecksumAddress(address), formatNumber(count)];
    return vscode.l10n.t('{0} is {1}, the newest of {2} deployments.', ...args);
  });
}

/** Of a workspace that is not trusted. */
const NO_FILES = { list: async () => [], read: async () => undefined };

export interface FileCheck {
  readonly outcome: FiledCheckOutcome;
  /** Of a read. */
  readonly values: ReturnType<typeof listReadValues>;
  /** Whether it is as expected, why not, and which deployments the names mean: a sentence each. */
  readonly conclusion: readonly string[];
  /** Also names of the user. */
  readonly nameOf: (address: Address) => string | undefined;
}

function formatConclusion(
  { state, reasons, error }: FiledCheckOutcome,
  { expect }: FiledCheck,
): readonly string[] {
  const { l10n } = vscode;
  const shown = reasons.map((reason) => localize(reason, l10n));
  if (state !== 'ok') return shown;
  if (error) return [l10n.t('The call reverted, as expected.')];
  return expect ? [l10n.t('The result is as expected.'), ...shown] : shown;
}

/** The result in one line: `12 in block 5`, `Vault at 0x…: exact`; empty if there is none. */
export function formatCheckSummary({ outcome: { read, code, contractState }, values }: FileCheck): string {
  const { l10n } = vscode;
  if (code) return localize(summarizeCode(code), l10n);
  if (contractState) return localize(summarizeState(contractState), l10n);
  if (!read) return '';
  const shown = formatReadValues(values, MAX_SUMMARY_CHARS);
  return l10n.t('{0} in block {1}', shown, read.block.toLocaleString(vscode.env.language));
}

const MAX_SUMMARY_CHARS = 200;

/** Runs a check and shows its result as a message with these buttons. Resolves to undefined if the user cancels. */
export async function showFileCheck(
  { title, definition, network }: { title: string; definition: FiledCheck; network: Network },
  deps: SessionOperationsDeps,
  onDidRun: (check: FileCheck) => readonly string[] = () => [],
): Promise<string | undefined> {
  const check = await withDelayedProgress(formatProgress(definition, title, network.name), (options) =>
    runFileCheck(definition, network, deps, options).catch((error: unknown) => {
      if (isAppError(error, 'aborted')) return undefined;
      throw error;
    }),
  );
  if (check === undefined || check === 'cancelled') return undefined;
  const buttons = onDidRun(check);
  const summary = formatCheckSummary(check);
  const lines = [summary === '' ? `${title}:` : `${title}: ${summary}.`, ...check.conclusion];
  return showMessage(check.outcome.state === 'ok' ? 'information' : 'warning', lines.join(' '), ...buttons);
}

function formatProgress(definition: FiledCheck, title: string, on: string): string {
  return 'code' in definition
    ? vscode.l10n.t('Comparing {0} on {1}', title, on)
    : vscode.l10n.t('Reading {0} on {1}', title, on);
}
