import * as vscode from 'vscode';
import {
  type ChainFiledCheck,
  type ChainQueryDefinition,
  checkExpectation,
  digestResult,
  type Expectation,
  type ExpectationResult,
  type LogFilter,
  type Network,
  queryDefinitionToJson,
  type ResultDigest,
} from '../../core/index.ts';
import { showError } from '../../host/errors.ts';
import type { FileCheck } from '../../host/fileChecks.ts';
import { localize } from '../../host/l10n.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import type { QueryFilesDeps } from './queryDocument.ts';

/** Rows to read for one file: the fastest server needs about ten minutes. */
const MAX_ROWS = 10_000_000;

interface CheckedQuery {
  /** A URI. */
  readonly file: string;
  readonly title: string;
  readonly definition: ChainQueryDefinition;
  readonly filter: LogFilter;
  readonly network: Network;
}

/** Reads the whole result and compares it with the expectation. Returns what the user wants to do then. */
export async function checkQueryFile(
  compared: CheckedQuery,
  { session, clock, log }: QueryFilesDeps,
  { results, tell: notify }: { readonly results: QueryFileResults; readonly tell: () => void },
): Promise<'show' | 'update' | undefined> {
  const { file, title, definition, filter, network } = compared;
  const { l10n } = vscode;
  let digest: ResultDigest | 'cancelled';
  try {
    digest = await withCancellableProgress(
      l10n.t('Reading all logs of {0} on {1}', title, network.name),
      ({ signal, report }) =>
        digestResult(session.clientOf(network), filter, {
          maxRows: MAX_ROWS,
          clock,
          signal,
          onProgress: ({ blocksDone, blocks }) =>
            report(blocks === 0n ? 1 : Number(blocksDone) / Number(blocks), ''),
        }),
    );
  } catch (error) {
    await showError(error, { service: 'endpoint', network, log });
    return undefined;
  }
  if (digest === 'cancelled') return undefined;
  results.put(file, definition, digest);
  notify();
  const judgement = results.of(file, definition)?.judgement;
  if (!judgement) return undefined;
  const { state } = judgement;
  const message = l10n.t('{0}: {1}.', title, formatResult(digest, judgement, definition.expect));
  const show = l10n.t('Show Logs');
  const update = l10n.t('Update Expectation');
  const isNew = state === 'differs' || (state === 'ok' && !definition.expect);
  const chosen = await showMessage(
    state === 'ok' ? 'information' : 'warning',
    [message, ...(state === 'incomplete' ? formatReasons(judgement) : [])].join(' '),
    ...(isNew ? [update, show] : [show]),
  );
  return chosen === show ? 'show' : chosen === update ? 'update' : undefined;
}

/** The last results of query files, valid as long as the query is unchanged. */
export class QueryFileResults {
  readonly #results = new Map<string, { readonly key: string; readonly digest: ResultDigest }>();

  /** `file` is a URI. */
  put(file: string, definition: ChainQueryDefinition, digest: ResultDigest): void {
    this.#results.set(file, { key: getQueryKey(definition), digest: digest });
  }

  of(
    file: string,
    definition: ChainQueryDefinition,
  ): { readonly digest: ResultDigest; readonly judgement: ExpectationResult } | undefined {
    const stored = this.#results.get(file);
    if (stored?.key !== getQueryKey(definition)) return undefined;
    return { digest: stored.digest, judgement: checkExpectation(stored.digest, definition.expect) };
  }
}

/** The query without its title, groups and expectation. */
function getQueryKey(definition: ChainQueryDefinition): string {
  const query = { ...definition, title: undefined, grouping: undefined, expect: undefined };
  return JSON.stringify(queryDefinitionToJson(query));
}

/** The last results of checks, valid as long as the file says the same. */
export class CheckFileResults {
  readonly #results = new Map<string, { readonly key: string; readonly check: FileCheck }>();

  /** `file` is a URI. */
  put(file: string, definition: ChainFiledCheck, check: FileCheck): void {
    this.#results.set(file, { key: JSON.stringify(definition), check });
  }

  of(file: string, definition: ChainFiledCheck): FileCheck | undefined {
    const stored = this.#results.get(file);
    return stored?.key === JSON.stringify(definition) ? stored.check : undefined;
  }
}

/** The result and its comparison, in one line. */
export function formatResult(
  { count, verdict }: ResultDigest,
  { state, different }: ExpectationResult,
  expect: Expectation | undefined,
): string {
  const { l10n } = vscode;
  const logs = formatRowCount(count);
  const lastBlock = formatNumber(verdict.toBlock);
  if (verdict.state === 'unreached') return l10n.t('{0}, complete so far, to block {1}', logs, lastBlock);
  if (state === 'incomplete') return l10n.t('{0} so far, may be incomplete', logs);
  const summary = l10n.t('{0}, complete to block {1}', logs, lastBlock);
  if (!expect) return summary;
  if (state === 'ok') return l10n.t('{0}, as expected', summary);
  return different.includes('count')
    ? l10n.t('{0}, but {1} expected', summary, (expect.count ?? 0).toLocaleString(vscode.env.language))
    : l10n.t('{0}, but the rows differ from the expected hash', summary);
}

/** Why a result is not what the file expects: a sentence each. */
export function formatReasons({ reasons }: ExpectationResult): readonly string[] {
  return reasons.map((reason) => localize(reason, vscode.l10n));
}

function formatRowCount(rows: number): string {
  if (rows === 1) return vscode.l10n.t('1 log');
  return vscode.l10n.t('{0} logs', rows.toLocaleString(vscode.env.language));
}

function formatNumber(value: bigint): string {
  return value.toLocaleString(vscode.env.language);
}
