import * as vscode from 'vscode';
import { type ListChoice, openList, type Picked } from '../../../host/surface/lists/openList.ts';
import type { KeptQueries, KeptQuery } from '../kept/keptQueries.ts';
import { descriptionOf, type RowContext, titleOf } from './queryNodes.ts';
import { askedTitle, queryLines } from './queryWords.ts';

export interface QueryChoice extends ListChoice {
  readonly query?: KeptQuery;
}

/** The icons of the buttons on a row. */
export const queryButtons = { edit: 'edit', compare: 'git-compare', remove: 'trash' } as const;

/** Has the user pick one of the queries, which are searched by name, by what addresses are called, by event and network. */
export async function pickQuery(
  queries: KeptQueries,
  context: RowContext,
): Promise<Picked<QueryChoice> | undefined> {
  const { l10n } = vscode;
  await queries.ready;
  const { saved, recent } = queries;
  const group = (label: string, list: readonly KeptQuery[]): readonly QueryChoice[] =>
    list.length === 0
      ? []
      : [
          { label, kind: vscode.QuickPickItemKind.Separator },
          ...list.map((query) => choiceOf(query, context)),
        ];
  const choices = [...group(l10n.t('Saved'), saved), ...group(l10n.t('Recent'), recent)];
  const none: QueryChoice = {
    label: l10n.t('No query ran yet'),
    description: l10n.t('Query Logs… runs one'),
    onlyWords: true,
  };
  const picked = await openList<QueryChoice>(
    { title: l10n.t('Open Query'), placeHolder: l10n.t('Choose a query to run') },
    choices.length === 0 ? [none] : choices,
  );
  return picked === 'back' ? undefined : picked;
}

function choiceOf(query: KeptQuery, context: RowContext): QueryChoice {
  const { l10n, names } = context;
  const asked = query.name === undefined ? [] : [askedTitle(query, names, l10n)];
  return {
    label: titleOf(query, context),
    description: descriptionOf(query, context),
    detail: [...asked, ...queryLines(query, l10n), query.network.name].join(' · '),
    query,
    buttons: [
      { icon: queryButtons.edit, words: l10n.t('Open Without Running') },
      { icon: queryButtons.compare, words: l10n.t('Compare with Last Run') },
      { icon: queryButtons.remove, words: l10n.t('Remove') },
    ],
  };
}
