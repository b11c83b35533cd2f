import * as vscode from 'vscode';
import {
  type AbiEvent,
  type ChainClient,
  type CopyError,
  type CopyLog,
  type CopyQuery,
  type CopyResult,
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
import type { Localizer } from '../../host/l10n.ts';
import {
  type PickItem,
  pickOne,
  showMessage,
  showStatusMessage,
  withDelayedProgress,
} from '../../host/ui/dialogs.ts';
import type { RowsFormat } from './protocol/grid.ts';

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

/** One entry of the quick pick. */
interface CopyOffer {
  readonly label: string;
  readonly purpose: string;
  /** The text for the clipboard; undefined if the user cancelled. */
  readonly text: () => Promise<string | undefined>;
  /** Why it is not available here. */
  readonly error?: CopyErrorReason | undefined;
}

/** An entry that copies and shows its own message. */
interface TableCopy {
  readonly label: string;
  readonly purpose: string;
  readonly copy: () => Promise<void>;
}

interface CopyPickOptions {
  readonly title: string;
  /** Separator label above the table formats. */
  readonly tables: string;
}

type CopyItem = PickItem & { readonly offer?: CopyOffer; readonly table?: TableCopy };

/** The panel takes the focus back when the command palette closes. */
const ignoreFocusOut = true;

/** Lets the user choose a format, and copies. Formats that are not available come last, with the reason. */
async function pickCopy(
  offers: readonly CopyOffer[],
  tables: readonly TableCopy[],
  options: CopyPickOptions,
): Promise<void> {
  const { l10n } = vscode;
  const available = offers.filter(({ error }) => error === undefined);
  const unavailable = offers.filter((offer) => offer.error !== undefined);
  const items: readonly CopyItem[] = [
    ...available.map((offer) => ({ label: offer.label, description: offer.purpose, offer })),
    ...withSeparator(
      options.tables,
      tables.map((table) => ({ label: table.label, description: table.purpose, table })),
    ),
    ...withSeparator(
      l10n.t('Not available'),
      unavailable.map((offer) => ({ label: offer.label, description: formatOfferError(offer), offer })),
    ),
  ];
  const picked = await pickOne(items, {
    title: options.title,
    placeHolder: l10n.t('Choose a format'),
    ignoreFocusOut,
    matchOnDescription: true,
  });
  if (picked?.table) await picked.table.copy();
  else if (picked?.offer) await copy(picked.offer);
}

function withSeparator(label: string, items: readonly CopyItem[]): readonly CopyItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function formatOfferError({ error }: CopyOffer): string {
  return error === undefined ? '' : formatCopyError(error, vscode.l10n);
}

async function copy(offer: CopyOffer): Promise<void> {
  const { l10n } = vscode;
  if (offer.error !== undefined) {
    await showMessage(
      'information',
      l10n.t('Cannot copy as {0}. {1}.', offer.label, formatOfferError(offer)),
    );
    return;
  }
  const text = await offer.text();
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  showStatusMessage(l10n.t('Copied as {0}', offer.label), 3000);
}

function getResultText(result: CopyResult): string | undefined {
  return 'text' in result ? result.text : undefined;
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

function createOffer(
  labels: Pick<CopyOffer, 'label' | 'purpose'>,
  hand: () => CopyResult | { readonly error: CopyErrorReason },
): CopyOffer {
  const result = hand();
  if ('error' in result) return { ...labels, error: result.error, text: async () => undefined };
  return { ...labels, text: async () => getResultText(result) };
}

type CopyErrorReason = CopyError | 'notDecoded';

function formatCopyError(error: CopyErrorReason, l10n: Localizer): string {
  switch (error) {
    case 'blocks':
      return l10n.t('Run the query first to determine its blocks');
    case 'chain':
      return l10n.t('No known support for this chain');
    case 'header':
      return l10n.t('Cannot send an API key in a header');
    case 'tooLong':
      return l10n.t('The text would be too long');
    case 'name':
      return l10n.t('The event name is not a valid Solidity identifier');
    case 'type':
      return l10n.t('A value cannot be expressed in Solidity, or takes too many lines');
    case 'layouts':
      return l10n.t('The rows contain two layouts of the same event');
    case 'notDecoded':
      return l10n.t('One row is not decoded');
  }
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
