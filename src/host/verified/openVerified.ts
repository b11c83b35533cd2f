import * as vscode from 'vscode';
import {
  type AbiItemText,
  type Address,
  type FetchOptions,
  findDeclaration,
  isAppError,
  type Network,
  toChecksumAddress,
  type VerifiedOrigin,
  type VerifiedProvider,
} from '../../core/index.ts';
import { whileAsking } from '../commands/whileAsking.ts';
import { showPlace } from '../surface/showPlace.ts';
import { openSourceFolders } from './sourceFolders.ts';
import type { VerifiedSources } from './verifiedSources.ts';

/** What is looked for in a source; its beginning where nothing is. */
interface Looked {
  readonly contract: string | undefined;
  readonly text: AbiItemText;
}

/** Opens sources that others have verified, to read. That somebody is asked is shown where it takes long. */
export interface VerifiedReader {
  /**
   * The declaration of an item, or the contract that has it; false where who told of it may not be asked any more, or has
   * it no more.
   *
   * @throws AppError of any network kind.
   */
  openDeclaration(origin: VerifiedOrigin, looked: Looked): Promise<boolean | 'cancelled'>;
  /**
   * The source of the contract at an address; false where nobody has verified it of those who tell.
   *
   * @throws AppError of any network kind, where who failed might have it.
   */
  openContract(address: Address, network: Network): Promise<boolean | 'cancelled'>;
  dispose(): void;
}

/** @param networksOf all networks of a chain, the active one first. */
export function createVerifiedReader(
  sources: Pick<VerifiedSources, 'contractsOf'>,
  networksOf: (chainId: number) => readonly Network[],
): VerifiedReader {
  const folders = openSourceFolders();

  function asking<T>(address: Address, ask: (options: FetchOptions) => Promise<T>): Promise<T | 'cancelled'> {
    return whileAsking(vscode.l10n.t('Asking for the source of {0}', toChecksumAddress(address)), ask);
  }

  async function open(
    source: VerifiedProvider,
    { address, chainId, ...looked }: Looked & Pick<VerifiedOrigin, 'address' | 'chainId'>,
    options: FetchOptions,
  ): Promise<boolean> {
    const found = await source.verifiedSources(address, options);
    const [first] = found?.files ?? [];
    if (!found || !first) return false;
    const { host } = new URL(source.label.origin);
    const folder = folders.add({ host, folder: `${chainId}/${toChecksumAddress(address)}` }, found.files);
    const place = await findDeclaration(folders.readerOf(folder), looked);
    options.signal?.throwIfAborted();
    const { path, line } = place ?? { path: first.path, line: 1 };
    await showPlace({ uri: folder.uriOf(path), line: line - 1 });
    return true;
  }

  /** Who told of a contract: on another network than the active one, where that has the same chain. */
  async function sourceOf({ chainId, source }: VerifiedOrigin): Promise<VerifiedProvider | undefined> {
    for (const network of networksOf(chainId)) {
      const asked = await sources.contractsOf(network);
      const told = asked.find(({ label }) => label.origin === source.origin);
      if (told) return told;
    }
    return undefined;
  }

  async function openFirst(address: Address, network: Network, options: FetchOptions): Promise<boolean> {
    const { chainId } = network;
    let failure: unknown;
    for (const source of await sources.contractsOf(network)) {
      try {
        const contract = await source.verifiedContract(address, options);
        if (!contract) continue;
        if (await open(source, { address, chainId, contract: contract.name, text: '' }, options)) return true;
      } catch (error) {
        // An explorer that has nothing of the kind has not failed.
        if (!isAppError(error, 'badResponse', 'notFound', 'notServed')) failure ??= error;
      }
    }
    if (failure) throw failure;
    return false;
  }

  return {
    openDeclaration(origin, looked) {
      const { address, chainId } = origin;
      return asking(address, async (options) => {
        const source = await sourceOf(origin);
        return source !== undefined && open(source, { address, chainId, ...looked }, options);
      });
    },
    openContract: (address, network) => asking(address, (options) => openFirst(address, network, options)),
    dispose: () => folders.dispose(),
  };
}
