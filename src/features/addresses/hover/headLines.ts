import * as vscode from 'vscode';
import {
  formatShortAddress,
  getChecksumState,
  type IndexedContract,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { FoundAddress } from '../../../host/places/findAddresses.ts';
import { commandLink, type MarkdownLines } from '../../../host/surface/markdown.ts';
import type { KnownUnits } from './hoverReader.ts';
import { type NameWordsDeps, originLines } from './originLines.ts';

interface HeadDeps extends NameWordsDeps {
  /** Of a watched token. */
  readonly units: KnownUnits | undefined;
}

/**
 * What an address is, without asking anyone: its name, its network once one is chosen, its kind, where that is from, a
 * wrong checksum.
 */
export function headLines(found: FoundAddress, deps: HeadDeps): MarkdownLines {
  const { names, session, units } = deps;
  const { network, isChosen } = session;
  const { address, written } = found;
  const name = names.nameOf(address, network.chainId)?.name;
  const symbol = units?.symbol;
  const kind = kindWords(contractAt(deps, found), units);
  const title = name ?? symbol ?? formatShortAddress(toChecksumAddress(address));
  return [
    [
      { strong: title },
      ...(symbol === undefined || symbol === title ? [] : ['·', symbol]),
      ...(kind === undefined ? [] : [{ code: kind }]),
      ...(isChosen ? ['·', network.name] : []),
    ],
    ...originLines({ ...deps, symbol }, address),
    ...(getChecksumState(written) === 'wrong' ? checksumLines(found) : []),
  ];
}

/** The contract of the workspace that is deployed there. */
export function contractAt(
  { names, session }: NameWordsDeps,
  { address }: Pick<FoundAddress, 'address'>,
): IndexedContract | undefined {
  const { known } = names.contracts;
  const [deployment] = known?.deploymentsAt(address, session.network.chainId) ?? [];
  return deployment && known?.contractOf(deployment);
}

/** What a token is, by what its contract has answered before, or by its ABI. */
function kindWords(contract: IndexedContract | undefined, units: KnownUnits | undefined): string | undefined {
  if (units) {
    const { decimals } = units;
    return decimals === undefined ? 'ERC-20' : vscode.l10n.t('ERC-20, {0} decimals', decimals);
  }
  return contract && hasTokenAbi(contract) ? 'ERC-20' : undefined;
}

/** `decimals()` sets ERC-20 apart from the standards of NFTs, which have the other two as well. */
export function hasTokenAbi({ abi }: IndexedContract): boolean {
  const starts = ['function transfer(address', 'function balanceOf(address', 'function decimals()'];
  return starts.every((start) => abi.some((item) => item.startsWith(start)));
}

function checksumLines({ address }: FoundAddress): MarkdownLines {
  const right = toChecksumAddress(address);
  return [
    [
      ...[{ icon: 'warning' }, { strong: vscode.l10n.t('Invalid EIP-55 checksum') }],
      ...['·', vscode.l10n.t('a character may be wrong')],
    ],
    [{ code: right }, commandLink(vscode.l10n.t('Copy'), 'chainside.copyAddress', right)],
  ];
}
