import * as vscode from 'vscode';
import { formatShortAddress, sanitizeText } from '../../../core/index.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';

/** A tab title that tells panels apart: the contract, by name once it is known, and the token. */
export function panelTitle({
  contractAddress,
  tokenId,
  contract,
}: Pick<NftAnswers, 'contractAddress' | 'tokenId' | 'contract'>): string {
  const known = contract.value?.state === 'known' ? contract.value.contract.name : undefined;
  const name = known === undefined ? formatShortAddress(contractAddress) : sanitizeText(known, 30);
  if (tokenId === undefined) return vscode.l10n.t('NFT: {0}', name);
  const id = tokenId.toString();
  return vscode.l10n.t('NFT: {0} #{1}', name, id.length <= 12 ? id : formatShortAddress(id));
}
