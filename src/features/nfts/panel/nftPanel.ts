import * as vscode from 'vscode';
import type { Address } from '../../../core/index.ts';
import type { LoadChange } from '../../../host/loading/load.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import { PanelHost } from '../../../host/panels/panelHost.ts';
import type { OwnedPanel } from '../../../host/panels/panels.ts';
import { nameTab } from '../../../host/surface/tabs.ts';
import { BlockTimes } from '../../../host/times/blockTimes.ts';
import { NftAnswers } from '../answers/nftAnswers.ts';
import { currentSources } from '../answers/nftSources.ts';
import type { AskedNft } from '../answers/question.ts';
import { gridColumns } from '../protocol/columns.ts';
import type { NftSnapshot } from '../protocol/nftSnapshot.ts';
import { type NftAction, type PartName, partNames } from '../protocol/parts.ts';
import type { Asking, NftHost, Opening } from '../protocol/protocol.ts';
import { nftStrings } from '../protocol/strings.ts';
import { panelTitle } from '../words/panelTitle.ts';
import { partProblem } from '../words/problems.ts';
import type { NftsDeps } from './deps.ts';
import { NftActions } from './nftActions.ts';
import { NftOffers } from './nftOffers.ts';
import { nftMethods } from './served.ts';
import { ShownTransfers } from './shownTransfers.ts';
import { makeSnapshot } from './snapshot.ts';

/** One NFT panel: owns what was asked about a contract and one of its tokens. */
export class NftPanel implements OwnedPanel {
  readonly panel: vscode.WebviewPanel;
  /** The transfers by their places in the view. */
  readonly transfers: ShownTransfers;
  readonly onDidShow: vscode.Event<void>;
  readonly #deps: NftsDeps;
  readonly #answers: NftAnswers;
  readonly #actions: NftActions;
  readonly #host: PanelHost<NftHost, NftSnapshot, NftAction>;
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #offers: NftOffers;
  readonly #times: BlockTimes;
  #names: AddressNames | undefined;
  #offered: ReadonlySet<NftAction> = new Set();

  constructor(panel: vscode.WebviewPanel, deps: NftsDeps, { contract, tokenId }: AskedNft) {
    this.panel = panel;
    this.#deps = deps;
    const { clock } = deps.http;
    this.#answers = new NftAnswers({
      ...{ contract, tokenId, http: deps.http },
      sources: () => currentSources(deps.session),
      onDidChange: (what) => this.#tell(what),
    });
    this.#offers = new NftOffers(deps.session, () => this.#host.showing.now());
    this.#actions = new NftActions(this.#answers, deps);
    this.#times = new BlockTimes(
      () => deps.session.connection,
      () => this.#retell(),
    );
    this.transfers = new ShownTransfers(this.#answers, {
      times: this.#times,
      nameOf: (address) => this.#nameOf(address),
    });
    this.#host = new PanelHost(
      panel,
      { ...deps, clock },
      {
        program: { name: 'nfts', pictures: true },
        methods: nftMethods({
          ...{ answers: this.#answers, actions: this.#actions, transfers: this.transfers },
          opening: () => this.#opening(),
          ask: (asking) => {
            if (this.#isThere(asking)) this.#actions.ask(asking);
          },
          remedy: ({ part, title: wanted }) =>
            void this.#problem(part)
              ?.remedies.find(({ title }) => title === wanted)
              ?.run(),
        }),
        shown: () => {
          nameTab(panel, panelTitle(this.#answers));
          return this.#snapshot();
        },
        leaving: {
          askedNetwork: () => this.#answers.network,
          leaveNetwork: () => {
            this.#times.clear();
            this.#answers.clear('networkChanged');
          },
        },
      },
    );
    this.onDidShow = this.#host.onDidShow;
    this.#subscriptions = [
      deps.session.onDidChangeSources(() => void this.#offers.lookUp()),
      deps.settings.onDidChange(() => this.#host.showing.now()),
    ];
    void this.#offers.lookUp();
    void this.#followNames();
  }

  /** The buttons that the view has now. */
  get offered(): ReadonlySet<NftAction> {
    return this.#offered;
  }

  get isLoading(): boolean {
    return partNames.some((part) => this.#answers[part].isLoading);
  }

  /** Whether it is about this contract, and about this token if one is meant. */
  isAbout({ contract, tokenId }: AskedNft): boolean {
    const { contractAddress } = this.#answers;
    return contractAddress === contract && (tokenId === undefined || tokenId === this.#answers.tokenId);
  }

  /** Does what the view's button does, with the token id that is typed there. */
  act(action: NftAction): void {
    this.#host.act(action);
  }

  /** Stops all that is being asked. */
  cancel(): void {
    for (const part of partNames) this.#answers[part].cancel();
  }

  /** Asks for the contract, which costs nothing. */
  readonly showContract = () => this.#actions.showContract();

  /** Reads the token, if that takes no key. */
  async showToken(): Promise<void> {
    await this.#offers.lookUp();
    const { value } = this.#offers;
    const isFree = value?.state === 'ready' && value.offers.nftToken === 'free';
    if (isFree && !this.#host.signal.aborted) await this.#actions.showToken();
  }

  /** Loads the transfers, unless that costs what has not been told yet: then the view offers it. */
  async showTransfers({ costIsTold }: { readonly costIsTold: boolean }): Promise<void> {
    await this.#offers.lookUp();
    const { error, value } = this.#offers;
    if (error !== undefined) throw error;
    // Out of logs, or from an explorer.
    const { nftTransfers: price = 'free' } = value?.state === 'ready' ? value.offers : {};
    const isFree = price === 'free';
    const mayAsk = costIsTold || isFree;
    if (mayAsk && !this.#host.signal.aborted) await this.#actions.showTransfers();
  }

  /** Says that what an earlier window had loaded was not kept. */
  restore(): void {
    this.#answers.clear('restored');
  }

  dispose(): void {
    this.#answers.dispose();
    this.#offers.dispose();
    this.#times.dispose();
    this.#host.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Names are beside the point where they cannot be had. */
  async #followNames(): Promise<void> {
    const names = await this.#deps.names().catch(() => undefined);
    if (!names || this.#host.signal.aborted) return;
    this.#names = names;
    const listening = names.onDidChange(() => this.#retell());
    this.#host.signal.addEventListener('abort', () => listening.dispose(), { once: true });
    this.#retell();
  }

  #tell(what: LoadChange): void {
    if (what === 'value') this.#host.showing.soon();
    else this.#host.showing.now();
    // Who was asked may have refused, and another one is asked from now on.
    if (what === 'state' && !this.isLoading) void this.#offers.lookUp();
  }

  #nameOf(address: Address): string | undefined {
    const { chainId } = this.#answers.network ?? this.#deps.session.network;
    return this.#names?.nameOf(address, chainId)?.name;
  }

  #retell(): void {
    this.transfers.retell();
    this.#host.showing.soon();
  }

  #opening(): Opening {
    const { contractAddress: contract, tokenId } = this.#answers;
    const words = { strings: nftStrings(vscode.l10n), columns: gridColumns(vscode.l10n) };
    return { ...words, contract, tokenId: tokenId?.toString() ?? '', snapshot: this.#snapshot() };
  }

  #snapshot(): NftSnapshot {
    const snapshot = makeSnapshot({
      answers: this.#answers,
      activeNetwork: this.#deps.session.network,
      nfts: this.#offers.value,
      ipfsGateway: this.#deps.settings.current.ipfsGateway,
      ...{ order: this.transfers.follow(), hasTimes: this.transfers.hasTimes },
      nameOf: (address) => this.#nameOf(address),
      problemOf: (part) => this.#problem(part),
      ...{ l10n: vscode.l10n, locale: vscode.env.language },
    });
    this.#offered = new Set(partNames.flatMap((part) => snapshot[part].offers.map(({ action }) => action)));
    return snapshot;
  }

  /** Whether the button that was pressed, if one was, is still there. */
  #isThere({ title }: Asking): boolean {
    if (title === undefined) return true;
    const snapshot = this.#snapshot();
    return partNames.some((part) => snapshot[part].offers.some((offer) => offer.title === title));
  }

  #problem(part: PartName) {
    return partProblem(part, this.#answers, this.#deps.session.network);
  }
}
