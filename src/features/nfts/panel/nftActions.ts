import { type AssetUrl, requireTokenId } from '../../../core/index.ts';
import { setKey } from '../../../host/words/remedies.ts';
import { showError } from '../../../host/words/showError.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import { fileOf } from '../answers/readToken.ts';
import { isAboutTypedToken, type NftAction, type PartName } from '../protocol/parts.ts';
import type { Asking } from '../protocol/protocol.ts';
import type { NftsDeps } from './deps.ts';
import { chooseIpfsGateway } from './ipfsGateway.ts';

type ActionDeps = Pick<NftsDeps, 'allowedHosts' | 'session' | 'settings' | 'log'>;

/** What the buttons of a panel do. */
export class NftActions {
  readonly #answers: NftAnswers;
  readonly #deps: ActionDeps;
  /** What was done last for each part, to be tried again. */
  readonly #last: Partial<Record<PartName, NftAction>> = {};

  constructor(answers: NftAnswers, deps: ActionDeps) {
    this.#answers = answers;
    this.#deps = deps;
  }

  /** @throws AppError `badInput` when the action is about a token and the text is no token id. */
  ask({ action, tokenId }: Asking): void {
    if (isAboutTypedToken(action)) this.#answers.setToken(requireTokenId(tokenId));
    this.#begin(action);
  }

  tryAgain(part: PartName): void {
    const action = this.#last[part];
    if (action) this.#begin(action);
  }

  /** Asks for the contract, if it is not known. */
  async showContract(): Promise<void> {
    if (!this.#answers.contract.value) await this.perform('contract');
  }

  /** Loads the transfers, if there are none yet. */
  async showTransfers(): Promise<void> {
    const { value, isLoading } = this.#answers.transfers;
    if (!value && !isLoading) await this.perform('transfers');
  }

  /** Reads the token, unless that is done. */
  async showToken(): Promise<void> {
    const { value, isLoading } = this.#answers.token;
    if (!value && !isLoading) await this.perform('token');
  }

  async perform(action: NftAction): Promise<void> {
    switch (action) {
      case 'contract':
      case 'contractFromDataApi':
        this.#last.contract = action;
        return this.#answers.askContract(action === 'contract' ? 'chain' : 'source');
      case 'token':
      case 'tokenFromContract':
        this.#last.token = action;
        return this.#askToken(action === 'token' ? 'any' : 'contract');
      case 'metadata':
        return this.#loadMetadata();
      case 'picture':
        this.#last.picture = action;
        return this.#askPicture();
      case 'transfers':
      case 'transfersFromLogs':
        this.#last.transfers = action;
        return this.#answers.askTransfers(action === 'transfers' ? 'any' : 'logs');
      case 'setKey':
        await setKey.run();
    }
  }

  /** What a part fails with stands in it; what fails around it, such as writing a setting, is a notification. */
  #begin(action: NftAction): void {
    const { session, log } = this.#deps;
    this.perform(action).catch((error: unknown) =>
      showError(error, { service: 'endpoint', network: session.network, log }),
    );
  }

  /** The picture comes along where nobody has to be asked for it who was not allowed. */
  async #askToken(from: 'any' | 'contract'): Promise<void> {
    const { settings, allowedHosts } = this.#deps;
    const { ipfsGateway } = settings.current;
    const mayLoad = (asset: AssetUrl) => allowedHosts.has(asset, ipfsGateway);
    await this.#answers.askToken(from, { ipfsGateway, mayLoad });
    const image = this.#answers.knownToken?.metadata?.image;
    const { value, isLoading } = this.#answers.picture;
    if (image && mayLoad(image) && !value && !isLoading) await this.#loadPicture(ipfsGateway);
  }

  async #loadMetadata(): Promise<void> {
    const token = this.#answers.knownToken;
    const file = token && fileOf(token);
    if (!file || !(await this.#allow(file))) return;
    await this.perform(this.#last.token ?? 'token');
  }

  async #askPicture(): Promise<void> {
    const image = this.#answers.knownToken?.metadata?.image;
    if (image && (await this.#allow(image))) await this.#loadPicture(this.#deps.settings.current.ipfsGateway);
  }

  async #loadPicture(ipfsGateway: string | undefined): Promise<void> {
    this.#last.picture = 'picture';
    await this.#answers.askPicture(ipfsGateway);
  }

  /** Whoever presses a button that names the host allows it; for IPFS a gateway is chosen first. */
  async #allow(asset: AssetUrl): Promise<boolean> {
    const { settings, allowedHosts } = this.#deps;
    if (asset.kind === 'ipfs' && settings.current.ipfsGateway === undefined) {
      const gateway = await chooseIpfsGateway();
      if (gateway === undefined) return false;
      await settings.saveIpfsGateway(gateway);
    }
    allowedHosts.allow(asset, settings.current.ipfsGateway);
    return true;
  }
}
