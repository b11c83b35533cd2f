import * as vscode from 'vscode';
import { createTimeSlices, groupDigits, systemClock, toChecksumAddress } from '../../../core/index.ts';
import { type Choice, pickOne } from '../../../host/surface/questions.ts';
import type { ReadyHoldings } from '../balances/balanceReader.ts';
import { collectionName, holdingWords, valueWords } from '../balances/figureWords.ts';
import type { AddressNode } from '../tree/addressNodes.ts';
import { everyHolding, type PlacedHolding } from '../tree/holdingNodes.ts';

/** Lets the user search all that an address holds, by name, ticker or contract; undefined when left with Escape. */
export async function pickHolding(
  owner: AddressNode,
  source: ReadyHoldings,
  title: string,
): Promise<PlacedHolding | undefined> {
  const items: (Choice & { readonly placed: PlacedHolding })[] = [];
  const slices = createTimeSlices(systemClock);
  for (const placed of everyHolding(owner, source)) {
    items.push({ ...words(placed, source), placed });
    if (slices.isOver()) await slices.rest();
  }
  const picked = await pickOne(items, {
    title,
    placeHolder: vscode.l10n.t(
      '{0} holdings: type a name, a ticker or a contract',
      groupDigits(items.length),
    ),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.placed;
}

function words({ node }: PlacedHolding, { holdings }: ReadyHoldings): Choice {
  const detail = toChecksumAddress(node.contract);
  if (node.kind === 'collection') {
    return {
      label: collectionName(node.collection),
      description: [node.collection.symbol, vscode.l10n.t('NFT collection')].filter(Boolean).join(' · '),
      detail,
    };
  }
  const { token } = node;
  const value = valueWords(token, holdings.balances.quoteCurrency);
  return {
    label: holdingWords(token),
    description: [token.name === token.symbol ? undefined : token.name, value].filter(Boolean).join(' · '),
    detail,
  };
}
