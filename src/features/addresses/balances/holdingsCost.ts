import * as vscode from 'vscode';
import { creditsOf } from '../../../core/index.ts';
import { showModal } from '../../../host/surface/messages.ts';

/** The least and the most that one look at what an address holds takes of the key's credits: NFTs may take a second call. */
const least = creditsOf('tokenBalances') ?? 0;
const most = least + (creditsOf('nftBalances') ?? 0);

/** From this many credits on, a command asks before it spends them. */
const DEAR = 10;

/** Of how many addresses the tokens may be read without anyone's word for it. */
export const MOST_UNASKED = Math.ceil(DEAR / most) - 1;

export function holdingsCostWords(): string {
  return vscode.l10n.t('Each look at an address takes {0} or {1} of its credits.', least, most);
}

/** Asks whether to read what `addresses` hold, if that is dear. */
export async function agreesToCost(addresses: number): Promise<boolean> {
  if (addresses * most < DEAR) return true;
  const go = vscode.l10n.t('Read Tokens');
  const chosen = await showModal(
    vscode.l10n.t(
      'Reading the tokens of {0} addresses again takes {1} to {2} credits of your data API key.',
      addresses,
      addresses * least,
      addresses * most,
    ),
    '',
    go,
  );
  return chosen === go;
}
