import * as z from 'zod/mini';
import {
  builtInNetworks,
  isHttpUrl,
  isRecord,
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

/** The settings of a window. Every value is usable. */
export interface Settings extends Omit<SettingValues, 'networkId' | 'writtenNetworks' | 'writtenGateway'> {
  /** The active network; a placeholder while none is chosen. */
  readonly network: Network;
  /** Whether the user, or a setting, chose a network that exists. No request is sent before. */
  readonly isNetworkChosen: boolean;
  readonly networks: readonly Network[];
  /** The base URL of `/ipfs/…`; undefined while none is chosen. */
  readonly ipfsGateway: string | undefined;
}

/** The networks that are not in the settings, and the choice among all. */
export interface WorkspaceNetworks {
  /** The ID that the user chose in this workspace. */
  readonly chosenId?: string | undefined;
  /** Networks that the user chose in this workspace and that no setting defines, by ID; untrusted, of any shape. */
  readonly chosen?: Readonly<Record<string, unknown>>;
  /** Undefined until they are resolved. */
  readonly resolved?: ResolvedNetworks | undefined;
}

/**
 * The endpoints in config files of the workspace that the user has approved, and the public network that is chosen.
 * `error`: why the chosen network cannot be used.
 */
export interface ResolvedNetworks {
  readonly networks: readonly Network[];
  readonly error?: SettingError | undefined;
}

/**
 * Parses every setting. `read` returns the raw value, of any shape. An unusable value falls back to its default and
 * is reported. The network is the one that the user chose in this workspace, else the one of the settings.
 */
export function parseSettings(
  read: (setting: SettingId) => unknown,
  { chosenId, chosen = {}, resolved }: WorkspaceNetworks = { resolved: { networks: [] } },
): {
  readonly settings: Settings;
  readonly invalidSettings: readonly InvalidSetting[];
  /** The ID of the chosen network, if neither a setting nor the workspace's state defines it. */
  readonly unresolvedId: string | undefined;
} {
  const invalidSettings: InvalidSetting[] = [];
  const report = (setting: SettingId, error: SettingError) => invalidSettings.push({ setting, error });

  function parseOne({ id, schema, fallback, error }: Setting<unknown>): unknown {
    const parsed = z.safeParse(schema, read(id) ?? fallback);
    if (parsed.success) return parsed.data;
    report(id, error);
    return fallback;
  }

  const entries = Object.entries<Setting<unknown>>(settingTable);
  const values = Object.fromEntries(entries.map(([name, each]) => [name, parseOne(each)])) as SettingValues;
  const { networkId, writtenNetworks, writtenGateway, ...others } = values;
  const { networks: configured, errors: networkErrors } = resolveNetworks(
    isRecord(writtenNetworks) ? { ...writtenNetworks, ...chosen } : writtenNetworks,
  );
  for (const problem of networkErrors) report('chainside.networks', { code: 'network', problem });
  const networks = [...configured, ...(resolved?.networks ?? [])];
  const isConfigured = (wanted: string) => configured.some(({ id }) => id === wanted);
  const id =
    chosenId !== undefined && (isEndpointId(chosenId) || isConfigured(chosenId)) ? chosenId : networkId;
  const network = networks.find((each) => each.id === id);
  if (!network && id !== '' && resolved) {
    report('chainside.network', resolved.error ?? { code: 'unknownNetwork', id: sanitizeText(id) });
  }
  return {
    settings: {
      ...others,
      networks,
      network: network ?? placeholder,
      isNetworkChosen: network !== undefined,
      ipfsGateway: writtenGateway === '' ? undefined : requireIpfsGateway(writtenGateway),
    },
    invalidSettings,
    unresolvedId: id === '' || isConfigured(id) ? undefined : id,
  };
}

const [placeholder] = builtInNetworks;

/** An endpoint of a config file that the settings name and the user has not approved. */
export interface UnapprovedEndpoint {
  readonly id: string;
  readonly alias: string;
  /** The path of the config file in the workspace. */
  readonly file: string;
  readonly host: string;
}

/** Why the value of a setting is not used. */
export type SettingError =
  | { readonly code: 'notNumber'; readonly minimum: number; readonly maximum: number }
  | {
      readonly code:
        | 'notKeyIn'
        | 'notHoverTokens'
        | 'notTokens'
        | 'notBoolean'
        | 'notConsent'
        | 'notService'
        | 'notCurrency'
        | 'notGateway'
        | 'notNetworkId';
    }
  | { readonly code: 'unknownNetwork'; readonly id: string }
  /** No config file of the workspace has the endpoint. */
  | { readonly code: 'noEndpoint'; readonly id: string }
  /** The user has not approved the endpoint yet. */
  | ({ readonly code: 'endpointUnapproved' } & UnapprovedEndpoint)
  /** The URL of the endpoint needs environment variables. */
  | { readonly code: 'endpointVariables'; readonly id: string; readonly names: readonly string[] }
  /** Its URL, or a variable that it is made of, is too long. */
  | { readonly code: 'endpointTooLong'; readonly id: string; readonly names: readonly string[] }
  /** A network or one of its fields is not valid. */
  | { readonly code: 'network'; readonly problem: NetworkValidationError };

export interface InvalidSetting {
  readonly setting: SettingId;
  readonly error: SettingError;
}

/** How the data API key is sent: always in one place, or where the server was found to accept it. */
export type KeyPlaceSetting = 'auto' | KeyPlace;

/** Whether a hover spends credits on tokens; `ask` until the user decides. */
export type HoverTokens = 'ask' | 'show' | 'hide';

/** Whether a third party may receive requests; `ask` until the user decides. */
export type Consent = 'ask' | 'allow' | 'never';

/**
 * The provider of tokens and NFTs: the first that serves the network, or a fixed one; `calls` are the contracts
 * themselves, for watched tokens. `auto…` also says whether a hover spends credits on them.
 */
export type TokenProviderSetting =
  | 'auto'
  | 'autoWithHovers'
  | 'autoWithoutHovers'
  | 'dataApi'
  | 'explorer'
  | 'calls';

/** How a setting is parsed, and the error if that fails. */
export interface Setting<T> {
  readonly id: SettingId;
  readonly fallback: T;
  readonly schema: z.ZodMiniType<T>;
  readonly error: SettingError;
  /**
   * Who may set where requests and keys go: only the user, or a trusted workspace too. Defaults are ignored for
   * these, since any extension can change them (`configurationDefaults`), even within objects.
   */
  readonly guard?: 'user' | 'trustedWorkspace';
}

/** Whether an ID is of an endpoint in a config file of the workspace; no network ID in the settings has a colon. */
export function isEndpointId(id: string): boolean {
  return /^(?:foundry|hardhat):/.test(id);
}

/** Settings that allow or forbid a third party. */
export type ConsentSetting = 'chainside.sources.sourcify' | 'chainside.sources.signatures';

/** Where the approved endpoints are stored in the state of the workspace. */
export const ENDPOINTS_KEY = 'foundryEndpoints';

type SettingType<T> = Omit<Setting<T>, 'id' | 'fallback' | 'guard'>;

const numberType = (minimum: number, maximum: number): SettingType<number> => ({
  schema: z.number().check(z.minimum(minimum), z.maximum(maximum)),
  error: { code: 'notNumber', minimum, maximum },
});
const flagType: SettingType<boolean> = { schema: z.boolean(), error: { code: 'notBoolean' } };
const textType: SettingType<string> = { schema: z.string(), error: { code: 'notNetworkId' } };
const currencyType: SettingType<QuoteCurrency> = {
  schema: z.pipe(
    z.custom<string>((code) => parseQuoteCurrency(code) !== undefined),
    z.transform((code) => parseQuoteCurrency(code) ?? 'USD'),
  ),
  error: { code: 'notCurrency' },
};
const keyInType: SettingType<KeyPlaceSetting> = {
  schema: z.enum(['auto', 'header', 'query']),
  error: { code: 'notKeyIn' },
};
const hoverTokensType: SettingType<HoverTokens> = {
  schema: z.enum(['ask', 'show', 'hide']),
  error: { code: 'notHoverTokens' },
};
const consentType: SettingType<Consent> = {
  schema: z.enum(['ask', 'allow', 'never']),
  error: { code: 'notConsent' },
};
const serviceType: SettingType<string> = {
  schema: z.string().check(z.refine(isHttpUrl)),
  error: { code: 'notService' },
};
const tokensType: SettingType<TokenProviderSetting> = {
  schema: z.enum(['auto', 'autoWithHovers', 'autoWithoutHovers', 'dataApi', 'explorer', 'calls']),
  error: { code: 'notTokens' },
};
const gatewayType: SettingType<string> = {
  schema: z.string().check(z.refine((url) => url === '' || isIpfsGateway(url))),
  error: { code: 'notGateway' },
};

const defineSetting = <T>(id: SettingId, fallback: T, { schema, error }: SettingType<T>): Setting<T> => ({
  id,
  fallback,
  schema,
  error,
});

/** Every setting, by its name in the code. */
export const settingTable = {
  /** The network where the user has not chosen one in this workspace; empty for none. */
  networkId: { ...defineSetting('chainside.network', '', textType), guard: 'trustedWorkspace' },
  /** Validated entry by entry by {@link resolveNetworks}. */
  writtenNetworks: {
    ...defineSetting<unknown>(
      'chainside.networks',
      {},
      { schema: z.unknown(), error: { code: 'notNetworkId' } },
    ),
    guard: 'user',
  },
  quoteCurrency: defineSetting('chainside.dataApi.quoteCurrency', 'USD', currencyType),
  keyIn: { ...defineSetting('chainside.dataApi.keyIn', 'auto', keyInType), guard: 'user' },
  tokensFrom: { ...defineSetting('chainside.sources.tokens', 'auto', tokensType), guard: 'user' },
  loadAllLimit: defineSetting('chainside.logs.loadAllLimit', 1_000_000, numberType(1000, 10_000_000)),
  /** The base URL of `/ipfs/…`; empty while none is chosen. */
  writtenGateway: { ...defineSetting('chainside.nft.ipfsGateway', '', gatewayType), guard: 'user' },
  pollSeconds: defineSetting('chainside.poll.seconds', 10, numberType(2, 3600)),
  // Code reads the hover, CodeLens, inlay hint and verdict settings per document; here they are only validated.
  hoverEnabled: defineSetting('chainside.hover.enabled', true, flagType),
  /** Deprecated: part of `chainside.sources.tokens` now. */
  hoverTokens: { ...defineSetting('chainside.hover.tokens', 'ask', hoverTokensType), guard: 'user' },
  /** The network's own explorer, for verified contracts and proxies. */
  explorerSource: { ...defineSetting('chainside.sources.explorer', true, flagType), guard: 'user' },
  /** Etherscan, with the user's key. */
  etherscanSource: { ...defineSetting('chainside.sources.etherscan', true, flagType), guard: 'user' },
  sourcifyConsent: { ...defineSetting('chainside.sources.sourcify', 'ask', consentType), guard: 'user' },
  sourcifyUrl: {
    ...defineSetting('chainside.sources.sourcifyUrl', 'https://sourcify.dev/server', serviceType),
    guard: 'user',
  },
  signaturesConsent: { ...defineSetting('chainside.sources.signatures', 'ask', consentType), guard: 'user' },
  signaturesUrl: {
    ...defineSetting('chainside.sources.signaturesUrl', 'https://api.4byte.sourcify.dev', serviceType),
    guard: 'user',
  },
  codeLensEnabled: defineSetting('chainside.codeLens.enabled', true, flagType),
  inlayHintsEnabled: defineSetting('chainside.inlayHints.enabled', false, flagType),
  exportRecord: defineSetting('chainside.export.record', false, flagType),
  documentVerdicts: defineSetting('chainside.documents.verdicts', false, flagType),
  statusBarEnabled: defineSetting('chainside.statusBar.enabled', true, flagType),
} as const satisfies Readonly<Record<string, Setting<never> | Setting<unknown>>>;

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

/** The part of `vscode.WorkspaceConfiguration` that is used. */
export interface ReadableConfiguration {
  get(setting: string): unknown;
  inspect(section: string):
    | {
        readonly globalValue?: unknown;
        readonly workspaceValue?: unknown;
        readonly workspaceFolderValue?: unknown;
      }
    | undefined;
}

/**
 * Creates the `read` of {@link parseSettings}, which ignores values that others may not set; undefined where there
 * is none. Inspects all settings in one call, as VS Code takes up to a millisecond for each.
 */
export function createSettingReader(configuration: ReadableConfiguration, isTrusted: boolean) {
  const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect('chainside') ?? {};
  return (setting: SettingId): unknown => {
    const { guard } = findSetting(setting) ?? {};
    if (!guard) return configuration.get(setting);
    const mayBeOfWorkspace = guard === 'trustedWorkspace' && isTrusted;
    const sections = mayBeOfWorkspace ? [workspaceFolderValue, workspaceValue, globalValue] : [globalValue];
    const values = sections.map((section) => getSetting(section, setting));
    return values.find((value) => value !== undefined && value !== null);
  };
}

/** @param section all settings that start with `chainside.`, nested at their dots. */
function getSetting(section: unknown, setting: SettingId): unknown {
  const [, ...path] = setting.split('.');
  return path.reduce((value, name) => (isRecord(value) ? value[name] : undefined), section);
}
