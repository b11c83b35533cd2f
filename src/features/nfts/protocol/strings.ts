import type { Localizer } from '../../../host/words/localizer.ts';

/** Every text that the webview shows, but what a snapshot carries. */
export function nftStrings(l10n: Localizer) {
  return {
    contract: l10n.t('Contract'),
    token: l10n.t('Token'),
    tokenId: l10n.t('Token id'),
    tokenIdHint: l10n.t('Decimal, or 0x and hex digits'),
    notATokenId: l10n.t(
      'Not a token id: expected a whole number up to 2^256 - 1, decimal or 0x and hex digits.',
    ),
    transfers: l10n.t('Transfers'),
    kinds: { mint: l10n.t('Mint'), transfer: l10n.t('Transfer'), burn: l10n.t('Burn') },
    copy: l10n.t('Copy'),
    copyTransfer: l10n.t('Copy as JSON'),
    openTransaction: l10n.t('Open transaction in explorer'),
    askNow: l10n.t('Ask now'),
    cancel: l10n.t('Cancel'),
    tryAgain: l10n.t('Try again'),
    why: l10n.t('Why?'),
    loading: l10n.t('Loading'),
    resizeHint: l10n.t('Shift and left or right arrow change the column width.'),
    pictureUnreadable: l10n.t('What came cannot be drawn as a picture.'),
    hostFailed: l10n.t('The extension did not answer: {0}'),
  } as const;
}

export type NftStrings = ReturnType<typeof nftStrings>;
