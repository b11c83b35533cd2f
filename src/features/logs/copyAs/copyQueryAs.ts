import * as vscode from 'vscode';
import {
  type AbiEvent,
  type ChainClient,
  type CopyQuery,
  type CopyResult,
  copyQueryTargets,
  type LogFilter,
  type Network,
  parseDeclaredEvent,
  type QueryForm,
  toCopyBlocks,
  type Verdict,
} from '../../../core/index.ts';
import { whileAsking } from '../../../host/commands/whileAsking.ts';
import type { RowsFormat } from '../protocol/selectedRows.ts';
import { type CopyOffer, chooseCopy } from './chooseCopy.ts';
import { tableOffers } from './tableOffers.ts';

/** A query that ran, or runs. */
interface CopiedQuery {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'blockTimes'>;
  readonly filter: LogFilter;
  readonly form: QueryForm;
  /** Of its answer; undefined where there is none yet. */
  readonly verdict: Verdict | undefined;
  /** The one event that it asks for, as its rows have it. */
  readonly event: AbiEvent | undefined;
  /** Its network is not to be asked any more. */
  readonly onlyLoaded: boolean;
  /** How many rows are shown, and what copies all of them. */
  readonly rows: { readonly count: number; readonly copy: (format: RowsFormat) => Promise<void> };
}

type Times = NonNullable<CopyQuery['times']>;

/** Copies a query for another tool that the user chooses, or the rows that are shown of it. */
export async function copyQueryAs(query: CopiedQuery): Promise<void> {
  const { l10n } = vscode;
  const { filter, network, verdict, form, rows } = query;
  const event = parseDeclaredEvent(form.event) ?? query.event;
  const handed: CopyQuery = { filter, network, resolved: verdict, event };
  const offers = copyQueryTargets.map(({ label, purpose, hand, wantsTimes }): CopyOffer => {
    const first = hand(handed);
    return {
      ...{ label, purpose: purpose(l10n) },
      ...('refused' in first && { refused: first.refused }),
      async text() {
        const times = wantsTimes ? await readTimes(query, handed) : {};
        return times === 'cancelled' ? undefined : textOf(hand({ ...handed, times }));
      },
    };
  });
  const count = rows.count.toLocaleString(vscode.env.language);
  await chooseCopy(offers, rows.count === 0 ? [] : tableOffers(l10n, rows.copy), {
    title: l10n.t('Copy Query As'),
    tables: rows.count === 1 ? l10n.t('The row that is shown') : l10n.t('The {0} rows that are shown', count),
  });
}

export function textOf(handed: CopyResult): string | undefined {
  return 'text' in handed ? handed.text : undefined;
}

/** When the first and the last block were made, where that can be had: what cannot is not bounded by time. */
async function readTimes(query: CopiedQuery, handed: CopyQuery): Promise<Times | 'cancelled'> {
  const range = toCopyBlocks(handed);
  if (!range || query.onlyLoaded) return {};
  const { from, to } = range;
  const title = vscode.l10n.t('Asking {0} for the times of the first and the last block', query.network.name);
  const blocks = to === 'latest' ? [from] : [from, to];
  const read = await whileAsking(title, ({ signal }) =>
    query.client.blockTimes(blocks, { signal }).catch(() => undefined),
  );
  if (read === 'cancelled') return read;
  return { from: read?.get(from)?.time, to: to === 'latest' ? undefined : read?.get(to)?.time };
}
