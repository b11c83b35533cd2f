import * as vscode from 'vscode';
import {
  type Address,
  formatShortAddress,
  isAppError,
  type Network,
  type NftTransfer,
  PictureError,
  sanitizeText,
  toChecksumAddress,
} from '../../core/index.ts';
import { BlockTimes } from '../../host/blockTimes.ts';
import {
  createSettingsRemedy,
  describeError,
  type ErrorDescription,
  showOutputRemedy,
  watchTokenRemedy,
} from '../../host/errors.ts';
import { formatValidationError } from '../../host/l10n.ts';
import type { LoadChange } from '../../host/loading.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { getExplorerLink } from '../../host/session/networks.ts';
import { PanelHost } from '../../host/ui/panelHost.ts';
import { type OwnedPanel, setTabTitle } from '../../host/ui/panels.ts';
import { type RequestHandlers, serveRequests } from '../../messaging/channel.ts';
import type { RowWindow } from '../../messaging/panel.ts';
import type { NftsDeps, NftTarget } from './askForNft.ts';
import { NftActions } from './nftActions.ts';
import { getNftProviders, NftReader } from './nftReader.ts';
import {
  createNftStrings,
  createTransferColumns,
  type NftAction,
  type NftHost,
  type NftOpening,
  type NftRequest,
  type NftSnapshot,
  nftRequests,
  type PartName,
  partNames,
  type TransferCellPlace,
  type TransferPlace,
  type TransferRowPlace,
  type WireTransfer,
} from './protocol.ts';
import { createNftSnapshot, NftOffers } from './snapshot.ts';
import { formatTransferCell, TransferRows, toWireTransfer, transferToJson } from './transferRows.ts';

/** One NFT panel: owns the data of a contract and one of its tokens. */
export class NftPanel implements OwnedPanel {
  readonly panel: vscode.WebviewPanel;
  /** The transfers by their places in the view. */
  readonly transfers: ShownTransfers;
  readonly onDidShow: vscode.Event<void>;
  readonly #deps: NftsDeps;
  readonly #reader: NftReader;
  readonly #actions: NftActions;
  readonly #host: PanelHost<NftHost, NftSnapshot, NftAction>;
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #offers: NftOffers;
  readonly #times: BlockTimes;
  #names: AddressNames | undefined;
  #offered: ReadonlySet<NftAction> = new Set();

  constructor(panel: vscode.WebviewPanel, deps: NftsDeps, { contract, tokenId }: NftTarget) {
    this.panel = panel;
    this.#deps = deps;
    const { clock } = deps.http;
    this.#reader = new NftReader({
      contract,
      tokenId,
      http: deps.http,
      sources: () => getNftProviders(deps.session),
      onDidChange: (what) => this.#notify(what),
    });
    this.#offers = new NftOffers(deps.session, () => this.#host.showing.now());
    this.#actions = new NftActions(this.#reader, deps);
    this.#times = new BlockTimes(
      () => deps.session.connection,
      () => this.#refreshRows(),
    );
    this.transfers = new ShownTransfers(this.#reader, {
      times: this.#times,
      nameOf: (address) => this.#nameOf(address),
    });
    this.#host = new PanelHost(
      panel,
      { ...deps, clock },
      {
        program: { name: 'nfts', pictures: true },
        methods: serveRequests(nftRequests, this.#handlers()),
        shown: () => {
          setTabTitle(
            panel,
            formatNftPanelTitle(this.#reader, (address) => this.#nameOf(address)),
          );
          return this.#snapshot();
        },
        leaving: {
          askedNetwork: () => this.#reader.network,
          leaveNetwork: () => {
            this.#times.clear();
            this.#reader.clear('networkChanged');
          },
        },
      },
    );
    this.onDidShow = this.#host.onDidShow;
    this.#subscriptions = [
      deps.session.onDidChangeSources(() => void this.#offers.refresh()),
      deps.settings.onDidChange(() => this.#host.showing.now()),
    ];
    void this.#offers.refresh();
    void this.#followNames();
  }

  /** The actions whose buttons the view shows. */
  get offered(): ReadonlySet<NftAction> {
    return this.#offered;
  }

  get isLoading(): boolean {
    return partNames.some((part) => this.#reader[part].isLoading);
  }

  /** Whether it shows this contract, and this token if one is given. */
  isAbout({ contract, tokenId }: NftTarget): boolean {
    const { contractAddress } = this.#reader;
    return contractAddress === contract && (tokenId === undefined || tokenId === this.#reader.tokenId);
  }

  /** Runs the action of a button of the view, with the token ID entered there. */
  act(action: NftAction): void {
    this.#host.act(action);
  }

  /** Cancels all pending requests. */
  cancel(): void {
    for (const part of partNames) this.#reader[part].cancel();
  }

  /** Loads the contract, which is free. */
  readonly showContract = () => this.#actions.showContract();

  /** Loads the token if that is free. */
  async showToken(): Promise<void> {
    await this.#offers.refresh();
    const { value } = this.#offers;
    const isFree = value?.state === 'ready' && value.offers.nftToken === 'free';
    if (isFree && !this.#host.signal.aborted) await this.#actions.showToken();
  }

  /** Loads the transfers, unless they have a price that the user has not seen: then the view offers it. */
  async showTransfers({ isCostShown }: { readonly isCostShown: boolean }): Promise<void> {
    await this.#offers.refresh();
    const { error, value } = this.#offers;
    if (error !== undefined) throw error;
    // From logs, or from an explorer.
    const { nftTransfers: price = 'free' } = value?.state === 'ready' ? value.offers : {};
    const isFree = price === 'free';
    const mayAsk = isCostShown || isFree;
    if (mayAsk && !this.#host.signal.aborted) await this.#actions.showTransfers();
  }

  /** Clears a restored panel: the data of an earlier window is not stored. */
  restore(): void {
    this.#reader.clear('restored');
  }

  dispose(): void {
    this.#reader.dispose();
    this.#offers.dispose();
    this.#times.dispose();
    this.#host.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Failures are ignored: names are optional. */
  async #followNames(): Promise<void> {
    const names = await this.#deps.names().catch(() => undefined);
    if (!names || this.#host.signal.aborted) return;
    this.#names = names;
    const listening = names.onDidChange(() => this.#refreshRows());
    this.#host.signal.addEventListener('abort', () => listening.dispose(), { once: true });
    this.#refreshRows();
  }

  #notify(what: LoadChange): void {
    if (what === 'value') this.#host.showing.soon();
    else this.#host.showing.now();
    // The provider may have refused, and another one serves later requests.
    if (what === 'state' && !this.isLoading) void this.#offers.refresh();
  }

  #nameOf(address: Address): string | undefined {
    const { chainId } = this.#reader.network ?? this.#deps.session.network;
    return this.#names?.nameOf(address, chainId)?.name;
  }

  #refreshRows(): void {
    this.transfers.refresh();
    this.#host.showing.soon();
  }

  #opening(): NftOpening {
    const { contractAddress: contract, tokenId } = this.#reader;
    const labels = { strings: createNftStrings(vscode.l10n), columns: createTransferColumns(vscode.l10n) };
    return { ...labels, contract, tokenId: tokenId?.toString() ?? '', snapshot: this.#snapshot() };
  }

  #snapshot(): NftSnapshot {
    const snapshot = createNftSnapshot({
      reader: this.#reader,
      activeNetwork: this.#deps.session.network,
      nfts: this.#offers.value,
      ipfsGateway: this.#deps.settings.current.ipfsGateway,
      order: this.transfers.follow(),
      hasTimes: this.transfers.hasTimes,
      nameOf: (address) => this.#nameOf(address),
      describeError: (part) => this.#describeError(part),
      l10n: vscode.l10n,
      locale: vscode.env.language,
    });
    this.#offered = new Set(partNames.flatMap((part) => snapshot[part].offers.map(({ action }) => action)));
    return snapshot;
  }

  /** Handles the requests of the view. */
  #handlers(): RequestHandlers<typeof nftRequests> {
    const { transfers } = this;
    const reader = this.#reader;
    return {
      open: () => this.#opening(),
      load: (request) => {
        if (this.#isOffered(request)) this.#actions.load(request);
      },
      tryAgain: (part) => this.#actions.tryAgain(part),
      cancel: (part) => reader[part].cancel(),
      skipWait: () => reader.reading.skipWait(),
      remedy: ({ part, title: wanted }) =>
        void this.#describeError(part)
          ?.remedies.find(({ title }) => title === wanted)
          ?.run(),
      rows: (window) => transfers.window(window),
      rowOf: (place) => transfers.rowOf(place),
      picture: () => reader.picture.value?.url,
      copyText: (text) => vscode.env.clipboard.writeText(text),
      copyCell: (place) => transfers.copyCell(place),
      copyTransfer: (place) => transfers.copyTransfer(place),
      openTransaction: (place) => transfers.openTransaction(place),
    };
  }

  /** Whether the button of the request, if it has one, still exists. */
  #isOffered({ title }: NftRequest): boolean {
    if (title === undefined) return true;
    const snapshot = this.#snapshot();
    return partNames.some((part) => snapshot[part].offers.some((offer) => offer.title === title));
  }

  #describeError(part: PartName) {
    return describePartError(part, this.#reader, this.#deps.session.network);
  }
}

interface Showing {
  readonly times: BlockTimes;
  readonly nameOf: (address: Address) => string | undefined;
}

/** The transfers of a panel, by the places that its view uses. */
class ShownTransfers {
  readonly #reader: NftReader;
  readonly #showing: Showing;
  readonly #rows = new TransferRows();
  #needsRefresh = false;

  constructor(reader: NftReader, showing: Showing) {
    this.#reader = reader;
    this.#showing = showing;
  }

  /** Takes over loaded transfers. Returns a number that is incremented when row numbers are no longer valid. */
  follow(): number {
    this.#rows.follow(this.#reader.resultId, this.#reader.transfers.value?.transfers);
    if (this.#needsRefresh) this.#rows.refresh();
    this.#needsRefresh = false;
    return this.#rows.order;
  }

  /** Times or names have changed: the view requests the rows again with its next snapshot. */
  refresh(): void {
    this.#needsRefresh = true;
  }

  /** Whether the time of any transfer is known. */
  get hasTimes(): boolean {
    const { value } = this.#reader.transfers;
    const isTimed = value?.from === 'source' && value.transfers.some(({ time }) => time !== undefined);
    return isTimed || this.#showing.times.areKnown;
  }

  /** The visible transfers. Fetches the times of their blocks. */
  window(window: RowWindow): readonly WireTransfer[] {
    const { times, nameOf } = this.#showing;
    const { network } = this.#reader;
    const transfers = this.#rows.slice(window);
    const untimed = transfers.filter(({ time }) => time === undefined);
    if (network && untimed.length > 0) {
      times.prefetch(
        untimed.map(({ blockNumber }) => blockNumber),
        network,
        { address: this.#reader.contractAddress },
      );
    }
    const showing = { nameOf };
    return transfers.map((transfer) => toWireTransfer(this.#timed(transfer), showing));
  }

  rowOf(place: TransferPlace): TransferRowPlace | undefined {
    return this.#rows.rowOf(place);
  }

  async copyCell(place: TransferCellPlace): Promise<void> {
    const transfer = this.#at(place);
    if (transfer) await vscode.env.clipboard.writeText(formatTransferCell(transfer, place.column));
  }

  async copyTransfer(place: TransferPlace): Promise<void> {
    const transfer = this.#at(place);
    const { network, contractAddress } = this.#reader;
    if (!transfer || !network) return;
    const of = { chainId: network.chainId, contract: toChecksumAddress(contractAddress) };
    await vscode.env.clipboard.writeText(transferToJson(transfer, of));
  }

  async openTransaction(place: TransferPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    const { network } = this.#reader;
    const link = transfer && getExplorerLink(network?.explorerUrl, 'transaction', transfer.transactionHash);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  #at(place: TransferPlace): NftTransfer | undefined {
    const transfer = this.#rows.at(place);
    return transfer && this.#timed(transfer);
  }

  #timed(transfer: NftTransfer): NftTransfer {
    const { time = this.#showing.times.timeOf(transfer.blockNumber) } = transfer;
    return { ...transfer, time };
  }
}

/**
 * A tab title that distinguishes panels: the contract, by its own name or that of the workspace once one is known, and
 * the token.
 */
export function formatNftPanelTitle(
  { contractAddress, tokenId, contract }: Pick<NftReader, 'contractAddress' | 'tokenId' | 'contract'>,
  nameOf: (address: Address) => string | undefined = () => undefined,
): string {
  const { value } = contract;
  const known = (value?.state === 'known' ? value.contract.name : undefined) ?? nameOf(contractAddress);
  const name =
    known === undefined
      ? vscode.l10n.t('NFT: {0}', formatShortAddress(toChecksumAddress(contractAddress)))
      : sanitizeText(known, 30);
  if (tokenId === undefined) return name;
  const id = tokenId.toString();
  return `${name} #${id.length <= 12 ? id : formatShortAddress(id)}`;
}

/** Why a part of the panel failed, with remedies; undefined if it did not. */
function describePartError(
  part: PartName,
  reader: NftReader,
  activeNetwork: Network,
): ErrorDescription | undefined {
  const { error } = reader[part];
  if (error === undefined) return undefined;
  if (part === 'picture') return describePictureError(error);
  const network = reader.network ?? activeNetwork;
  const service = reader.lastRequested[part];
  if (service === 'host') return describeMetadataError(error);
  const described = describeError(error, { service, network });
  // Watching an ERC-20 token does not help here.
  return { ...described, remedies: described.remedies.filter((remedy) => remedy !== watchTokenRemedy) };
}

/** Metadata comes from a separate host, like a picture. */
function describeMetadataError(error: unknown): ErrorDescription {
  const { l10n } = vscode;
  const reason = isAppError(error, 'badResponse')
    ? l10n.t('the response is not token metadata in JSON.')
    : formatFileReason(error, l10n.t('it is larger than 1 MiB or has too many values.'));
  const message = l10n.t('Could not load the metadata: {0}', reason);
  return { message, reason, advice: undefined, remedies: listFileRemedies() };
}

function listFileRemedies() {
  return [createSettingsRemedy('chainside.nft.ipfsGateway'), showOutputRemedy];
}

/** A picture comes from a separate host: its errors do not concern the network's servers. */
function describePictureError(error: unknown): ErrorDescription {
  const { l10n } = vscode;
  if (error instanceof PictureError) {
    const reason = formatPictureReason(error);
    const message = l10n.t('Cannot show the picture: {0}', reason);
    return { message, reason, advice: undefined, remedies: [showOutputRemedy] };
  }
  const reason = isAppError(error, 'badResponse')
    ? l10n.t('the response is not a picture.')
    : formatFileReason(error, l10n.t('it is larger than 5 MiB.'));
  const message = l10n.t('Could not load the picture: {0}', reason);
  return { message, reason, advice: undefined, remedies: listFileRemedies() };
}

/** Why a file of a token failed to load; `tooLarge` is the text for a file above the limit. */
function formatFileReason(error: unknown, tooLarge: string): string {
  const { l10n } = vscode;
  if (!isAppError(error)) return l10n.t('something went wrong in Chainside.');
  switch (error.kind) {
    case 'tooLarge':
      return tooLarge;
    case 'redirected':
      return l10n.t('its server redirects to a URL that Chainside does not follow.');
    case 'timeout':
      return l10n.t('its server did not respond in time.');
    case 'notFound':
      return l10n.t('its server does not have the file.');
    case 'network':
      return l10n.t('its server is unreachable.');
    case 'badInput':
      return formatValidationError(error, l10n);
    default:
      return error.details.status === undefined
        ? l10n.t('something went wrong in Chainside.')
        : l10n.t('its server responded with HTTP {0}.', error.details.status);
  }
}

function formatPictureReason({ reason, detail: found = '' }: PictureError): string {
  const { l10n } = vscode;
  const what = sanitizeText(found, 40);
  if (reason === 'kind') return l10n.t('its format is not PNG, JPEG, GIF, WebP, BMP or SVG.');
  if (reason === 'size') return l10n.t('it needs too much memory to draw ({0} pixels).', what);
  const drawings = new Map([
    ['form', l10n.t('it is a malformed SVG.')],
    ['length', l10n.t('it is an SVG with too many elements to draw safely.')],
    ['size', l10n.t('it is an SVG that needs too much memory to draw.')],
    ['link', l10n.t('it is an SVG that loads other files.')],
  ]);
  return drawings.get(what) ?? l10n.t('it is an SVG with {0}, which could freeze the window.', what);
}
