import * as vscode from 'vscode';
import {
  isMovingTag,
  type LogFilter,
  type PinnedRange,
  queryDefinitionToJson,
  type RecordedResult,
  toQueryDefinition,
  type Verdict,
  writeExpectation,
} from '../../core/index.ts';
import { registerCommand, runCommand } from '../../host/commands.ts';
import { isUntrustedWorkspaceError } from '../../host/errors.ts';
import { showFileCheck } from '../../host/fileChecks.ts';
import { formatValidationError } from '../../host/l10n.ts';
import { findChainNetwork, showNoNetworkMessage } from '../../host/session/chains.ts';
import type { DocumentDiagnostic } from '../../host/ui/diagnostics.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import type { Completions, Lens } from '../../host/ui/languageFeatures.ts';
import { CheckFileResults, checkQueryFile, QueryFileResults } from './checkQuery.ts';
import { completeQueryFile } from './completions.ts';
import { createQueryLenses, findQueryDiagnostics } from './queryDiagnostics.ts';
import { findTextDocument, openQueryDocument, type QueryFilesDeps } from './queryDocument.ts';

interface QueryFiles extends vscode.Disposable {
  findDiagnostics(document: vscode.TextDocument): Promise<readonly DocumentDiagnostic[]>;
  complete(document: vscode.TextDocument, position: vscode.Position): Promise<Completions | undefined>;
  createLenses(document: vscode.TextDocument): Promise<readonly Lens[]>;
}

/** Also registers the commands of query files. `notify` requests diagnostics and lenses again. */
export function openQueryFiles(deps: QueryFilesDeps, notify: () => void): QueryFiles {
  const results = new QueryFileResults();
  const checks = new CheckFileResults();

  /** The resolved query and its network; shows a message if there is an error. */
  async function resolveRunnable(document: vscode.TextDocument) {
    const { query, check, error, title } = await openQueryDocument(document, deps);
    const [firstError = error] = query?.resolved.errors ?? check?.errors ?? [];
    if (!query?.resolved.filter) {
      const reasons = [firstError ? formatValidationError(firstError, vscode.l10n) : ''];
      if (firstError && isUntrustedWorkspaceError(firstError))
        reasons.push(vscode.l10n.t('Trust this workspace to use the names of the project.'));
      await showMessage('error', vscode.l10n.t('Cannot run {0}. {1}', title, reasons.join(' ')));
      return undefined;
    }
    const { definition, resolved } = query;
    const network = findChainNetwork(deps, definition.chainId);
    if (!network) await showNoNetworkMessage(definition.chainId);
    return network && { title, definition, resolved, network };
  }

  /** Runs the check of a file, if it has one that is valid. */
  async function runCheck(document: vscode.TextDocument): Promise<boolean> {
    const { check, title } = await openQueryDocument(document, deps);
    if (!check || check.errors.length > 0) return false;
    const { definition } = check;
    const network = findChainNetwork(deps, definition.chainId);
    if (!network) await showNoNetworkMessage(definition.chainId);
    if (!network || !(await deps.session.choose())) return true;
    const updateLabel = vscode.l10n.t('Update Expectation');
    const chosen = await showFileCheck({ title, definition, network }, deps, (done) => {
      checks.put(document.uri.toString(), definition, done);
      notify();
      return done.outcome.update ? [updateLabel] : [];
    });
    if (chosen === updateLabel) await update(document);
    return true;
  }

  async function run(document: vscode.TextDocument): Promise<void> {
    if (await runCheck(document)) return;
    const runnable = await resolveRunnable(document);
    if (!runnable) return;
    const { chainId, grouping } = runnable.definition;
    const { title: _, ...query } = queryDefinitionToJson({
      ...toQueryDefinition(runnable.resolved.form, { chainId }, { findAddressesByName: () => [] }),
      grouping,
    });
    await runCommand('chainside.queryLogs', { ...query, run: true, reuse: true });
  }

  async function compare(document: vscode.TextDocument): Promise<void> {
    if (await runCheck(document)) return;
    const runnable = await resolveRunnable(document);
    if (!runnable || !(await deps.session.choose())) return;
    const { title, definition, network } = runnable;
    const { filter } = runnable.resolved;
    const file = document.uri.toString();
    const choice = await checkQueryFile({ file, title, definition, filter, network }, deps, {
      results,
      tell: notify,
    });
    if (choice === 'show') await run(document);
    if (choice === 'update') await update(document);
  }

  async function update(document: vscode.TextDocument): Promise<void> {
    const { query, check, title } = await openQueryDocument(document, deps);
    const file = document.uri.toString();
    if (check) {
      const recorded = checks.of(file, check.definition)?.outcome.update;
      if (!recorded) return compare(document);
      return updateExpectation(document, { result: recorded, pin: {} });
    }
    const result = query && results.of(file, query.definition);
    if (!result || result.judgement.state === 'incomplete') return compare(document);
    const { count, contentSha256, verdict } = result.digest;
    const write = async (pin: PinnedRange) => {
      await updateExpectation(document, { result: { count, contentSha256, toBlock: verdict.toBlock }, pin });
      // The result is also that of the pinned range.
      const updated = await openQueryDocument(document, deps);
      if (updated.query) results.put(file, updated.query.definition, result.digest);
      notify();
    };
    await write({});
    const pin = await choosePin(title, query.resolved.filter, verdict);
    if (pin) await write(pin);
  }

  const command = (
    id: Parameters<typeof registerCommand>[0],
    act: (document: vscode.TextDocument) => Promise<void>,
  ) =>
    registerCommand(id, async (argument) => {
      const document = await findTextDocument(argument);
      if (document) await act(document);
      else
        await showMessage(
          'information',
          vscode.l10n.t('Open a query file first. Its name ends with .chainlog.json.'),
        );
    });
  const registered = vscode.Disposable.from(
    command('chainside.runQueryFile', run),
    command('chainside.compareQueryFile', compare),
    command('chainside.updateExpectation', update),
  );
  return {
    async findDiagnostics(document) {
      return findQueryDiagnostics(document, await openQueryDocument(document, deps), deps);
    },
    complete: (document, position) => completeQueryFile(document, position, deps),
    async createLenses(document) {
      return createQueryLenses(document, await openQueryDocument(document, deps), { deps, results, checks });
    },
    dispose: () => registered.dispose(),
  };
}

/** Offers to pin a range that moves with the chain. Resolves to undefined unless the user asks for it. */
async function choosePin(
  title: string,
  filter: LogFilter | undefined,
  { fromBlock, toBlock }: Verdict,
): Promise<PinnedRange | undefined> {
  const pin = {
    ...(filter && isMovingTag(filter.fromBlock) && { fromBlock }),
    ...(filter && isMovingTag(filter.toBlock) && { toBlock }),
  };
  if (Object.keys(pin).length === 0) return undefined;
  const { l10n } = vscode;
  const message = l10n.t(
    'The expectation of {0} is updated. Its range moves with the chain: blocks {1} to {2} were read.',
    title,
    ...[fromBlock, toBlock].map((block) => block.toLocaleString(vscode.env.language)),
  );
  const pinLabel = l10n.t('Pin Range');
  return (await showMessage('information', message, pinLabel)) === pinLabel ? pin : undefined;
}

/** Writes the expectation into a query file, without other changes; saves the file if it was saved before. */
async function updateExpectation(
  document: vscode.TextDocument,
  { result, pin }: { readonly result: RecordedResult; readonly pin: PinnedRange },
): Promise<void> {
  const text = document.getText();
  const updated = writeExpectation(text, { path: document.uri.path, place: 0, pin }, result);
  const { start, end } = findCommonEnds(text, updated);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(text.length - end));
  edit.replace(document.uri, range, updated.slice(start, updated.length - end));
  const isSaved = !document.isDirty;
  if ((await vscode.workspace.applyEdit(edit)) && isSaved) await document.save();
}

/** The length of the common start and end of two texts. */
function findCommonEnds(a: string, b: string): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { start, end };
}
