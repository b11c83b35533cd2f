import * as z from 'zod/mini';
import {
  isHttpUrl,
  type KeyPlace,
  type Network,
  type NetworkValidationError,
  parseQuoteCurrency,
  type QuoteCurrency,
  requireIpfsGateway,
  resolveNetworks,
  sanitizeText,
} from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';

/** The settings of a window, every one usable. */
export interface Settings extends Omit<SettingValues, 'networkId' | 'writtenNetworks' | 'writtenGateway'> {
  /** The active network; while none is chosen, the one that would be read by default. */
  readonly network: Network;
  /** Whether a setting names the network, and it is there: nothing is asked of any before. */
  readonly isNetworkChosen: boolean;
  readonly networks: readonly Network[];
  /** What `/ipfs/…` goes behind; undefined while none is chosen. */
  readonly ipfsGateway: string | undefined;
}

/** An endpoint of a `foundry.toml` that the settings name by its id, or why it cannot be used. */
export type FoundryNetwork = { readonly id: string } & (
  | { readonly network: Network }
  | { readonly error: SettingError }
);

/**
 * Every setting out of `read`, which gives what a person or a tool wrote, of any shape. One that cannot be used
 * falls back to its default by itself and is a problem.
 *
 * @param named the endpoint that was last looked for in the files of the workspace.
 */
export function parseSettings(
  read: (setting: SettingId) => unknown,
  named?: FoundryNetwork,
): {
  readonly settings: Settings;
  readonly problems: readonly InvalidSetting[];
  /** The endpoint to look for in the files of the workspace. */
  readonly wanted: string | undefined;
} {
  const problems: InvalidSetting[] = [];
  const report = (setting: SettingId, fault: SettingError) => problems.push({ setting, error: fault });

  function readOne({ id, schema, fallback, error }: Setting<unknown>): unknown {
    const parsed = z.safeParse(schema, read(id) ?? fallback);
    if (parsed.success) return parsed.data;
    report(id, error);
    return fallback;
  }

  const entries = Object.entries<Setting<unknown>>(settingTable);
  const values = Object.fromEntries(entries.map(([name, each]) => [name, readOne(each)])) as SettingValues;
  const { networkId, writtenNetworks, writtenGateway, ...others } = values;
  const { networks: defined, problems: faulty } = resolveNetworks(writtenNetworks);
  for (const problem of faulty) report('chainside.networks', { code: 'network', problem });
  const networks = named && 'network' in named ? [...defined, named.network] : defined;
  const isWritten = read('chainside.network') === networkId;
  const chosen = isWritten ? networks.find(({ id }) => id === networkId) : undefined;
  const wanted = networkId.startsWith(FOUNDRY_PREFIX) ? networkId : undefined;
  if (named && named.id === wanted && 'error' in named) report('chainside.network', named.error);
  else if (isWritten && !chosen && wanted === undefined) {
    report('chainside.network', { code: 'unknownNetwork', id: sanitizeText(networkId) });
  }
  return {
    settings: {
      ...others,
      networks,
      network: chosen ?? byDefault(networks),
      isNetworkChosen: chosen !== undefined,
      ipfsGateway: writtenGateway === '' ? undefined : requireIpfsGateway(writtenGateway),
    },
    problems,
    wanted,
  };
}

function byDefault(networks: readonly Network[]): Network {
  const network = networks.find(({ id }) => id === settingTable.networkId.fallback);
  if (!network) throw new Error('The default network is not built in.');
  return network;
}

/** Why a setting is not used as it was written. */
export type SettingError =
  | { readonly code: 'notNumber'; readonly minimum: number; readonly maximum: number }
  | {
      readonly code:
        | 'notKeyIn'
        | 'notHoverTokens'
        | 'notTokensFrom'
        | 'notBoolean'
        | 'notConsent'
        | 'notService'
        | 'notCurrency'
        | 'notGateway'
        | 'notNetworkId';
    }
  /** The network that is chosen is not defined. */
  | { readonly code: 'unknownNetwork'; readonly id: string }
  /** The endpoint of a `foundry.toml` is not there, was never asked, or has no usable URL without its variables. */
  | { readonly code: 'noEndpoint' | 'endpointUnasked'; readonly id: string }
  | { readonly code: 'endpointVariables'; readonly names: readonly string[] }
  /** A network, or a field of one, cannot be used. */
  | { readonly code: 'network'; readonly problem: NetworkValidationError };

export interface InvalidSetting {
  readonly setting: SettingId;
  readonly error: SettingError;
}

/** How the data API key is sent: in one place always, or where the server was found to take it. */
export type KeyPlaceSetting = 'auto' | KeyPlace;

/** Whether a hover spends credits on tokens; `ask` until the user has chosen. */
export type HoverTokens = 'ask' | 'show' | 'hide';

/** Whether a service beside the network is asked; `ask` until the user has chosen. */
export type Consent = 'ask' | 'allow' | 'never';

/** Who tells of tokens and NFTs: the first that can, or one only; `calls` are the contracts, of which tokens are watched. */
export type TokenProviderSetting = 'auto' | 'dataApi' | 'explorer' | 'calls';

/** How one setting is read, and what is wrong where that fails. */
export interface Setting<T> {
  readonly id: SettingId;
  readonly fallback: T;
  readonly schema: z.ZodMiniType<T>;
  readonly error: SettingError;
  /**
   * Who may decide where requests and the key go: the user alone, or a trusted workspace too. A default counts in none
   * of them, since any extension can give another one (`configurationDefaults`) and put entries into an object.
   */
  readonly guard?: 'user' | 'trustedWorkspace';
}

/** Begins the id of an endpoint that stands in a `foundry.toml`; no id in the settings can. */
export const FOUNDRY_PREFIX = 'foundry:';

type Reading<T> = Omit<Setting<T>, 'id' | 'fallback' | 'guard'>;

const number = (minimum: number, maximum: number): Reading<number> => ({
  schema: z.number().check(z.minimum(minimum), z.maximum(maximum)),
  error: { code: 'notNumber', minimum, maximum },
});
const flag: Reading<boolean> = { schema: z.boolean(), error: { code: 'notBoolean' } };
const text: Reading<string> = { schema: z.string(), error: { code: 'notNetworkId' } };
const currency: Reading<QuoteCurrency> = {
  schema: z.pipe(
    z.custom<string>((code) => parseQuoteCurrency(code) !== undefined),
    z.transform((code) => parseQuoteCurrency(code) ?? 'USD'),
  ),
  error: { code: 'notCurrency' },
};
const keyIn: Reading<KeyPlaceSetting> = {
  schema: z.enum(['auto', 'header', 'query']),
  error: { code: 'notKeyIn' },
};
const hoverTokens: Reading<HoverTokens> = {
  schema: z.enum(['ask', 'show', 'hide']),
  error: { code: 'notHoverTokens' },
};
const consent: Reading<Consent> = {
  schema: z.enum(['ask', 'allow', 'never']),
  error: { code: 'notConsent' },
};
const service: Reading<string> = {
  schema: z.string().check(z.refine(isHttpUrl)),
  error: { code: 'notService' },
};
const tokensFrom: Reading<TokenProviderSetting> = {
  schema: z.enum(['auto', 'dataApi', 'explorer', 'calls']),
  error: { code: 'notTokensFrom' },
};
const gateway: Reading<string> = {
  schema: z.string().check(z.refine((url) => url === '' || isIpfsGateway(url))),
  error: { code: 'notGateway' },
};

const setting = <T>(id: SettingId, fallback: T, { schema, error }: Reading<T>): Setting<T> => ({
  id,
  fallback,
  schema,
  error,
});

/** Every setting under the name that the program has for it. */
export const settingTable = {
  /** Its default is what is offered: nothing is asked of it before it is written. */
  networkId: { ...setting('chainside.network', 'mainnet', text), guard: 'trustedWorkspace' },
  /** Judged entry by entry, by {@link resolveNetworks}. */
  writtenNetworks: {
    ...setting<unknown>('chainside.networks', {}, { schema: z.unknown(), error: { code: 'notNetworkId' } }),
    guard: 'user',
  },
  quoteCurrency: setting('chainside.dataApi.quoteCurrency', 'USD', currency),
  keyIn: { ...setting('chainside.dataApi.keyIn', 'auto', keyIn), guard: 'user' },
  tokensFrom: { ...setting('chainside.sources.tokens', 'auto', tokensFrom), guard: 'user' },
  loadAllLimit: setting('chainside.logs.loadAllLimit', 1_000_000, number(1000, 10_000_000)),
  /** What `/ipfs/…` goes behind; empty while none is chosen. */
  writtenGateway: { ...setting('chainside.nft.ipfsGateway', '', gateway), guard: 'user' },
  pollSeconds: setting('chainside.poll.seconds', 10, number(2, 3600)),
  // Read again where they count, for each document: here for what is wrong with them.
  hoverEnabled: setting('chainside.hover.enabled', true, flag),
  hoverTokens: { ...setting('chainside.hover.tokens', 'ask', hoverTokens), guard: 'user' },
  /** The network's own explorer: what it has verified, and what it knows of proxies. */
  explorerSource: { ...setting('chainside.sources.explorer', true, flag), guard: 'user' },
  sourcifyConsent: { ...setting('chainside.sources.sourcify', 'ask', consent), guard: 'user' },
  sourcifyUrl: {
    ...setting('chainside.sources.sourcifyUrl', 'https://sourcify.dev/server', service),
    guard: 'user',
  },
  signaturesConsent: { ...setting('chainside.sources.signatures', 'ask', consent), guard: 'user' },
  signaturesUrl: {
    ...setting('chainside.sources.signaturesUrl', 'https://api.4byte.sourcify.dev', service),
    guard: 'user',
  },
  codeLensEnabled: setting('chainside.codeLens.enabled', true, flag),
  inlayHintsEnabled: setting('chainside.inlayHints.enabled', false, flag),
  documentVerdicts: setting('chainside.documents.verdicts', false, flag),
  statusBarEnabled: setting('chainside.statusBar.enabled', true, flag),
} as const satisfies Readonly<Record<string, Setting<never> | Setting<unknown>>>;

/** What the settings hold, each as its schema gives it. */
type SettingValues = {
  readonly [Name in keyof typeof settingTable]: z.infer<(typeof settingTable)[Name]['schema']>;
};

export function findSetting(id: SettingId): Setting<unknown> | undefined {
  return Object.values<Setting<unknown>>(settingTable).find((each) => each.id === id);
}

function isIpfsGateway(url: string): boolean {
  try {
    return requireIpfsGateway(url) !== '';
  } catch {
    return false;
  }
}

/** The part of a configuration that settings are read from. */
interface ReadableConfiguration {
  get(setting: string): unknown;
  inspect(setting: string):
    | {
        readonly globalValue?: unknown;
        readonly workspaceValue?: unknown;
        readonly workspaceFolderValue?: unknown;
      }
    | undefined;
}

/** Reads a setting as {@link parseSettings} wants it, with what others may not decide left out; undefined where nothing is written. */
export function createSettingReader(configuration: ReadableConfiguration, isTrusted: boolean) {
  return (setting: SettingId): unknown => {
    const { guard } = findSetting(setting) ?? {};
    if (!guard) return configuration.get(setting);
    const written = configuration.inspect(setting);
    const ofWorkspace =
      guard === 'trustedWorkspace' && isTrusted
        ? (written?.workspaceFolderValue ?? written?.workspaceValue)
        : undefined;
    return ofWorkspace ?? written?.globalValue;
  };
}
