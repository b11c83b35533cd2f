import * as vscode from 'vscode';
import {
  type Address,
  checkRead,
  createIndexKnowledge,
  formatReadValues,
  isAppError,
  listReadValues,
  type Network,
  openReads,
  type ReadCheck,
  type ReadDefinition,
} from '../core/index.ts';
import { localize } from './l10n.ts';
import { createSessionOperations, type SessionOperationsDeps } from './sessionOperations.ts';
import { showMessage, withDelayedProgress } from './ui/dialogs.ts';

/**
 * Makes the read of a query file or document, and compares it with its expectation.
 *
 * @throws AppError `aborted`.
 */
export async function runFileRead(
  definition: ReadDefinition,
  network: Network,
  deps: SessionOperationsDeps,
  options: { readonly signal: AbortSignal },
): Promise<FileRead> {
  const operation = createSessionOperations(deps).depsOf({ network, isChosen: deps.session.isChosen });
  const [reads, index, names] = await Promise.all([
    openReads(operation, options),
    deps.contracts.index(),
    deps.names(),
  ]);
  const { findAddressesByName } = createIndexKnowledge(index, network.chainId);
  const { client } = operation;
  const check = await checkRead(
    definition,
    { reads, client, findAddressesByName, now: deps.clock.now() },
    options,
  );
  const nameOf = (address: Address) => names.nameOf(address, network.chainId)?.name;
  const { result } = check;
  return {
    check,
    values: result ? listReadValues(result, { nameOf }) : [],
    outcome: formatOutcome(check, definition.expect !== undefined),
  };
}

export interface FileRead {
  readonly check: ReadCheck;
  readonly values: ReturnType<typeof listReadValues>;
  /** Whether it is as expected, and why not: a sentence each. Empty if nothing is expected. */
  readonly outcome: readonly string[];
}

function formatOutcome({ state, reasons, error }: ReadCheck, isExpected: boolean): readonly string[] {
  const { l10n } = vscode;
  if (state !== 'ok') return reasons.map((reason) => localize(reason, l10n));
  if (error) return [l10n.t('The call reverted, as expected.')];
  return isExpected ? [l10n.t('The result is as expected.')] : [];
}

/** The values in one line: `12 in block 5`; empty if there are none. */
export function formatReadSummary({ check, values }: FileRead): string {
  if (!check.result) return '';
  const shown = formatReadValues(values, MAX_SUMMARY_CHARS);
  return vscode.l10n.t('{0} in block {1}', shown, check.result.block.toLocaleString(vscode.env.language));
}

const MAX_SUMMARY_CHARS = 200;

/** Makes a read and shows its result as a message with these buttons. Resolves to undefined if the user cancels. */
export async function showFileRead(
  { title, definition, network }: { title: string; definition: ReadDefinition; network: Network },
  deps: SessionOperationsDeps,
  onDidRead: (read: FileRead) => readonly string[] = () => [],
): Promise<string | undefined> {
  const { l10n } = vscode;
  const read = await withDelayedProgress(l10n.t('Reading {0} on {1}', title, network.name), (options) =>
    runFileRead(definition, network, deps, options).catch((error: unknown) => {
      if (isAppError(error, 'aborted')) return undefined;
      throw error;
    }),
  );
  if (read === undefined || read === 'cancelled') return undefined;
  const buttons = onDidRead(read);
  const summary = formatReadSummary(read);
  const lines = [summary === '' ? `${title}:` : `${title}: ${summary}.`, ...read.outcome];
  return showMessage(read.check.state === 'ok' ? 'information' : 'warning', lines.join(' '), ...buttons);
}
