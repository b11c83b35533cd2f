import * as vscode from 'vscode';
import { type AssetUrl, isAppError, requireIpfsGateway, requireTokenId } from '../../core/index.ts';
import { setKeyRemedy, showError } from '../../host/errors.ts';
import { type PickItem, pickOne, showInputBox } from '../../host/ui/dialogs.ts';
import type { NftsDeps } from './askForNft.ts';
import { findMetadataFile, type NftReader } from './nftReader.ts';
import { type NftAction, type NftRequest, type PartName, usesTypedToken } from './protocol.ts';

const publicGateways = ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'] as const;

interface GatewayItem extends PickItem {
  readonly gateway: string | undefined;
}

/** Lets the user choose the gateway for IPFS. Undefined if cancelled. */
async function chooseIpfsGateway(): Promise<string | undefined> {
  const { l10n } = vscode;
  const items: readonly GatewayItem[] = [
    ...publicGateways.map((gateway) => ({ label: gateway, gateway })),
    { label: '', kind: vscode.QuickPickItemKind.Separator, gateway: undefined },
    { label: l10n.t('Another…'), gateway: undefined },
  ];
  const picked = await pickOne(items, {
    title: l10n.t('Choose an IPFS Gateway'),
    placeHolder: l10n.t('The gateway sees which files you load. Chainside saves it in your settings.'),
    ignoreFocusOut: true,
  });
  return picked && (picked.gateway ?? askForGateway());
}

async function askForGateway(): Promise<string | undefined> {
  const typed = await showInputBox({
    title: vscode.l10n.t('IPFS Gateway'),
    prompt: vscode.l10n.t('HTTPS URL of the gateway, without /ipfs/…'),
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: validateGateway,
  });
  return typed && requireIpfsGateway(typed);
}

function validateGateway(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    requireIpfsGateway(text);
    return undefined;
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return vscode.l10n.t('Not a gateway. Enter an HTTPS URL with a public host name.');
  }
}

type ActionDeps = Pick<NftsDeps, 'allowedHosts' | 'session' | 'settings' | 'log'>;

/** The actions of the buttons of a panel. */
export class NftActions {
  readonly #reader: NftReader;
  readonly #deps: ActionDeps;
  /** The last action of each part, for *Retry*. */
  readonly #last: Partial<Record<PartName, NftAction>> = {};

  constructor(reader: NftReader, deps: ActionDeps) {
    this.#reader = reader;
    this.#deps = deps;
  }

  /** @throws AppError `badInput` if the action needs a token ID and the text is not one. */
  load({ action, tokenId }: NftRequest): void {
    if (usesTypedToken(action)) this.#reader.setToken(requireTokenId(tokenId));
    this.#begin(action);
  }

  tryAgain(part: PartName): void {
    const action = this.#last[part];
    if (action) this.#begin(action);
  }

  /** Loads the contract, if it is not loaded. */
  async showContract(): Promise<void> {
    if (!this.#reader.contract.value) await this.perform('contract');
  }

  /** Loads the transfers, if they are neither loaded nor loading. */
  async showTransfers(): Promise<void> {
    const { value, isLoading } = this.#reader.transfers;
    if (!value && !isLoading) await this.perform('transfers');
  }

  /** Loads the token, if it is neither loaded nor loading. */
  async showToken(): Promise<void> {
    const { value, isLoading } = this.#reader.token;
    if (!value && !isLoading) await this.perform('token');
  }

  async perform(action: NftAction): Promise<void> {
    switch (action) {
      case 'contract':
      case 'contractFromDataApi':
        this.#last.contract = action;
        return this.#reader.loadContract(action === 'contract' ? 'chain' : 'source');
      case 'token':
      case 'tokenFromContract':
        this.#last.token = action;
        return this.#loadToken(action === 'token' ? 'any' : 'contract');
      case 'metadata':
        return this.#loadMetadata();
      case 'picture':
        this.#last.picture = action;
        return this.#requestPicture();
      case 'transfers':
      case 'transfersFromLogs':
        this.#last.transfers = action;
        return this.#reader.loadTransfers(action === 'transfers' ? 'any' : 'logs');
      case 'setKey':
        await setKeyRemedy.run();
    }
  }

  /** A part shows its own errors; other errors, such as of writing a setting, are notifications. */
  #begin(action: NftAction): void {
    const { session, log } = this.#deps;
    this.perform(action).catch((error: unknown) =>
      showError(error, { service: 'endpoint', network: session.network, log }),
    );
  }

  /** Loads the picture as well if its host is already allowed. */
  async #loadToken(from: 'any' | 'contract'): Promise<void> {
    const { settings, allowedHosts } = this.#deps;
    const { ipfsGateway } = settings.current;
    const mayLoad = (asset: AssetUrl) => allowedHosts.has(asset, ipfsGateway);
    await this.#reader.loadToken(from, { ipfsGateway, mayLoad });
    const image = this.#reader.knownToken?.metadata?.image;
    const { value, isLoading } = this.#reader.picture;
    if (image && mayLoad(image) && !value && !isLoading) await this.#loadPicture(ipfsGateway);
  }

  async #loadMetadata(): Promise<void> {
    const token = this.#reader.knownToken;
    const file = token && findMetadataFile(token);
    if (!file || !(await this.#allow(file))) return;
    await this.perform(this.#last.token ?? 'token');
  }

  async #requestPicture(): Promise<void> {
    const image = this.#reader.knownToken?.metadata?.image;
    if (image && (await this.#allow(image))) await this.#loadPicture(this.#deps.settings.current.ipfsGateway);
  }

  async #loadPicture(ipfsGateway: string | undefined): Promise<void> {
    this.#last.picture = 'picture';
    await this.#reader.loadPicture(ipfsGateway);
  }

  /** The button names the host, so a click allows it; for IPFS the user chooses a gateway first. */
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
