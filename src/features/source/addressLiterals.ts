import * as vscode from 'vscode';
import { formatShortAddress, toChecksumAddress } from '../../core/index.ts';
import type { NamedAddress } from '../../host/names/addressName.ts';
import { formatNameDetail } from '../../host/names/addressPicker.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import { findAddresses } from '../../host/places/hexInText.ts';
import type { Session } from '../../host/session/session.ts';
import type { Completion, Completions, Inlay } from '../../host/ui/languageFeatures.ts';
import { findMatchingNames } from './matchingNames.ts';
import type { TypedAddress } from './typedAddress.ts';

/** Far more than any screen shows. */
const MAX_SEARCHED_CHARS = 256 * 1024;
const MAX_INLAYS = 500;

interface LiteralDeps {
  readonly names: NamesService;
  readonly session: Session;
}

/** Names on the active network that complete what is typed. */
export async function completeAddress(
  typed: TypedAddress,
  position: vscode.Position,
  { names, session }: LiteralDeps,
): Promise<Completions> {
  await names.soon();
  const { network } = session;
  const matches = findMatchingNames(names.all(network.chainId), typed);
  const start = position.with({ character: typed.start });
  return {
    items: matches.names.map((named) => toCompletion(named, typed, network.name)),
    inserting: new vscode.Range(start, position),
    replacing: new vscode.Range(start, position.with({ character: typed.end })),
    isCut: matches.isCut,
  };
}

function toCompletion(named: NamedAddress, { isHex }: TypedAddress, chain: string): Completion {
  const address = toChecksumAddress(named.address);
  return {
    label: named.name,
    description: formatShortAddress(address),
    detail: formatNameDetail(named),
    documentation: [address, vscode.l10n.t('on {0}', chain)],
    text: address,
    typed: isHex ? `${address} ${named.name}` : named.name,
  };
}

export function findAddressInlays(
  document: vscode.TextDocument,
  range: vscode.Range,
  { names, session }: LiteralDeps,
): readonly Inlay[] {
  const from = document.offsetAt(range.start);
  const end = Math.min(document.offsetAt(range.end), from + MAX_SEARCHED_CHARS);
  const text = document.getText(new vscode.Range(range.start, document.positionAt(end)));
  const { network } = session;
  const inlays: Inlay[] = [];
  for (const { address, written, offset } of findAddresses(text)) {
    const name = names.nameOf(address, network.chainId);
    if (!name) continue;
    inlays.push({
      at: document.positionAt(from + offset + written.length),
      label: name.name,
      tooltip: [name.name, formatNameDetail(name), vscode.l10n.t('on {0}', network.name)],
    });
    if (inlays.length === MAX_INLAYS) break;
  }
  return inlays;
}
