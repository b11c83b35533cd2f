import * as vscode from 'vscode';
import {
  type AbiItemText,
  type Address,
  createSourceFilesReader,
  createTimeSlices,
  type FetchOptions,
  findDeclaration,
  findUsedDeclarations,
  isAppError,
  type Network,
  type SourceFilesReader,
  systemClock,
  toChecksumAddress,
  type VerifiedOrigin,
  type VerifiedProvider,
} from '../../core/index.ts';
import { registerCommand } from '../commands.ts';
import { showError } from '../errors.ts';
import type { AddressNames } from '../names/addressNames.ts';
import { askForAddress } from '../names/addressPicker.ts';
import { parseAddressArgument, parseRowArgument } from '../rowArguments.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import { showMessage, withDelayedProgress } from '../ui/dialogs.ts';
import {
  openSourceTabs,
  registerDefinitionProvider,
  type SourceFolder,
  showFileLocation,
} from '../ui/virtualDocuments.ts';
import { toAbortSignal } from '../ui/window.ts';
import type { ThirdPartyConsent } from './consent.ts';
import type { VerifiedProviders } from './verifiedContracts.ts';

/** What is looked for in a source; its beginning where nothing is. */
interface DeclarationSearch {
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
  openDeclaration(origin: VerifiedOrigin, looked: DeclarationSearch): Promise<boolean | 'cancelled'>;
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
  sources: Pick<VerifiedProviders, 'contractsOf'>,
  networksOf: (chainId: number) => readonly Network[],
): VerifiedReader {
  const folders = openSourceFolders();

  function asking<T>(address: Address, ask: (options: FetchOptions) => Promise<T>): Promise<T | 'cancelled'> {
    return withDelayedProgress(
      vscode.l10n.t('Asking for the source of {0}', toChecksumAddress(address)),
      ask,
    );
  }

  async function open(
    source: VerifiedProvider,
    { address, chainId, ...looked }: DeclarationSearch & Pick<VerifiedOrigin, 'address' | 'chainId'>,
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
    await showFileLocation({ uri: folder.uriOf(path), line: line - 1 });
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

const SCHEME = 'chainside-source';

/** Verified sources in tabs; their events and errors lead to where they are declared. */
function openSourceFolders() {
  const texts = openSourceTabs(SCHEME);
  const readers = new WeakMap<SourceFolder, SourceFilesReader>();

  /** What the files declare, as they are shown. */
  function readerOf(folder: SourceFolder): SourceFilesReader {
    const reader =
      readers.get(folder) ?? createSourceFilesReader(folder.files, { slices: createTimeSlices(systemClock) });
    readers.set(folder, reader);
    return reader;
  }

  const definitions = registerDefinitionProvider(SCHEME, async (document, position, token) => {
    const found = texts.find(document.uri);
    if (!found) return [];
    const { folder, path } = found;
    const signal = toAbortSignal(token);
    try {
      const places = await findUsedDeclarations(
        readerOf(folder),
        { path, offset: document.offsetAt(position) },
        { signal },
      );
      return places.map((place) => ({ uri: folder.uriOf(place.path), line: place.line - 1 }));
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  });

  return {
    add: texts.add,
    readerOf,
    dispose() {
      definitions.dispose();
      texts.dispose();
    },
  };
}

interface VerifiedCommandsDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly log: vscode.LogOutputChannel;
  readonly reader: VerifiedReader;
  readonly consent: Pick<ThirdPartyConsent, 'askForSource'>;
  clear(): Promise<void>;
}

/** Says what the commands about verified contracts do. */
export function registerVerifiedCommands(deps: VerifiedCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('chainside.openVerifiedSource', (given) => openSource(given, deps)),
    registerCommand('chainside.clearVerified', () => deps.clear()),
  );
}

async function openSource(given: unknown, deps: VerifiedCommandsDeps): Promise<void> {
  const { session, settings, names, log } = deps;
  const chainId = parseRowArgument(given)?.chainId ?? session.network.chainId;
  const network =
    [session.network, ...settings.current.networks].find((one) => one.chainId === chainId) ?? session.network;
  const title = vscode.l10n.t('Open Verified Source');
  const prompt = vscode.l10n.t('Address of the contract');
  const address = parseAddressArgument(given) ?? (await askForAddress(title, prompt, { names, chainId }));
  if (!address) return;
  try {
    if (await openVerifiedSource(address, network, deps)) return;
  } catch (error) {
    await showError(error, { service: 'source', network, log });
    return;
  }
  const words = vscode.l10n.t('{0} is not verified, as far as may be asked.', toChecksumAddress(address));
  await showMessage('information', words);
}

/** Opens the source by who may be asked; where they do not have it, by who may be once the user has allowed it. */
async function openVerifiedSource(
  address: Address,
  network: Network,
  { reader, consent }: VerifiedCommandsDeps,
): Promise<boolean> {
  const written = toChecksumAddress(address);
  const open = () => reader.openContract(address, network);
  const first = await open().catch((error: unknown) => ({ error }));
  if (first === 'cancelled' || first === true) return true;
  if (await consent.askForSource(written, network)) return (await open()) !== false;
  if (typeof first === 'object') throw first.error;
  return false;
}
