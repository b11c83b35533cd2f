import { requireTokenId } from '../../../core/index.ts';
import { setKey } from '../../../host/words/remedies.ts';
import { showError } from '../../../host/words/showError.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import { isAboutTypedToken, type NftAction, type PartName } from '../protocol/parts.ts';
import type { Asking } from '../protocol/protocol.ts';
import type { NftsDeps } from './deps.ts';
import { chooseIpfsGateway } from './ipfsGateway.ts';

/** What the buttons of a panel do. */
export class NftActions {
  readonly #answers: NftAnswers;
  readonly #deps: Pick<NftsDeps, 'session' | 'settings' | 'log'>;
  /** What was done last for each part, to be tried again. */
  readonly #last: Partial<Record<PartName, NftAction>> = {};

  constructor(answers: NftAnswers, deps: Pick<NftsDeps, 'session' | 'settings' | 'log'>) {
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

  async perform(action: NftAction): Promise<void> {
    switch (action) {
      case 'contract':
      case 'contractFromDataApi':
        this.#last.contract = action;
        return this.#answers.askContract(action === 'contract' ? 'chain' : 'source');
      case 'token':
        this.#last.token = action;
        return this.#answers.askToken();
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
}
