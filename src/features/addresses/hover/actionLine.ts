import * as vscode from 'vscode';
import { getChecksumState, toChecksumAddress } from '../../../core/index.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import { commandLink, type Piece } from '../../../host/surface/markdown.ts';
import type { AddressBook } from '../book/addressBook.ts';
import { contractAt, hasTokenAbi } from './headLines.ts';
import type { HoveredAddress } from './hoveredAddress.ts';
import type { NameWordsDeps } from './originLines.ts';

interface ActionDeps extends NameWordsDeps {
  readonly book: AddressBook;
  /** Whether it has answered as a token. */
  readonly isToken: boolean;
}

/** What can be done with an address, by links on one line. */
export function actionLine(hovered: HoveredAddress, deps: ActionDeps): readonly Piece[] {
  const { l10n } = vscode;
  const { names, session, book, isToken } = deps;
  const { network } = session;
  const { address, place, written } = hovered;
  const contract = contractAt(deps, hovered);
  const checksummed = toChecksumAddress(address);
  const page = session.isChosen ? explorerLink(network.explorerUrl, 'address', checksummed) : undefined;
  const watched = book.isWatched(address);
  const links = [
    commandLink(l10n.t('Look Up'), 'chainside.lookUpAddress', checksummed),
    commandLink(l10n.t('Logs'), 'chainside.queryLogs', { address: checksummed }),
    watched
      ? commandLink(l10n.t('Stop Watching'), 'chainside.unwatchAddress', checksummed, place)
      : commandLink(l10n.t('Watch'), 'chainside.watchAddress', checksummed, place),
    ...(isToken || (contract && hasTokenAbi(contract)) ? [tokenLink(book, address, place)] : []),
    commandLink(l10n.t('Label'), 'chainside.labelAddress', checksummed),
    // A wrong checksum has the right one to copy beside it.
    ...(getChecksumState(written) === 'wrong'
      ? []
      : [commandLink(l10n.t('Copy'), 'chainside.copyAddress', checksummed)]),
    ...sourceLink(contract, names.contracts),
    ...(page === undefined ? [] : [{ title: l10n.t('Explorer'), page }]),
  ];
  return links.flatMap((link, at) => (at === 0 ? link : [{ gap: true }, link]));
}

function tokenLink(
  book: AddressBook,
  address: HoveredAddress['address'],
  place: HoveredAddress['place'],
): Piece {
  const checksummed = toChecksumAddress(address);
  return book.tokens.includes(address)
    ? commandLink(vscode.l10n.t('Stop Watching Token'), 'chainside.unwatchToken', checksummed, place)
    : commandLink(vscode.l10n.t('Watch Token'), 'chainside.watchToken', checksummed, place);
}

function sourceLink(
  contract: { readonly source: string | undefined; readonly line: number | undefined } | undefined,
  contracts: NameWordsDeps['names']['contracts'],
): readonly Piece[] {
  const uri = contract?.source === undefined ? undefined : contracts.uriOf(contract.source);
  if (!uri) return [];
  const place = { file: uri.toString(), line: (contract?.line ?? 1) - 1 };
  return [commandLink(vscode.l10n.t('Source'), 'chainside.goToPlace', place)];
}
