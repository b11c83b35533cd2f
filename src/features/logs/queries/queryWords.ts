import {
  type Address,
  type LogFilter,
  parseDeclaredEvent,
  parseQueryForm,
  type QueryDefinition,
  type QueryForm,
  toQueryForm,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { KeptQuery } from '../kept/keptQueries.ts';
import type { AskedQuery } from '../words/askedFor.ts';
import { distinctTitles } from '../words/distinctTitles.ts';
import { panelTitle, rangeTitle } from '../words/panelTitle.ts';

/** What addresses are called on a chain. */
export interface ChainNames {
  nameOf(address: Address, chainId: number): { readonly name: string } | undefined;
}

/** The form that a kept query fills in. */
export function formOf({ question }: Pick<KeptQuery, 'question'>): QueryForm {
  return toQueryForm(question.query);
}

/**
 * Queries by their names, else by what they ask for with the names that addresses have now, and by their blocks where that
 * would be alike.
 */
export function queryTitles(
  queries: readonly KeptQuery[],
  names: ChainNames,
  l10n: Localizer,
): ReadonlyMap<string, string> {
  const titled = queries.map((query) => {
    const { filter } = factsOf(query);
    const range = filter ? rangeTitle(filter, l10n) : '';
    return query.name === undefined
      ? { title: askedTitle(query, names, l10n), range }
      : { title: query.name, range: '' };
  });
  const titles = distinctTitles(titled);
  return new Map(queries.map(({ id }, place) => [id, titles[place] ?? '']));
}

/** What a query asks for: *Vault Transfer*. */
export function askedTitle(query: Pick<KeptQuery, 'question'>, names: ChainNames, l10n: Localizer): string {
  const { form, filter, event } = factsOf(query);
  const { chainId = 0 } = query.question;
  const nameOf = (address: Address) => names.nameOf(address, chainId)?.name;
  return panelTitle(filter && { form, filter, event, nameOf }, l10n);
}

type Facts = Pick<AskedQuery, 'event' | 'form'> & { readonly filter: LogFilter | undefined };
/** Found once of each question: a view is drawn often. */
const known = new WeakMap<QueryDefinition, Facts>();

function factsOf(query: Pick<KeptQuery, 'question'>): Facts {
  const facts = known.get(query.question);
  if (facts) return facts;
  const form = formOf(query);
  const found = { form, filter: parseQueryForm(form).filter, event: parseDeclaredEvent(form.event) };
  known.set(query.question, found);
  return found;
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
