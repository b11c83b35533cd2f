import * as z from 'zod/mini';
import {
  isHttpUrl,
  type KeyPlace,
  parseQuoteCurrency,
  type QuoteCurrency,
  requireIpfsGateway,
} from '../../core/index.ts';
import type { SettingId } from '../../manifest.ts';
import type { SettingFault } from './settingFault.ts';

/** How the data API key is sent: in one place always, or where the server was found to take it. */
export type KeyIn = 'auto' | KeyPlace;

/** Whether a hover spends credits on tokens; `ask` until the user has chosen. */
export type HoverTokens = 'ask' | 'show' | 'hide';

/** Whether a service beside the network is asked; `ask` until the user has chosen. */
export type Consent = 'ask' | 'allow' | 'never';

/** Who tells of tokens and NFTs: the first that can, or one only; `calls` are the contracts, of which tokens are watched. */
export type TokensFrom = 'auto' | 'dataApi' | 'explorer' | 'calls';

/** How one setting is read, and what is wrong where that fails. */
export interface Setting<T> {
  readonly id: SettingId;
  readonly fallback: T;
  readonly schema: z.ZodMiniType<T>;
  readonly fault: SettingFault;
  /**
   * Who may decide where requests and the key go: the user alone, or a trusted workspace too. A default counts in none
   * of them, since any extension can give another one (`configurationDefaults`) and put entries into an object.
   */
  readonly guard?: 'user' | 'trustedWorkspace';
}

/** Begins the id of an endpoint that stands in a `foundry.toml`; no id in the settings can. */
export const FOUNDRY = 'foundry:';

type Reading<T> = Omit<Setting<T>, 'id' | 'fallback' | 'guard'>;

const number = (minimum: number, maximum: number): Reading<number> => ({
  schema: z.number().check(z.minimum(minimum), z.maximum(maximum)),
  fault: { code: 'notNumber', minimum, maximum },
});
const flag: Reading<boolean> = { schema: z.boolean(), fault: { code: 'notBoolean' } };
const text: Reading<string> = { schema: z.string(), fault: { code: 'notNetworkId' } };
const currency: Reading<QuoteCurrency> = {
  schema: z.pipe(
    z.custom<string>((code) => parseQuoteCurrency(code) !== undefined),
    z.transform((code) => parseQuoteCurrency(code) ?? 'USD'),
  ),
  fault: { code: 'notCurrency' },
};
const keyIn: Reading<KeyIn> = { schema: z.enum(['auto', 'header', 'query']), fault: { code: 'notKeyIn' } };
const hoverTokens: Reading<HoverTokens> = {
  schema: z.enum(['ask', 'show', 'hide']),
  fault: { code: 'notHoverTokens' },
};
const consent: Reading<Consent> = {
  schema: z.enum(['ask', 'allow', 'never']),
  fault: { code: 'notConsent' },
};
const service: Reading<string> = {
  schema: z.string().check(z.refine(isHttpUrl)),
  fault: { code: 'notService' },
};
const tokensFrom: Reading<TokensFrom> = {
  schema: z.enum(['auto', 'dataApi', 'explorer', 'calls']),
  fault: { code: 'notTokensFrom' },
};
const gateway: Reading<string> = {
  schema: z.string().check(z.refine((url) => url === '' || isIpfsGateway(url))),
  fault: { code: 'notGateway' },
};

const setting = <T>(id: SettingId, fallback: T, { schema, fault }: Reading<T>): Setting<T> => ({
  ...{ id, fallback, schema, fault },
});

/** Every setting under the name that the program has for it. */
export const settingTable = {
  /** Its default is what is offered: nothing is asked of it before it is written. */
  networkId: { ...setting('chainside.network', 'mainnet', text), guard: 'trustedWorkspace' },
  /** Judged entry by entry, by {@link resolveNetworks}. */
  writtenNetworks: {
    ...setting<unknown>('chainside.networks', {}, { schema: z.unknown(), fault: { code: 'notNetworkId' } }),
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
export type SettingValues = {
  readonly [Name in keyof typeof settingTable]: z.infer<(typeof settingTable)[Name]['schema']>;
};

export function settingOf(id: SettingId): Setting<unknown> | undefined {
  return Object.values<Setting<unknown>>(settingTable).find((each) => each.id === id);
}

function isIpfsGateway(url: string): boolean {
  try {
    return requireIpfsGateway(url) !== '';
  } catch {
    return false;
  }
}
