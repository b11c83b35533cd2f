import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  type Clock,
  formatShortAddress,
  getChecksumState,
  type Identity,
  type IndexedContract,
  type IndexedDeployment,
  isNftContract,
  toChecksumAddress,
} from '../../../core/index.ts';
import { formatShortCommit } from '../../../host/formatting.ts';
import { type AddressName, isMissingDeployment } from '../../../host/names/addressName.ts';
import { formatNameDetail } from '../../../host/names/addressPicker.ts';
import type { NamesService } from '../../../host/names/nameProviders.ts';
import { formatNumber } from '../../../host/numbers.ts';
import type { FoundAddress } from '../../../host/places/hexInText.ts';
import { type ChainDeps, formatOtherChains, getChainName, listChains } from '../../../host/session/chains.ts';
import { getExplorerLink } from '../../../host/session/networks.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { createCommandLink, type MarkdownLines, type MarkdownPiece } from '../../../host/ui/markdown.ts';
import type { ActiveNames, AddressBook } from '../addressBook.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { ProjectTokens } from '../balances/projectTokens.ts';
import type { AddressIdentityCache } from '../identityCache.ts';
import {
  formatIdentityOrigin,
  formatUnknownIdentity,
  type IdentityFact,
  listIdentityFacts,
} from '../identityFacts.ts';
import { createBalanceLines, createSeenLine } from './hoverBalances.ts';
import { createHoverReader, type HoveredAddress, type TokenContractUnits } from './hoverReader.ts';

export interface AddressHoverContent {
  /** Makes no request. */
  identity(found: HoveredAddress): Promise<MarkdownLines>;
  /** Balances and links; undefined if the hover was cancelled or the network changed. */
  balances(
    found: HoveredAddress,
    options: { readonly signal: AbortSignal },
  ): Promise<MarkdownLines | undefined>;
}

export function createAddressHoverContent(deps: {
  readonly session: Session;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
  readonly identities: AddressIdentityCache;
  readonly projectTokens: ProjectTokens;
  readonly settings: SettingsService;
  readonly active: ActiveNames;
  readonly clock: Clock;
}): AddressHoverContent & vscode.Disposable {
  const { session, active, clock, identities } = deps;
  const hoverReader = createHoverReader(deps);
  const lineDeps = { ...deps, names: active.names };
  /** Of a watched token, or of a token whose identity is loaded. */
  function unitsOf(address: Address): TokenContractUnits | undefined {
    const token = identities.get(address)?.token;
    const isFungible = token?.standard === 'ERC-20' || token?.standard === 'ERC-4626';
    return hoverReader.unitsOf(address) ?? (isFungible ? token : undefined);
  }
  return {
    async identity(found) {
      await active.ready();
      return createHeadingLines(found, { ...lineDeps, units: unitsOf(found.address) });
    },
    async balances(found, { signal }) {
      const { network } = session;
      const actions = () => {
        const cached = identities.get(found.address);
        return createActionLine(found, {
          ...lineDeps,
          isToken: unitsOf(found.address) !== undefined,
          isNft: cached !== undefined && isNftContract(cached),
          hasCode: cached?.kind === 'contract',
        });
      };
      // The text of an untrusted workspace must not decide what is requested from a server.
      if (!vscode.workspace.isTrusted) return [createTrustLine(), [{ rule: true }], actions()];
      if (!session.isChosen) return [createChooseNetworkLine(), [{ rule: true }], actions()];
      const cached = identities.get(found.address);
      const reading = hoverReader.read(found.address, { signal });
      // What takes longer than a glance appears in the next hover: this one does not wait for it.
      if (cached) void identities.load(found.address, 'recent');
      else void reading.then(() => identities.load(found.address));
      const read = await reading;
      if (signal.aborted || !read) return undefined;
      await active.ready();
      const seen = createSeenLine(read.native, clock);
      const identity = identities.get(found.address);
      const nameOf = (address: Address) => active.names.nameOf(address, network.chainId)?.name;
      return [
        ...(isMissingDeployment(identity, active.names.namesOf(found.address, network.chainId))
          ? [createMissingLine()]
          : []),
        ...(identity ? createIdentityLines(identity, { nameOf, clock }) : []),
        ...createBalanceLines(read, { network, place: found.place, clock, kind: identity?.kind }),
        [{ rule: true }],
        actions(),
        ...(seen ? [seen] : []),
      ];
    },
    dispose: () => hoverReader.dispose(),
  };
}

function createMissingLine(): readonly MarkdownPiece[] {
  return [
    { icon: 'warning' },
    vscode.l10n.t(
      'Not on this node: there is no code at this address. Is another node of your project running?',
    ),
  ];
}

function createChooseNetworkLine() {
  return [{ icon: 'globe' }, createCommandLink(vscode.l10n.t('Select Network…'), 'chainside.selectNetwork')];
}

function createTrustLine() {
  return [{ icon: 'shield' }, vscode.l10n.t('Trust this workspace to see balances here.')];
}

interface HeadingDeps extends HoverNameDeps {
  readonly units: TokenContractUnits | undefined;
}

/**
 * What is known without a request: the name, the network once one is chosen, the kind, where the name is from, a wrong
 * checksum.
 */
export function createHeadingLines(found: FoundAddress, deps: HeadingDeps): MarkdownLines {
  const { names, session, units } = deps;
  const { network, isChosen } = session;
  const { address, written } = found;
  const name = names.nameOf(address, network.chainId)?.name;
  const symbol = units?.symbol;
  const kind = formatKind(findContractAt(deps, found), units);
  const title = name ?? symbol ?? formatShortAddress(toChecksumAddress(address));
  return [
    [
      { strong: title },
      ...(symbol === undefined || symbol === title ? [] : ['·', symbol]),
      ...(kind === undefined ? [] : [{ code: kind }]),
      ...(isChosen ? ['·', network.name] : []),
    ],
    ...createOriginLines({ ...deps, symbol }, address),
    ...(getChecksumState(written) === 'wrong' ? createChecksumLines(found) : []),
  ];
}

interface HoverNameDeps extends ChainDeps {
  readonly names: NamesService;
}

interface ActionDeps extends HoverNameDeps {
  readonly book: AddressBook;
  /** Whether the contract has responded as a token. */
  readonly isToken: boolean;
  /** Whether it is known to be the contract of NFTs. */
  readonly isNft: boolean;
  /** Whether it is known to have code. */
  readonly hasCode: boolean;
}

/** The links to actions on an address, in one line. */
export function createActionLine(hovered: HoveredAddress, deps: ActionDeps): readonly MarkdownPiece[] {
  const { l10n } = vscode;
  const { names, session, book, isToken, isNft, hasCode } = deps;
  const { network } = session;
  const { address, place, written } = hovered;
  const contract = findContractAt(deps, hovered);
  const checksummed = toChecksumAddress(address);
  const page = session.isChosen ? getExplorerLink(network.explorerUrl, 'address', checksummed) : undefined;
  const watched = book.isWatched(address);
  const links = [
    createCommandLink(l10n.t('Look Up'), 'chainside.lookUpAddress', checksummed),
    createCommandLink(l10n.t('Logs'), 'chainside.queryLogs', { address: checksummed }),
    ...(hasCode || contract || isToken
      ? [createCommandLink(l10n.t('Read Contract…'), 'chainside.readContract', checksummed)]
      : []),
    watched
      ? createCommandLink(l10n.t('Stop Watching'), 'chainside.unwatchAddress', checksummed, place)
      : createCommandLink(l10n.t('Watch'), 'chainside.watchAddress', checksummed, place),
    ...(isToken || (contract && hasTokenAbi(contract)) ? [createTokenLink(book, address, place)] : []),
    ...(isNft ? [createCommandLink(l10n.t('NFTs'), 'chainside.showNftContract', checksummed)] : []),
    createCommandLink(l10n.t('Label'), 'chainside.labelAddress', checksummed),
    ...(hasCode && !contract
      ? [createCommandLink(l10n.t('Use as a Deployment of…'), 'chainside.useAsDeployment', checksummed)]
      : []),
    // A line on a wrong checksum offers the right one to copy.
    ...(getChecksumState(written) === 'wrong'
      ? []
      : [createCommandLink(l10n.t('Copy'), 'chainside.copyAddress', checksummed)]),
    ...createSourceLink(contract, names.contracts),
    ...(page === undefined ? [] : [{ title: l10n.t('Explorer'), page }]),
  ];
  return links.flatMap((link, at) => (at === 0 ? link : [{ gap: true }, link]));
}

function createTokenLink(
  book: AddressBook,
  address: HoveredAddress['address'],
  place: HoveredAddress['place'],
): MarkdownPiece {
  const checksummed = toChecksumAddress(address);
  return book.tokens.includes(address)
    ? createCommandLink(vscode.l10n.t('Stop Watching Token'), 'chainside.unwatchToken', checksummed, place)
    : createCommandLink(vscode.l10n.t('Watch Token'), 'chainside.watchToken', checksummed, place);
}

function createSourceLink(
  contract: { readonly source: string | undefined; readonly line: number | undefined } | undefined,
  contracts: HoverNameDeps['names']['contracts'],
): readonly MarkdownPiece[] {
  const uri = contract?.source === undefined ? undefined : contracts.uriOf(contract.source);
  if (!uri) return [];
  const place = { file: uri.toString(), line: (contract?.line ?? 1) - 1 };
  return [createCommandLink(vscode.l10n.t('Source'), 'chainside.goToPlace', place)];
}

/** The contract of the workspace whose code runs at the address: of a proxy that of its implementation. */
function findContractAt(
  { names, session }: HoverNameDeps,
  { address }: Pick<FoundAddress, 'address'>,
): IndexedContract | undefined {
  return names.contracts.known?.contractsAt({ address, chainId: session.network.chainId })[0];
}

/** The kind of a token, by its contract's earlier responses or by its ABI. */
function formatKind(
  contract: IndexedContract | undefined,
  units: TokenContractUnits | undefined,
): string | undefined {
  if (units) {
    const { decimals } = units;
    if (decimals === undefined) return 'ERC-20';
    return decimals === 1
      ? vscode.l10n.t('ERC-20, 1 decimal')
      : vscode.l10n.t('ERC-20, {0} decimals', decimals);
  }
  return contract && hasTokenAbi(contract) ? 'ERC-20' : undefined;
}

/** `decimals()` distinguishes ERC-20 from the NFT standards, which have the other two as well. */
function hasTokenAbi({ abi }: IndexedContract): boolean {
  const starts = ['function transfer(address', 'function balanceOf(address', 'function decimals()'];
  return starts.every((start) => abi.some((item) => item.startsWith(start)));
}

function createChecksumLines({ address }: FoundAddress): MarkdownLines {
  const right = toChecksumAddress(address);
  return [
    [
      { icon: 'warning' },
      { strong: vscode.l10n.t('Invalid EIP-55 checksum') },
      '·',
      vscode.l10n.t('a character may be wrong'),
    ],
    [{ code: right }, createCommandLink(vscode.l10n.t('Copy'), 'chainside.copyAddress', right)],
  ];
}

/** A hover has room for these. */
const MAX_IDENTITY_LINES = 6;

/** Facts on a contract or a delegated account, one a line, and their provider; or why they are missing. */
export function createIdentityLines(
  identity: Identity,
  options: { readonly nameOf: (address: Address) => string | undefined; readonly clock: Pick<Clock, 'now'> },
): MarkdownLines {
  const unknown = formatUnknownIdentity(identity);
  if (unknown !== undefined) return [[{ icon: 'question' }, unknown]];
  const facts = listIdentityFacts(identity, options.nameOf);
  if (facts.length === 0) return [];
  const left = facts.length - MAX_IDENTITY_LINES;
  const from = formatIdentityOrigin(identity, options.clock);
  const rest = left > 0 ? [vscode.l10n.t('{0} more', left)] : [];
  const last = [...rest, ...(from === undefined ? [] : [from])].join(' · ');
  return [...facts.slice(0, MAX_IDENTITY_LINES).map(createFactLine), ...(last === '' ? [] : [[last]])];
}

function createFactLine({ icon, label, detail, subject, isWarning }: IdentityFact): readonly MarkdownPiece[] {
  const detailed: readonly MarkdownPiece[] =
    detail === ''
      ? []
      : [subject ? createCommandLink(detail, 'chainside.lookUpAddress', toChecksumAddress(subject)) : detail];
  return [{ icon: isWarning ? 'warning' : icon }, label, ...(detailed.length > 0 ? ['·'] : []), ...detailed];
}

const MAX_OTHER_NAMES = 2;

/** Where the name is from, what is deployed at the address, and on which other chains something is. */
function createOriginLines(
  deps: HoverNameDeps & { readonly symbol: string | undefined },
  address: Address,
): MarkdownLines {
  const { names, session } = deps;
  const { chainId } = session.network;
  const [first, ...others] = names.namesOf(address, chainId);
  const [deployment] = names.contracts.known?.deploymentsAt(address, chainId) ?? [];
  const elsewhere = names.elsewhere(address, chainId);
  // Names that are shown above are not repeated, such as a constant `HARBOR_DOLLAR` for a contract `HarborDollar`.
  const shownNames = new Set(
    [first?.name, deployment?.contract, deps.symbol].map((name) => normalizeName(name ?? '')),
  );
  const also = others.filter(
    ({ name }) => !shownNames.has(normalizeName(name)) && shownNames.add(normalizeName(name)),
  );
  const from = [
    ...(first && first.provider !== 'deployment' ? [[createNameOrigin(names, first)]] : []),
    ...(deployment ? [formatDeployment(deps, deployment, first?.name)] : []),
  ];
  return [
    ...(from.length > 0 ? [from.flatMap((pieces, at) => (at === 0 ? pieces : ['·', ...pieces]))] : []),
    ...(also.length > 0 ? [createOtherNamesLine(also)] : []),
    ...(elsewhere.length > 0 ? [createOtherChainsLine(deps, elsewhere, address)] : []),
  ];
}

function normalizeName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** The deployed contract, unless it is the name above; the script or file, and when. */
function formatDeployment(
  { names }: HoverNameDeps,
  { contract, block, commit, file }: IndexedDeployment,
  shown: string | undefined,
): readonly MarkdownPiece[] {
  const { l10n } = vscode;
  const details = [
    block === undefined ? undefined : l10n.t('block {0}', formatNumber(block)),
    commit === undefined ? undefined : l10n.t('commit {0}', formatShortCommit(commit)),
  ];
  return [
    ...(contract === undefined || contract === shown ? [] : [contract, '·']),
    l10n.t('Deployed by'),
    createFileLink(names, getDeployer(file), { file }),
    ...details.flatMap((detail) => (detail === undefined ? [] : ['·', detail])),
  ];
}

/** The Foundry script that ran, or the file that records the deployment. */
function getDeployer(file: string): string {
  return /(?:^|\/)broadcast\/([^/]+)\//.exec(file)?.[1] ?? file;
}

/** Names from other providers: two names for one address can be a mistake. */
function createOtherNamesLine(others: readonly AddressName[]): readonly MarkdownPiece[] {
  const list = others.slice(0, MAX_OTHER_NAMES).map((other) => `${other.name} (${formatNameDetail(other)})`);
  const left = others.length - list.length;
  const rest = left > 0 ? [vscode.l10n.t('{0} more', left)] : [];
  return [vscode.l10n.t('Also: {0}', [...list, ...rest].join(', '))];
}

function createOtherChainsLine(
  deps: HoverNameDeps,
  deployments: readonly IndexedDeployment[],
  address: Address,
): readonly MarkdownPiece[] {
  const chains = listChains(deployments);
  const chainNames = formatOtherChains(deployments, deps) ?? '';
  const contract = deployments.find((deployment) => deployment.contract !== undefined)?.contract;
  const [only] = chains;
  const link =
    only !== undefined && chains.length === 1
      ? createCommandLink(
          vscode.l10n.t('Switch to {0}', getChainName(deps, only)),
          'chainside.switchToChain',
          only,
        )
      : createCommandLink(
          vscode.l10n.t('Switch Network…'),
          'chainside.switchToChain',
          toChecksumAddress(address),
        );
  return [
    { icon: 'warning' },
    ...(contract === undefined ? [] : [{ strong: contract }, '·']),
    chainNames,
    '·',
    link,
  ];
}

/** Where a name is from, as a link to the file of the workspace, or to the proposal of a precompile. */
function createNameOrigin(names: NamesService, name: AddressName): MarkdownPiece {
  const text = capitalize(formatNameDetail(name));
  if (name.provider !== 'standard') return createFileLink(names, text, name);
  const proposal = /^EIP-(\d+)$/.exec(name.file ?? '')?.[1];
  return proposal === undefined
    ? text
    : { title: text, page: `https://eips.ethereum.org/EIPS/eip-${proposal}` };
}

function capitalize(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** A link to a file of the workspace; plain text if it cannot be opened. */
function createFileLink(
  { contracts }: NamesService,
  text: string,
  { file, line }: { readonly file?: string | undefined; readonly line?: number | undefined },
): MarkdownPiece {
  const uri = file === undefined ? undefined : contracts.uriOf(file);
  if (!uri) return text;
  return createCommandLink(text, 'chainside.goToPlace', { file: uri.toString(), line: (line ?? 1) - 1 });
}

const PlaceSchema = z.object({
  file: z.string(),
  line: z.int().check(z.minimum(0)),
  character: z.int().check(z.minimum(0)),
});

/**
 * Refreshes the open hover whose link was followed. VS Code opens a hover only at the cursor, which is moved there and
 * back.
 *
 * @param hovered a `TextPlace`; anything else is ignored.
 */
export async function refreshHover(hovered: unknown): Promise<void> {
  const place = PlaceSchema.safeParse(hovered).data;
  const editor = vscode.window.activeTextEditor;
  if (!place || editor?.document.uri.toString() !== place.file) return;
  if (place.line >= editor.document.lineCount) return;
  const { selections } = editor;
  const { line, character } = place;
  // VS Code does not refresh a hover that is open at the same place.
  await vscode.commands.executeCommand('editor.action.hideHover');
  editor.selection = new vscode.Selection(line, character, line, character);
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  editor.selections = selections;
}
