import * as vscode from 'vscode';
import {
  type AbiEvent,
  type ChainClient,
  type CopyLog,
  type CopyQuery,
  copyLogsTargets,
  copyQueryTargets,
  createQueryForLog,
  type DecodedLog,
  type Log,
  type LogFilter,
  MAX_EXPECTED_LOGS,
  type Network,
  parseDeclaredEvent,
  type QueryForm,
  toCopyBlocks,
  type Verdict,
} from '../../core/index.ts';
import { type CopyOffer, createOffer, getResultText, pickCopy } from '../../host/copyPick.ts';
import type { Localizer } from '../../host/l10n.ts';
import { withDelayedProgress } from '../../host/ui/dialogs.ts';
import type { RowsFormat } from '../../messaging/rowSelection.ts';

interface CopiedQuery {
  readonly network: Network;
  readonly client: Pick<ChainClient, 'fetchBlockTimes'>;
  readonly filter: LogFilter;
  readonly form: QueryForm;
  /** Undefined before the first page. */
  readonly verdict: Verdict | undefined;
  /** The query's one event, as its rows decode it. */
  readonly event: AbiEvent | undefined;
  /** The network was removed or changed: send no more requests. */
  readonly onlyLoaded: boolean;
  /** The rows that the filter shows. */
  readonly rows: { readonly count: number; readonly copy: (format: RowsFormat) => Promise<void> };
}

type Times = NonNullable<CopyQuery['times']>;

/** Copies the query in a format for another tool, or its rows as a table. */
export async function copyQueryAs(query: CopiedQuery): Promise<void> {
  const { l10n } = vscode;
  const { filter, network, verdict, form, rows } = query;
  const event = parseDeclaredEvent(form.event) ?? query.event;
  const copied: CopyQuery = { filter, network, resolved: verdict, event };
  const offers = copyQueryTargets.map(({ label, purpose, copy, wantsTimes }): CopyOffer => {
    const first = copy(copied);
    return {
      label,
      purpose: l10n.t(purpose),
      ...('error' in first && { error: first.error }),
      async text() {
        const times = wantsTimes ? await readTimes(query, copied) : {};
        return times === 'cancelled' ? undefined : getResultText(copy({ ...copied, times }));
      },
    };
  });
  const count = rows.count.toLocaleString(vscode.env.language);
  await pickCopy(offers, rows.count === 0 ? [] : createTableOffers(l10n, rows.copy), {
    title: l10n.t('Copy Query As'),
    tables: rows.count === 1 ? l10n.t('Displayed row') : l10n.t('{0} displayed rows', count),
  });
}

interface CopiedLogs {
  readonly network: Network;
  readonly count: number;
  readonly readAt: (index: number) => { readonly log: Log; readonly decoded: DecodedLog };
  readonly copy: (format: RowsFormat) => Promise<void>;
}

/** Copies rows as a test or a table; a single row also as a query that finds it again. */
export async function copyRowsAs({ network, count, readAt, copy }: CopiedLogs): Promise<void> {
  const { l10n } = vscode;
  // One more than the maximum, so that the targets can refuse too many.
  const read = Array.from({ length: Math.min(count, MAX_EXPECTED_LOGS + 1) }, (_, index) => readAt(index));
  const logs = read.flatMap(({ log, decoded }): readonly CopyLog[] =>
    'event' in decoded ? [{ log, known: decoded }] : [],
  );
  const tests = copyLogsTargets.map(({ label, purpose, copy }) =>
    createOffer({ label, purpose: l10n.t(purpose) }, () =>
      logs.length < read.length ? { error: 'notDecoded' } : copy(logs, network),
    ),
  );
  const [first] = read;
  const finders = first && count === 1 ? copyQueryTargets.filter(({ isLarge }) => !isLarge) : [];
  const queries = finders.map(({ label, purpose, copy }) =>
    createOffer({ label, purpose: l10n.t(purpose) }, () => {
      const { log, decoded } = first as NonNullable<typeof first>;
      const event = 'event' in decoded ? decoded.event : undefined;
      return copy({ filter: createQueryForLog({ log }), network, event });
    }),
  );
  await pickCopy([...tests, ...queries], createTableOffers(l10n, copy), {
    title:
      count === 1
        ? l10n.t('Copy Row As')
        : l10n.t('Copy {0} Rows As', count.toLocaleString(vscode.env.language)),
    tables: l10n.t('Table'),
  });
}

/** Times of the first and the last block. Where they cannot be read, the copy has no time bounds. */
async function readTimes(query: CopiedQuery, copied: CopyQuery): Promise<Times | 'cancelled'> {
  const range = toCopyBlocks(copied);
  if (!range || query.onlyLoaded) return {};
  const { from, to } = range;
  const title = vscode.l10n.t('Loading block times from {0}', query.network.name);
  const blocks = to === 'latest' ? [from] : [from, to];
  const times = await withDelayedProgress(title, ({ signal }) =>
    query.client.fetchBlockTimes(blocks, { signal }).catch(() => undefined),
  );
  if (times === 'cancelled') return times;
  return { from: times?.get(from)?.time, to: to === 'latest' ? undefined : times?.get(to)?.time };
}

function createTableOffers(l10n: Localizer, copy: (format: RowsFormat) => Promise<void>) {
  const offer = (label: string, purpose: string, format: RowsFormat) => ({
    label,
    purpose,
    copy: () => copy(format),
  });
  return [
    offer('Markdown', l10n.t('Table of the displayed values'), 'markdown'),
    offer('CSV', l10n.t('Table of exact values'), 'csv'),
    offer('TSV', l10n.t('Table of exact values to paste into a spreadsheet'), 'tsv'),
    offer('JSON', l10n.t('As eth_getLogs returns it, with time and decoded arguments'), 'json'),
  ];
}
