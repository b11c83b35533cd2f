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
  type VerifiedContract,
  type VerifiedFiles,
  type VerifiedOrigin,
  type VerifiedProvider,
} from '../../core/index.ts';
import { registerCommand } from '../commands.ts';
import { setEtherscanKeyRemedy, showError } from '../errors.ts';
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

/** Opens verified sources read-only. Shows progress when a request takes long. */
export interface VerifiedReader {
  /**
   * Opens the declaration of an item, or of its contract; false where the provider is no longer allowed or no
   * longer has the source.
   *
   * @throws AppError of any network kind.
   */
  openDeclaration(origin: VerifiedOrigin, search: DeclarationSearch): Promise<boolean | 'cancelled'>;
  /**
   * Opens the source of the contract at an address; false where no provider has it verified.
   *
   * @throws AppError of any network kind, where a provider that failed might have it.
   */
  openContract(address: Address, network: Network): Promise<boolean | 'cancelled'>;
  /**
   * The source of the contract at an address, from the first allowed provider that has it verified; undefined if none has.
   *
   * @throws AppError of any network kind, where a provider that failed might have it.
   */
  findSource(address: Address, network: Network, options: FetchOptions): Promise<VerifiedSource | undefined>;
  dispose(): void;
}

export interface VerifiedSource {
  readonly contract: VerifiedContract;
  readonly files: VerifiedFiles;
  /** The read-only document of a file, by its path in `files`. */
  uriOf(path: string): vscode.Uri;
}

/** The declaration to find in a source; the source is shown from its start where it is not found. */
interface DeclarationSearch {
  readonly contract: string | undefined;
  readonly text: AbiItemText;
}

/** @param networksOf all networks of a chain, the active one first. */
export function createVerifiedReader(
  providers: Pick<VerifiedProviders, 'contractsOf'>,
  networksOf: (chainId: number) => readonly Network[],
): VerifiedReader {
  const folders = openSourceFolders();

  function withProgress<T>(
    address: Address,
    task: (options: FetchOptions) => Promise<T>,
  ): Promise<T | 'cancelled'> {
    return withDelayedProgress(vscode.l10n.t('Fetching the source of {0}', toChecksumAddress(address)), task);
  }

  async function fetchFolder(
    provider: VerifiedProvider,
    { address, chainId }: Pick<VerifiedOrigin, 'address' | 'chainId'>,
    options: FetchOptions,
  ) {
    const files = await provider.verifiedSources(address, options);
    if (!files || files.files.length === 0) return undefined;
    const { host } = new URL(provider.label.origin);
    const folder = folders.add({ host, folder: `${chainId}/${toChecksumAddress(address)}` }, files.files);
    return { files, folder };
  }

  async function open(
    provider: VerifiedProvider,
    { address, chainId, ...search }: DeclarationSearch & Pick<VerifiedOrigin, 'address' | 'chainId'>,
    options: FetchOptions,
  ): Promise<boolean> {
    const found = await fetchFolder(provider, { address, chainId }, options);
    const [first] = found?.files.files ?? [];
    if (!found || !first) return false;
    const { folder } = found;
    const place = await findDeclaration(folders.readerOf(folder), search);
    options.signal?.throwIfAborted();
    const { path, line } = place ?? { path: first.path, line: 1 };
    await showFileLocation({ uri: folder.uriOf(path), line: line - 1 });
    return true;
  }

  /** The provider that verified a contract: on a network other than the active one, if that has the same chain. */
  async function findProvider({ chainId, source }: VerifiedOrigin): Promise<VerifiedProvider | undefined> {
    for (const network of networksOf(chainId)) {
      const candidates = await providers.contractsOf(network);
      const match = candidates.find(({ label }) => label.origin === source.origin);
      if (match) return match;
    }
    return undefined;
  }

  /** What `use` makes of the contract, with the first provider that has it. */
  async function findFirst<T>(
    address: Address,
    network: Network,
    options: FetchOptions,
    use: (provider: VerifiedProvider, contract: VerifiedContract) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    let firstError: unknown;
    for (const provider of await providers.contractsOf(network)) {
      try {
        const contract = await provider.verifiedContract(address, options);
        const found = contract && (await use(provider, contract));
        if (found !== undefined) return found;
      } catch (error) {
        // These errors mean that an explorer does not serve verified sources.
        if (!isAppError(error, 'badResponse', 'notFound', 'notServed')) firstError ??= error;
      }
    }
    if (firstError) throw firstError;
    return undefined;
  }

  async function openFirst(address: Address, network: Network, options: FetchOptions): Promise<boolean> {
    const { chainId } = network;
    const isOpen = await findFirst(address, network, options, async (provider, { name: contract }) => {
      const isFound = await open(provider, { address, chainId, contract, text: '' }, options);
      return isFound || undefined;
    });
    return isOpen ?? false;
  }

  return {
    openDeclaration(origin, search) {
      const { address, chainId } = origin;
      return withProgress(address, async (options) => {
        const provider = await findProvider(origin);
        return provider !== undefined && open(provider, { address, chainId, ...search }, options);
      });
    },
    openContract: (address, network) =>
      withProgress(address, (options) => openFirst(address, network, options)),
    findSource: (address, network, options) =>
      findFirst(address, network, options, async (provider, contract) => {
        const found = await fetchFolder(provider, { address, chainId: network.chainId }, options);
        return found && { contract, files: found.files, uriOf: found.folder.uriOf };
      }),
    dispose: () => folders.dispose(),
  };
}

const SCHEME = 'chainside-source';

/** Verified sources in tabs, with *Go to Definition* of events and errors. */
function openSourceFolders() {
  const tabs = openSourceTabs(SCHEME);
  const readers = new WeakMap<SourceFolder, SourceFilesReader>();

  /** Reads declarations from the files as they are shown. */
  function readerOf(folder: SourceFolder): SourceFilesReader {
    const reader =
      readers.get(folder) ?? createSourceFilesReader(folder.files, { slices: createTimeSlices(systemClock) });
    readers.set(folder, reader);
    return reader;
  }

  const definitions = registerDefinitionProvider(SCHEME, async (document, position, token) => {
    const found = tabs.find(document.uri);
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
    add: tabs.add,
    readerOf,
    dispose() {
      definitions.dispose();
      tabs.dispose();
    },
  };
}

interface VerifiedCommandsDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly log: vscode.LogOutputChannel;
  readonly reader: VerifiedReader;
  readonly consent: Pick<ThirdPartyConsent, 'requestSourceConsent'>;
  readonly mayOfferEtherscan: VerifiedProviders['mayOfferEtherscan'];
  clear(): Promise<void>;
}

/** Registers the commands about verified contracts. */
export function registerVerifiedCommands(deps: VerifiedCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('chainside.openVerifiedSource', (argument) => openSource(argument, deps)),
    registerCommand('chainside.clearVerified', () => deps.clear()),
  );
}

async function openSource(argument: unknown, deps: VerifiedCommandsDeps): Promise<void> {
  const { session, settings, names, log } = deps;
  const chainId = parseRowArgument(argument)?.chainId ?? session.network.chainId;
  const network =
    [session.network, ...settings.current.networks].find((one) => one.chainId === chainId) ?? session.network;
  const title = vscode.l10n.t('Open Verified Source');
  const prompt = vscode.l10n.t('Address of the contract');
  const address = parseAddressArgument(argument) ?? (await askForAddress(title, prompt, { names, chainId }));
  if (!address) return;
  try {
    if (await openVerifiedSource(address, network, deps)) return;
  } catch (error) {
    await showError(error, { service: 'source', network, log });
    return;
  }
  const message = vscode.l10n.t(
    'No allowed provider has a verified source for {0}.',
    toChecksumAddress(address),
  );
  const remedies = (await deps.mayOfferEtherscan(network)) ? [setEtherscanKeyRemedy] : [];
  const chosen = await showMessage('information', message, ...remedies.map(({ title }) => title));
  await remedies.find(({ title }) => title === chosen)?.run();
}

/** Opens the source from an allowed provider, else from a third party once the user allows it. */
async function openVerifiedSource(
  address: Address,
  network: Network,
  { reader, consent }: VerifiedCommandsDeps,
): Promise<boolean> {
  const checksummed = toChecksumAddress(address);
  const open = () => reader.openContract(address, network);
  const first = await open().catch((error: unknown) => ({ error }));
  if (first === 'cancelled' || first === true) return true;
  if (await consent.requestSourceConsent(checksummed, network)) return (await open()) !== false;
  if (typeof first === 'object') throw first.error;
  return false;
}
