import {
  type Address,
  declaredEvent,
  type QueryForm,
  queryFormOf,
  readQueryForm,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { KeptQuery } from '../kept/keptQueries.ts';
import type { AskedQuery } from '../words/askedFor.ts';
import { panelTitle } from '../words/panelTitle.ts';

/** What addresses are called on a chain. */
export interface ChainNames {
  nameOf(address: Address, chainId: number): { readonly name: string } | undefined;
}

/** The form that a kept query fills in. */
export function formOf({ question }: Pick<KeptQuery, 'question'>): QueryForm {
  return queryFormOf(question.query);
}

/** A query by its name, else by what it asks for, with the names that addresses have now. */
export function queryTitle(query: KeptQuery, names: ChainNames, l10n: Localizer): string {
  return query.name ?? askedTitle(query, names, l10n);
}

/** What a query asks for: *Vault Transfer*. */
export function askedTitle(query: Pick<KeptQuery, 'question'>, names: ChainNames, l10n: Localizer): string {
  return panelTitle(askedOf(query, names), l10n);
}

function askedOf(query: Pick<KeptQuery, 'question'>, names: ChainNames): AskedQuery | undefined {
  const form = formOf(query);
  const { filter } = readQueryForm(form);
  const { chainId = 0 } = query.question;
  const nameOf = (address: Address) => names.nameOf(address, chainId)?.name;
  return filter && { form, filter, event: declaredEvent(form.event), nameOf };
}

/** The addresses, event, values and blocks of a query as they are written, a line each, to be looked through and read. */
export function queryLines({ question }: Pick<KeptQuery, 'question'>, l10n: Localizer): readonly string[] {
  const { addresses, event, topics, args = {}, fromBlock, toBlock } = question.query;
  const values = Object.entries(args).filter(([, texts]) => texts.length > 0);
  return [
    ...listed(addresses),
    ...(event ? [event] : listed(topics[0] ?? [])),
    ...values.map(([name, texts]) => `${name}: ${listed(texts).join(', ')}`),
    ...[1, 2, 3].flatMap((position) => {
      const texts = topics[position] ?? [];
      return texts.length > 0 ? [l10n.t('topic {0}: {1}', position, listed(texts).join(', '))] : [];
    }),
    fromBlock === undefined && toBlock === undefined
      ? ''
      : l10n.t('blocks {0} to {1}', String(fromBlock ?? 0), String(toBlock ?? l10n.t('latest'))),
  ].filter((line) => line !== '');
}

/** Some of many. */
function listed(texts: readonly string[]): readonly string[] {
  const MOST = 5;
  return texts.length > MOST ? [...texts.slice(0, MOST), `+${texts.length - MOST}`] : texts;
}
