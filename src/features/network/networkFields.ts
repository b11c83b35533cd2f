import * as vscode from 'vscode';
import {
  builtInNetworks,
  type EndpointFacts,
  findWellKnownChain,
  getDatasetChain,
  getGatewayChain,
  isAppError,
  type Network,
  parseEndpointUrl,
  probeEndpoint,
  publicExplorers,
  type RpcAuth,
  validateNetworkField,
} from '../../core/index.ts';
import { describeError, toSentence } from '../../host/errors.ts';
import { formatErrorForLog } from '../../host/log.ts';
import { formatNetworkFieldError } from '../../host/settings/settingErrors.ts';
import { openInputBox } from '../../host/ui/dialogs.ts';
import { noteChosenServer } from '../../host/webHost.ts';
import type { NetworkDeps } from './secretInput.ts';

/** The URL of an endpoint, and what a probe found; without facts if the user continues without a test. */
interface UrlInput {
  readonly url: string;
  readonly facts: EndpointFacts | undefined;
}

interface UrlInputOptions {
  readonly title: string;
  readonly value: string;
  /** Where the secret of the endpoint goes, unless it is in the URL. */
  readonly rpcAuth?: RpcAuth | undefined;
  readonly onType?: (text: string) => void;
  readonly hasBack?: boolean;
}

/**
 * Prompts for the URL of an endpoint. Enter probes it; the input box stays open until the endpoint responds, the user
 * continues without a test, or cancels. Errors are shown at the field.
 */
export function askForUrl(
  { session, log }: NetworkDeps,
  { title, value, rpcAuth, onType, hasBack = false }: UrlInputOptions,
): Promise<UrlInput | 'back' | undefined> {
  const { l10n } = vscode;
  const goOn = { icon: 'arrow-right', tooltip: l10n.t('Continue Without Testing') };
  const prompt = l10n.t('URL of a node, an explorer or an SQD Portal. Press Enter to test it');
  const { Error: Wrong, Warning } = vscode.InputBoxValidationSeverity;
  return new Promise((resolve) => {
    const finish = (result: UrlInput | 'back') => {
      resolve(result);
      box.hide();
    };
    const placeHolder = 'localhost:8545, rpc.example.org, https://explorer.example/api/eth-rpc';
    const { box, showValidation } = openInputBox(title, prompt, {
      value,
      placeHolder,
      ...(hasBack && { onBack: () => finish('back') }),
    });
    box.ignoreFocusOut = true;
    const closed = new AbortController();
    let untested: string | undefined;

    async function test(url: string): Promise<void> {
      box.busy = true;
      noteChosenServer(url);
      box.enabled = false;
      showValidation();
      try {
        const http = session.httpFor({ rpcUrl: url, rpcAuth });
        finish({ url, facts: await probeEndpoint(http, url, { signal: closed.signal }) });
      } catch (error) {
        if (closed.signal.aborted) return;
        // The page of the network prompts for its key later.
        if (isAppError(error, 'needsKey')) return finish({ url, facts: undefined });
        log.warn(formatErrorForLog(error));
        box.busy = false;
        box.enabled = true;
        untested = url;
        const network = { id: '', name: '', chainId: 0, symbol: '', decimals: 0, rpcUrl: url };
        const { message } = describeError(error, { service: 'endpoint', network });
        const text = l10n.t('{0} Press Enter to retry', toSentence(message));
        showValidation({ message: text, severity: Warning }, goOn);
      }
    }

    box.onDidChangeValue((text) => {
      showValidation();
      onType?.(text);
    });
    box.onDidAccept(() => {
      const url = parseEndpointUrl(box.value);
      if (url !== undefined && validateNetworkField('rpcUrl', url) === undefined) return test(url);
      const message = l10n.t('Enter an http or https URL without user name and password.');
      showValidation({ message, severity: Wrong });
    });
    box.onDidTriggerButton((button) => {
      if (button.tooltip === goOn.tooltip && untested !== undefined)
        finish({ url: untested, facts: undefined });
    });
    box.onDidHide(() => {
      closed.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** A network that is being described. */
export type NetworkDraft = Partial<Network> & Pick<Network, 'rpcUrl'>;

/** `draft` with what the endpoint at its new URL reports; empty fields get the defaults of the chain. */
export function applyEndpoint(
  draft: Partial<Network>,
  { url, facts }: UrlInput,
  networks: readonly Network[],
): NetworkDraft {
  const rpcUrl = facts?.url ?? url;
  const reportedChainId = facts?.chainId ?? draft.chainId;
  const chainId =
    reportedChainId ?? getGatewayChain(rpcUrl) ?? findChainByHost(rpcUrl) ?? getDatasetChain(rpcUrl);
  const chain = chainId === undefined ? undefined : findWellKnownChain(chainId);
  const { host, origin } = new URL(rpcUrl);
  const name = draft.name ?? getFreeName(chain?.name ?? host, host, networks);
  const explorerUrl =
    draft.explorerUrl ??
    chain?.explorerUrl ??
    (isExplorer(facts) && getGatewayChain(rpcUrl) === undefined ? origin : undefined);
  const dataApiUrl = draft.dataApiUrl ?? chain?.dataApiUrl;
  return {
    ...draft,
    rpcUrl,
    name,
    symbol: draft.symbol ?? chain?.symbol ?? 'ETH',
    ...(chainId !== undefined && { chainId }),
    ...(explorerUrl !== undefined && { explorerUrl }),
    ...(dataApiUrl !== undefined && { dataApiUrl }),
  };
}

/** The defaults of a chain. */
export function createChainDraft(
  chainId: number,
  networks: readonly Network[],
): Omit<Network, 'id' | 'rpcUrl'> & NetworkDraft {
  const defaults = networks.find((network) => network.chainId === chainId) ?? findWellKnownChain(chainId);
  const {
    name = vscode.l10n.t('Chain {0}', chainId),
    symbol = 'ETH',
    explorerUrl,
    dataApiUrl,
  } = defaults ?? {};
  return { chainId, name, symbol, decimals: 18, explorerUrl, dataApiUrl, rpcUrl: '' };
}

/** Undefined until the draft has a chain ID and a name. */
export function toNetwork(draft: NetworkDraft, networks: readonly Network[]): Network | undefined {
  const { id, chainId, name, symbol = 'ETH', decimals = 18, ...others } = draft;
  if (chainId === undefined || name === undefined) return undefined;
  return { ...others, chainId, name, symbol, decimals, id: id ?? getFreeId(name, networks) };
}

function isExplorer(facts: EndpointFacts | undefined): boolean {
  return facts?.server.server === 'blockscout';
}

/**
 * Blockscout explorers of older releases do not offer their chain ID: that of a well-known one follows from its host.
 */
function findChainByHost(url: string): number | undefined {
  const { host } = new URL(url);
  const all = [...builtInNetworks, ...publicExplorers];
  return all.find(({ rpcUrl }) => new URL(rpcUrl).host === host)?.chainId;
}

function getFreeName(name: string, host: string, networks: readonly Network[]): string {
  return networks.some((network) => network.name === name) ? `${name} (${host})` : name;
}

/** An ID made from the name, with a number if it is taken. */
function getFreeId(name: string, networks: readonly Network[]): string {
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 50) || 'network';
  const taken = new Set(networks.map(({ id }) => id));
  for (let id = slug, count = 2; ; id = `${slug}-${count++}`) {
    if (!taken.has(id)) return id;
  }
}

/** A field with an input box of its own. The URL has another, which probes the endpoint. */
export type FieldId = 'chainId' | 'name' | 'symbol' | 'explorerUrl' | 'dataApiUrl';

interface Field {
  readonly label: string;
  readonly prompt: string;
  readonly placeHolder: string;
  readonly optional?: true;
}

export function getNetworkFields(): Readonly<Record<FieldId, Field>> {
  const { l10n } = vscode;
  return {
    name: {
      label: l10n.t('Name'),
      prompt: l10n.t('Name of the network'),
      placeHolder: l10n.t('My Network'),
    },
    chainId: {
      label: l10n.t('Chain ID'),
      prompt: l10n.t('Chain ID, decimal or 0x hex'),
      placeHolder: '31337',
    },
    symbol: {
      label: l10n.t('Symbol'),
      prompt: l10n.t('Symbol of the native token'),
      placeHolder: 'ETH',
    },
    explorerUrl: {
      label: l10n.t('Explorer'),
      prompt: l10n.t('URL of the explorer website, for links (optional)'),
      placeHolder: 'https://explorer.example',
      optional: true,
    },
    dataApiUrl: {
      label: l10n.t('Data API'),
      prompt: l10n.t('URL of the data API, for token balances (optional)'),
      placeHolder: 'https://api.covalenthq.com',
      optional: true,
    },
  };
}

/** Prompts for one field of `draft`, validated while it is typed; undefined if the user goes back or cancels. */
export function askForField(
  title: string,
  id: FieldId,
  draft: NetworkDraft,
): Promise<{ readonly value: string | number | undefined } | undefined> {
  const field = getNetworkFields()[id];
  const { prompt, placeHolder } = field;
  return new Promise((resolve) => {
    const value = String(draft[id] ?? '');
    const { box, showValidation: setValidation } = openInputBox(title, prompt, {
      value,
      placeHolder,
      onBack: () => box.hide(),
    });
    box.ignoreFocusOut = true;
    const getError = () => validateField(id, box.value.trim(), field);
    const showValidation = () => {
      const message = getError();
      setValidation(
        message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Error },
      );
    };
    box.onDidChangeValue(showValidation);
    box.onDidAccept(() => {
      if (getError() !== undefined) return showValidation();
      const text = box.value.trim();
      resolve({ value: text === '' ? undefined : parseFieldValue(id, text) });
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function validateField(id: FieldId, text: string, { optional }: Field): string | undefined {
  if (text === '') return optional ? undefined : vscode.l10n.t('This field must not be empty.');
  const error = validateNetworkField(id, parseFieldValue(id, text));
  return error && vscode.l10n.t('“{0}” {1}.', text, formatNetworkFieldError(error, id, vscode.l10n));
}

function parseFieldValue(id: FieldId, text: string): string | number {
  if (id !== 'chainId') return text;
  return /^(\d+|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : Number.NaN;
}
