import * as vscode from 'vscode';
import { sanitizeText } from '../../../core/index.ts';
import { registerCommand } from '../../../host/commands/commands.ts';
import { focusedRow } from '../../../host/commands/focusedRow.ts';
import type { ChainDeps } from '../../../host/session/chains.ts';
import { showMessage, showModal } from '../../../host/surface/messages.ts';
import { askForText } from '../../../host/surface/questions.ts';
import { showError } from '../../../host/words/showError.ts';
import type { CommandId } from '../../../manifest.ts';
import type { KeptQueries, KeptQuery } from '../kept/keptQueries.ts';
import { networkQuestion } from '../kept/panelRuns.ts';
import { LONGEST_NAME, MOST_SAVED, type NetworkQuestion } from '../kept/recentQueries.ts';
import type { LogPanels } from '../panel/askedPanel.ts';
import { openQuery } from './openQuery.ts';
import { pickQuery, queryButtons } from './pickQuery.ts';
import { nodeId, type QueriesNode, titleOf } from './queryNodes.ts';
import type { QueryTree } from './queryTree.ts';

interface QueryCommandDeps extends ChainDeps {
  readonly queries: KeptQueries;
  readonly tree: QueryTree;
  readonly panels: LogPanels;
  readonly view: Pick<vscode.TreeView<QueriesNode>, 'selection'>;
  readonly log: vscode.LogOutputChannel;
}

/** What is done with queries that are kept: with the row of a menu, of an id, or the selected one by a key. */
export function registerQueryCommands(deps: QueryCommandDeps): vscode.Disposable {
  const { queries, tree, panels, view } = deps;

  function command(id: CommandId, run: (argument: unknown) => unknown): vscode.Disposable {
    return registerCommand(id, async (argument) => {
      try {
        await run(argument);
      } catch (error) {
        await showError(error, { service: 'endpoint', network: deps.session.network, log: deps.log });
      }
    });
  }
  const rowCommand = (id: CommandId, run: (query: KeptQuery) => unknown) =>
    command(id, async (argument) => {
      const query = tree.queryOf(argument ?? (await focusedRow(view, nodeId)));
      return query && run(query);
    });
  const compare = async (query: KeptQuery) => {
    const panel = await openQuery(query, deps, { run: false });
    await panel?.compareWithLast();
  };

  /** One that ran stays among the recent ones; of another nothing would stay. */
  const remove = async (query: KeptQuery) => {
    const { l10n } = vscode;
    const button = l10n.t('Remove');
    const question = l10n.t('Remove {0}?', query.name ?? '');
    const detail = l10n.t('It did not run in this workspace, so that nothing of it stays here.');
    const isLost = query.name !== undefined && !query.last;
    if (!isLost || (await showModal(question, detail, button)) === button) await queries.remove(query.id);
  };

  async function choose(): Promise<void> {
    const picked = await pickQuery(queries, await tree.context());
    const query = picked?.choice.query;
    if (!query) return;
    if (picked.button === queryButtons.compare) await compare(query);
    else if (picked.button === queryButtons.remove) {
      await remove(query);
      await choose();
    } else await openQuery(query, deps, { run: picked.button !== queryButtons.edit });
  }

  return vscode.Disposable.from(
    command('chainside.openQuery', async (argument) => {
      const query = tree.queryOf(argument);
      await (query ? openQuery(query, deps, { run: true }) : choose());
    }),
    rowCommand('chainside.editQuery', (query) => openQuery(query, deps, { run: false })),
    rowCommand('chainside.duplicateQuery', (query) => openQuery(query, deps, { run: true, fresh: true })),
    command('chainside.compareQuery', async (argument) => {
      const query = tree.queryOf(argument);
      await (query ? compare(query) : panels.active?.compareWithLast());
    }),
    command('chainside.saveQuery', async (argument) => {
      const query = tree.queryOf(argument);
      const { active } = panels;
      if (query) await saveQuery(query, titleOf(query, await tree.context()), deps);
      else if (active) await saveQuery(networkQuestion(active.question), active.title, deps);
    }),
    rowCommand('chainside.renameQuery', (query) => query.name && saveQuery(query, query.name, deps)),
    rowCommand('chainside.removeQuery', remove),
    command('chainside.clearRecentQueries', async () => {
      const { l10n } = vscode;
      const { length } = queries.recent;
      const clear = l10n.t('Clear');
      const detail = l10n.t('What was kept of their logs goes too. Saved queries stay.');
      const question =
        length === 1 ? l10n.t('Clear 1 recent query?') : l10n.t('Clear {0} recent queries?', length);
      if (length > 0 && (await showModal(question, detail, clear)) === clear) queries.clearRecent();
    }),
  );
}

/** Asks for the name of a query, and saves it. */
async function saveQuery(
  asked: NetworkQuestion,
  title: string,
  { queries }: Pick<QueryCommandDeps, 'queries'>,
): Promise<void> {
  const { l10n } = vscode;
  const known = queries.find(asked)?.name;
  const name = await askForText({
    title: known === undefined ? l10n.t('Save Query') : l10n.t('Rename Query'),
    prompt: l10n.t('A name for the query: it stands in the Queries view of every window'),
    value: known ?? title,
    validateInput: (text) =>
      sanitizeText(text, LONGEST_NAME + 1).trim() === ''
        ? l10n.t('A query needs a name.')
        : text.length > LONGEST_NAME
          ? l10n.t('A name has up to {0} characters.', LONGEST_NAME)
          : undefined,
  });
  if (name === undefined || sanitizeText(name, LONGEST_NAME).trim() === '') return;
  const outcome = await queries.save(asked, name);
  if (outcome === 'saved') return;
  const most = MOST_SAVED.toLocaleString(vscode.env.language);
  const why =
    outcome === 'tooMany'
      ? l10n.t('{0} queries are saved already. Remove one first.', most)
      : l10n.t('This query cannot be asked as it stands, so that it is not saved. Run it once.');
  void showMessage('warning', why);
}
