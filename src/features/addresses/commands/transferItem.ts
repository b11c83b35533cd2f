import {
  type Address,
  formatLocalTime,
  formatShortAddress,
  formatShortUnits,
  groupDigits,
  type TokenTransfer,
  toChecksumAddress,
  ZERO_ADDRESS,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import { formatNumber } from '../../../host/numbers.ts';

interface TransferContext {
  readonly address: Address;
  /** The name of an address on the active network. */
  readonly nameOf: (address: Address) => string | undefined;
  readonly l10n: Localizer;
}

/** A transfer as a quick pick item: what and how much, from or to whom, when, in which transaction. */
export function createTransferItem(transfer: TokenTransfer, context: TransferContext) {
  const { address, l10n } = context;
  const direction = getDirection(transfer, address);
  const sign = { in: '+', out: '−', self: '±' }[direction];
  const time =
    transfer.time === undefined
      ? l10n.t('block {0}', formatNumber(transfer.blockNumber))
      : formatLocalTime(transfer.time);
  const parts = [
    formatOtherSide(transfer, direction, context),
    time,
    transfer.spam ? l10n.t('spam') : undefined,
  ];
  return {
    direction,
    label: `${sign}${formatMovedAmount(transfer, l10n)}`,
    description: parts.filter((part) => part !== undefined).join(' · '),
    detail: transfer.transactionHash,
  };
}

/** Seen from the address. */
export type TransferDirection = 'in' | 'out' | 'self';

function getDirection({ from, to }: TokenTransfer, address: Address): TransferDirection {
  if (from === to) return 'self';
  return to === address ? 'in' : 'out';
}

function formatMovedAmount(
  { amount, decimals, tokenId, symbol, name, contract }: TokenTransfer,
  l10n: Localizer,
) {
  const ticker = symbol ?? name ?? formatShortAddress(toChecksumAddress(contract));
  if (tokenId !== undefined) {
    const copies = amount === undefined || amount === 1n ? '' : `${groupDigits(amount)} × `;
    return `${copies}${ticker} #${tokenId}`;
  }
  if (amount === undefined) return l10n.t('{0}, amount unknown', ticker);
  if (decimals !== undefined) return `${formatShortUnits(amount, decimals)} ${ticker}`;
  return amount === 1n
    ? l10n.t('1 smallest unit of {0}', ticker)
    : l10n.t('{0} smallest units of {1}', groupDigits(amount), ticker);
}

function formatOtherSide(
  { from, to }: TokenTransfer,
  direction: TransferDirection,
  { nameOf, l10n }: TransferContext,
) {
  const other = direction === 'in' ? from : to;
  if (other === ZERO_ADDRESS) return direction === 'in' ? l10n.t('minted') : l10n.t('burned');
  const shownName = nameOf(other) ?? formatShortAddress(toChecksumAddress(other));
  if (direction === 'self') return l10n.t('to itself');
  return direction === 'in' ? l10n.t('from {0}', shownName) : l10n.t('to {0}', shownName);
}
