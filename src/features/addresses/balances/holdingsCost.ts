import * as vscode from 'vscode';
import type { Price } from '../../../core/index.ts';
import { showModal } from '../../../host/surface/messages.ts';

/** From this many credits on, a command asks before it spends them. */
const DEAR = 10;

/** Of how many addresses holdings may be read unasked; where the price is not known, as if it were two credits. */
export function mostUnasked(price: Price | undefined): number {
  const { most } = creditsOf(price) ?? { most: 2 };
  return Math.ceil(DEAR / Math.max(most, 1)) - 1;
}

/** What a look at what an address holds takes of the key's credits, as far as that is known. */
export function holdingsCostLines(price: Price | undefined): readonly string[] {
  const credits = creditsOf(price);
  if (!credits) return [];
  const { least, most } = credits;
  return [vscode.l10n.t('Each look at an address takes {0} or {1} of its credits.', least, most)];
}

/** Asks whether to read what `addresses` hold, if that is dear. */
export async function agreesToCost(addresses: number, price: Price | undefined): Promise<boolean> {
  const credits = creditsOf(price);
  if (!credits || addresses * credits.most < DEAR) return true;
  const go = vscode.l10n.t('Read Tokens');
  const chosen = await showModal(
    vscode.l10n.t(
      'Reading the tokens of {0} addresses again takes {1} to {2} credits of your data API key.',
      addresses,
      addresses * credits.least,
      addresses * credits.most,
    ),
    '',
    go,
  );
  return chosen === go;
}

/** The least and the most credits of one look; undefined where it takes none, or nobody tells how many. */
function creditsOf(price: Price | undefined) {
  return typeof price === 'object' ? price : undefined;
}
