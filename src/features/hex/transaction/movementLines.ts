import {
  type Address,
  formatAmount,
  formatUnitsGrouped,
  getNetAmount,
  groupDigits,
  isSupply,
  type Movement,
  type Network,
  type TokenUnits,
} from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import type { Wording } from '../words/wording.ts';
import { addressWords } from './factWords.ts';

export interface MovementWords {
  readonly network: Network;
  readonly wording: Wording;
  readonly unitsOf: (token: Address) => TokenUnits | undefined;
}

/** What moved, asset by asset, with what each address has more or less. */
export function movementLines(
  movements: readonly Movement[],
  { network, wording, unitsOf }: MovementWords,
): readonly TextLine[] {
  const lines: TextLine[] = [];
  const { l10n } = wording;
  for (const [, ofAsset] of byAsset(movements)) {
    const [first] = ofAsset;
    if (!first) continue;
    const units = first.token && first.standard === 'erc20' ? unitsOf(first.token) : undefined;
    lines.push({ level: 1, text: assetWords(first, { network, wording, units }) });
    for (const movement of ofAsset) {
      const amount = (value: bigint) => amountWords(value, movement, { network, units });
      const net = getNetAmount(movement);
      const sign = net > 0n ? '+' : net < 0n ? '−' : '';
      const { received, sent } = movement;
      const both = received > 0n && sent > 0n;
      const parts = both ? ` (${l10n.t('in {0}, out {1}', amount(received), amount(sent))})` : '';
      const change = `${sign}${amount(net < 0n ? -net : net)}${parts}`;
      lines.push({ level: 2, text: `${whoWords(movement, wording)}: ${change}` });
    }
  }
  return lines;
}

function byAsset(movements: readonly Movement[]): ReadonlyMap<string, readonly Movement[]> {
  const assets = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = `${movement.token} ${movement.tokenId}`;
    const known = assets.get(key);
    if (known) known.push(movement);
    else assets.set(key, [movement]);
  }
  return assets;
}

const standards = { native: '', erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

function assetWords(
  { token, standard, tokenId }: Movement,
  {
    network,
    wording,
    units,
  }: { readonly network: Network; readonly wording: Wording; readonly units: TokenUnits | undefined },
): string {
  if (token === undefined) return wording.l10n.t('{0}, by the transaction itself', network.symbol);
  const id = tokenId === undefined ? '' : ` #${tokenId}`;
  const symbol = units?.symbol === undefined ? '' : `${units.symbol} · `;
  return `${symbol}${addressWords(token, wording)}${id} · ${standards[standard]}`;
}

function whoWords(movement: Movement, wording: Wording): string {
  if (!isSupply(movement)) return addressWords(movement.address, wording);
  return supplyWords(getNetAmount(movement), wording.l10n);
}

/** The zero address stands for it. */
function supplyWords(net: bigint, l10n: Localizer): string {
  return net < 0n ? l10n.t('minted') : net > 0n ? l10n.t('burned') : l10n.t('minted and burned');
}

function amountWords(
  value: bigint,
  { token }: Movement,
  { network, units }: { readonly network: Network; readonly units: TokenUnits | undefined },
): string {
  if (token === undefined) return `${formatUnitsGrouped(value, network.decimals)} ${network.symbol}`;
  return units ? formatAmount(value, units) : groupDigits(value);
}
