import * as vscode from 'vscode';
import type { CopyError, CopyResult } from '../core/index.ts';
import type { Localizer } from './l10n.ts';
import { type PickItem, pickOne, showMessage, showStatusMessage } from './ui/dialogs.ts';

/** One entry of the quick pick. */
export interface CopyOffer {
  readonly label: string;
  readonly purpose: string;
  /** The text for the clipboard; undefined if the user cancelled. */
  readonly text: () => Promise<string | undefined>;
  /** Why it is not available here. */
  readonly error?: CopyErrorReason | undefined;
}

/** An entry that copies and shows its own message. */
export interface TableCopy {
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
export async function pickCopy(
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

export function getResultText(result: CopyResult): string | undefined {
  return 'text' in result ? result.text : undefined;
}

export function createOffer(
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
      return l10n.t('The name is not a valid Solidity identifier');
    case 'type':
      return l10n.t('A value cannot be expressed in Solidity, or takes too many lines');
    case 'value':
      return l10n.t('The function returned no value');
    case 'layouts':
      return l10n.t('The rows contain two layouts of the same event');
    case 'notDecoded':
      return l10n.t('One row is not decoded');
  }
}
