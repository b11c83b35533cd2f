import * as vscode from 'vscode';
import { showBriefly, showMessage } from '../../../host/surface/messages.ts';
import { type Choice, pickOne } from '../../../host/surface/questions.ts';
import { type CopyRefusal, refusalWords } from './refusalWords.ts';

/** Something that can be copied, by its name and what it is for. */
export interface CopyOffer {
  readonly label: string;
  readonly purpose: string;
  /** What is put on the clipboard; undefined where the user gave up. */
  readonly text: () => Promise<string | undefined>;
  /** Why it is not offered here. */
  readonly refused?: CopyRefusal | undefined;
}

/** Something that copies by itself, and says so. */
interface OwnCopy {
  readonly label: string;
  readonly purpose: string;
  readonly copy: () => Promise<void>;
}

interface CopyWords {
  readonly title: string;
  /** Above what copies rows as a table. */
  readonly tables: string;
}

type Item = Choice & { readonly offer?: CopyOffer; readonly own?: OwnCopy };

/** The panel takes the focus back when the palette closes. */
const ignoreFocusOut = true;

/** Has the user choose what to copy, and copies it. What cannot be had comes last, with the reason. */
export async function chooseCopy(
  offers: readonly CopyOffer[],
  tables: readonly OwnCopy[],
  words: CopyWords,
): Promise<void> {
  const { l10n } = vscode;
  const open = offers.filter(({ refused }) => refused === undefined);
  const refused = offers.filter((offer) => offer.refused !== undefined);
  const items: readonly Item[] = [
    ...open.map((offer) => ({ label: offer.label, description: offer.purpose, offer })),
    ...under(
      words.tables,
      tables.map((own) => ({ label: own.label, description: own.purpose, own })),
    ),
    ...under(
      l10n.t('Not for this'),
      refused.map((offer) => ({ label: offer.label, description: reasonOf(offer), offer })),
    ),
  ];
  const picked = await pickOne(items, {
    title: words.title,
    placeHolder: l10n.t('What to copy it as'),
    ...{ ignoreFocusOut, matchOnDescription: true },
  });
  if (picked?.own) await picked.own.copy();
  else if (picked?.offer) await copy(picked.offer);
}

function under(label: string, items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function reasonOf({ refused }: CopyOffer): string {
  return refused === undefined ? '' : refusalWords(refused, vscode.l10n);
}

async function copy(offer: CopyOffer): Promise<void> {
  const { l10n } = vscode;
  if (offer.refused !== undefined) {
    await showMessage('information', l10n.t('Not copied as {0}: {1}.', offer.label, reasonOf(offer)));
    return;
  }
  const text = await offer.text();
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  showBriefly(l10n.t('Copied as {0}', offer.label), 3000);
}
