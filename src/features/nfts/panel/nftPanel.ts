import * as vscode from 'vscode';
import { isAppError, type NftSource, requireTokenId, toChecksumAddress } from '../../../core/index.ts';
import { errorText } from '../../../host/log.ts';
import { createThrottle, type Throttle } from '../../../host/panels/throttle.ts';
import { startWebview } from '../../../host/panels/webviewHtml.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import { isSameChain } from '../../../host/session/sameChain.ts';
import { nameTab } from '../../../host/surface/tabs.ts';
import { setKey } from '../../../host/words/describeError.ts';
import { showError } from '../../../host/words/showError.ts';
import { type Channel, openChannel } from '../../../messaging/channel.ts';
import type { RowWindow } from '../../../messaging/panel.ts';
import type { WireError } from '../../../messaging/wire.ts';
import { NftAnswers, type NftSources } from '../answers/nftAnswers.ts';
import type { AskedNft } from '../answers/question.ts';
import {
  type Asking,
  type CellPlace,
  hostParams,
  isAboutTypedToken,
  type NftHost,
  type NftSnapshot,
  type NftView,
  type Opening,
  type PartName,
  type TransferPlace,
  type WireTransfer,
  type Wish,
} from '../protocol/protocol.ts';
import { nftStrings } from '../protocol/strings.ts';
import type { NftsOffered } from '../words/contractWords.ts';
import { panelTitle } from '../words/panelTitle.ts';
import { partProblem } from '../words/problems.ts';
import type { NftsDeps } from './deps.ts';
import { chooseIpfsGateway } from './ipfsGateway.ts';
import { takeSnapshot } from './snapshot.ts';
import { TransferRows } from './transferRows.ts';
import { transferCellText, transferJson, wireTransfer } from './wireTransfers.ts';

/** Milliseconds between two snapshots while transfers come in. */
const SHOW_EVERY_MS = 200;

/** One NFT panel: owns what was asked about a contract and one of its tokens, serves its view, ends with its tab. */
export class NftPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #deps: NftsDeps;
  readonly #answers: NftAnswers;
  readonly #channel: Channel<NftView>;
  readonly #showing: Throttle;
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #rows = new TransferRows();
  readonly #wishes: Partial<Record<PartName, Wish>> = {};
  #nfts: NftsOffered | undefined;
  #ended = false;

  constructor(panel: vscode.WebviewPanel, deps: NftsDeps, { contract, tokenId }: AskedNft) {
    this.panel = panel;
    this.#deps = deps;
    this.#showing = createThrottle(() => this.#show(), SHOW_EVERY_MS, deps.http.clock);
    this.#answers = new NftAnswers({
      ...{ contract, tokenId, http: deps.http },
      sources: () => currentSources(deps.session),
      onDidChange: (what) => (what === 'state' ? this.#showing.now() : this.#showing.soon()),
    });
    this.#channel = this.#serve();
    this.#subscriptions = [
      panel.webview.onDidReceiveMessage((message) => this.#channel.receive(message)),
      deps.session.onDidChange(() => this.#networkChanged()),
      deps.session.onDidChangeSources(() => void this.#lookUpSource()),
      deps.settings.onDidChange(() => this.#showing.now()),
      this.#showing,
    ];
    void this.#lookUpSource();
    startWebview(panel.webview, { extensionUri: deps.extensionUri, name: 'nfts', pictures: true });
  }

  /** Whether it is about this contract, and about this token if one is meant. */
  isAbout({ contract, tokenId }: AskedNft): boolean {
    const { contractAddress } = this.#answers;
    return contractAddress === contract && (tokenId === undefined || tokenId === this.#answers.tokenId);
  }

  /** Asks for the contract, which costs nothing. */
  async showContract(): Promise<void> {
    if (!this.#answers.contract.value) await this.#grant('contract');
  }

  /** Loads the transfers, unless that costs what has not been told yet: then the view offers it. */
  async showTransfers({ costIsTold }: { readonly costIsTold: boolean }): Promise<void> {
    await this.#lookUpSource();
    const { transfers } = this.#answers;
    if (transfers.value || transfers.isLoading) return;
    if (costIsTold || this.#nfts?.state !== 'ready') await this.#grant('transfers');
  }

  /** Says that what an earlier window had loaded was not kept. */
  restore(): void {
    this.#answers.clear('restored');
  }

  async copyCell(place: CellPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    if (transfer) await vscode.env.clipboard.writeText(transferCellText(transfer, place.column));
  }

  async copyTransfer(place: TransferPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    const { network, contractAddress } = this.#answers;
    if (!transfer || !network) return;
    const of = { chainId: network.chainId, contract: toChecksumAddress(contractAddress) };
    await vscode.env.clipboard.writeText(transferJson(transfer, of));
  }

  async openTransaction(place: TransferPlace): Promise<void> {
    const transfer = this.#rows.at(place);
    const { network } = this.#answers;
    const link = transfer && explorerLink(network?.explorerUrl, 'transaction', transfer.transactionHash);
    if (link) await vscode.env.openExternal(vscode.Uri.parse(link, true));
  }

  dispose(): void {
    this.#ended = true;
    this.#answers.dispose();
    this.#channel.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #serve(): Channel<NftView> {
    return openChannel<NftHost, NftView>({
      post: (message) => this.panel.webview.postMessage(message),
      toWireError: (error) => this.#wireError(error),
      onRefused: ({ message }) => this.#deps.log.warn(`NFT panel: refused a message. ${message}`),
      methods: {
        open: { params: hostParams.open, handle: () => this.#opening() },
        ask: { params: hostParams.ask, handle: (asking) => this.#ask(asking) },
        tryAgain: { params: hostParams.tryAgain, handle: (part) => this.#tryAgain(part) },
        cancel: { params: hostParams.cancel, handle: (part) => this.#answers[part].cancel() },
        skipWait: { params: hostParams.skipWait, handle: () => this.#answers.skipWait() },
        remedy: {
          params: hostParams.remedy,
          handle: ({ part, index }) => void this.#problem(part)?.remedies[index]?.run(),
        },
        rows: { params: hostParams.rows, handle: (window) => this.#wireRows(window) },
        rowOf: { params: hostParams.rowOf, handle: (place) => this.#rows.rowOf(place) },
        picture: { params: hostParams.picture, handle: () => this.#answers.picture.value?.url },
        copyText: { params: hostParams.copyText, handle: (text) => vscode.env.clipboard.writeText(text) },
        copyCell: { params: hostParams.copyCell, handle: (place) => this.copyCell(place) },
        copyTransfer: { params: hostParams.copyTransfer, handle: (place) => this.copyTransfer(place) },
        openTransaction: {
          params: hostParams.openTransaction,
          handle: (place) => this.openTransaction(place),
        },
      },
    });
  }

  #opening(): Opening {
    const { contractAddress, tokenId } = this.#answers;
    return {
      strings: nftStrings(vscode.l10n),
      contract: contractAddress,
      tokenId: tokenId?.toString() ?? '',
      snapshot: this.#snapshot(),
    };
  }

  /** @throws AppError `badInput` when the wish is about a token and the text is no token id. */
  #ask({ wish, tokenId }: Asking): void {
    if (isAboutTypedToken(wish)) {
      this.#answers.setToken(requireTokenId(tokenId));
    }
    this.#begin(wish);
  }

  #tryAgain(part: PartName): void {
    const wish = this.#wishes[part];
    if (wish) this.#begin(wish);
  }

  /** What a part fails with stands in it; what fails around it, such as writing a setting, is told. */
  #begin(wish: Wish): void {
    const { session, log } = this.#deps;
    this.#grant(wish).catch((error: unknown) =>
      showError(error, { service: 'endpoint', network: session.network, log }),
    );
  }

  async #grant(wish: Wish): Promise<void> {
    switch (wish) {
      case 'contract':
      case 'contractFromDataApi':
        this.#wishes.contract = wish;
        return this.#answers.askContract(wish === 'contract' ? 'chain' : 'source');
      case 'token':
        this.#wishes.token = wish;
        return this.#answers.askToken();
      case 'picture':
        this.#wishes.picture = wish;
        return this.#askPicture();
      case 'transfers':
      case 'transfersFromLogs':
        this.#wishes.transfers = wish;
        return this.#answers.askTransfers(wish === 'transfers' ? 'any' : 'logs');
      case 'setKey':
        await setKey.run();
    }
  }

  async #askPicture(): Promise<void> {
    const isOnIpfs = this.#answers.token.value?.token?.metadata?.image?.kind === 'ipfs';
    let gateway = this.#deps.settings.current.ipfsGateway;
    if (isOnIpfs && gateway === undefined) {
      gateway = await chooseIpfsGateway();
      if (gateway === undefined) return;
      await this.#deps.settings.saveIpfsGateway(gateway);
    }
    await this.#answers.askPicture(gateway);
  }

  async #lookUpSource(): Promise<void> {
    const access = await this.#deps.session.nfts();
    // Not the source itself, which has a key that may be forgotten.
    this.#nfts = access.state === 'ready' ? offeredBy(access.source) : { state: access.state };
    this.#showing.now();
  }

  #networkChanged(): void {
    const { network } = this.#deps.session;
    const asked = this.#answers.network;
    if (asked && !isSameChain(asked, network)) this.#answers.clear('networkChanged');
    else this.#showing.now();
  }

  #show(): void {
    if (this.#ended) return;
    nameTab(this.panel, panelTitle(this.#answers));
    this.#channel.notify('show', this.#snapshot());
  }

  #snapshot(): NftSnapshot {
    this.#rows.follow(this.#answers.answer, this.#answers.transfers.value?.transfers);
    return takeSnapshot({
      answers: this.#answers,
      activeNetwork: this.#deps.session.network,
      nfts: this.#nfts,
      ipfsGateway: this.#deps.settings.current.ipfsGateway,
      order: this.#rows.order,
      problemOf: (part) => this.#problem(part),
      l10n: vscode.l10n,
      locale: vscode.env.language,
    });
  }

  #wireRows(window: RowWindow): readonly WireTransfer[] {
    return this.#rows.slice(window).map((transfer) => wireTransfer(transfer, vscode.env.language));
  }

  #problem(part: PartName) {
    return partProblem(part, this.#answers, this.#deps.session.network);
  }

  #wireError(error: unknown): WireError {
    if (isAppError(error)) return { code: error.kind, message: error.message, field: error.details.field };
    this.#deps.log.error(errorText(error));
    return { code: 'internal', message: vscode.l10n.t('Something went wrong in Chainside.') };
  }
}

function offeredBy({ label, offers }: NftSource): NftsOffered {
  return { state: 'ready', label, offers };
}

/** The active network with its clients; asked anew if another one takes its place meanwhile. */
async function currentSources(session: NftsDeps['session']): Promise<NftSources> {
  const { connection } = session;
  const nfts = await session.nfts();
  if (session.connection !== connection) return currentSources(session);
  return { network: connection.network, client: connection.client, nfts };
}
