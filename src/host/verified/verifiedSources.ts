import {
  type AbiProvider,
  chainAbiProviders,
  type HttpDeps,
  type Network,
  type ProviderPorts,
  type SignatureProvider,
  thirdPartyProviders,
  type VerifiedContractStore,
  type VerifiedProvider,
} from '../../core/index.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import type { ThirdParty, ThirdPartyConsent } from './consent.ts';
import { isUnknownTo } from './ownChain.ts';

export interface VerifiedSourcesDeps {
  readonly session: Pick<Session, 'verifiedOf'>;
  readonly settings: Pick<SettingsService, 'current'>;
  readonly http: HttpDeps;
  readonly consent: ThirdPartyConsent;
  readonly kept: VerifiedContractStore;
}

/** Who is asked about contracts of a network, and of names: those who may be asked now. */
export interface VerifiedSources {
  /** The network's own explorer first. */
  contractsOf(network: Network): Promise<readonly VerifiedProvider[]>;
  /** Those as one, what is kept asked of nobody; undefined where nobody may be asked. */
  abiSource(network: Network): Promise<AbiProvider | undefined>;
  signatures(): Promise<SignatureProvider | undefined>;
  /** Has third parties asked anew, also of what they told a moment ago. */
  clear(): void;
  dispose(): void;
}

export function createVerifiedSources(deps: VerifiedSourcesDeps): VerifiedSources {
  const { session, settings, http, consent, kept } = deps;
  const ended = new AbortController();
  const opened = new Map<string, Promise<Partial<ProviderPorts>>>();
  // One pace for each service, whichever chains are asked about.
  const paces = new Map(thirdPartyProviders.map((kind) => [kind.name, kind.createRateLimit(http)]));

  async function open(service: ThirdParty, chainId: number): Promise<Partial<ProviderPorts>> {
    const url = consent.urlOf(service);
    const kind = thirdPartyProviders.find(({ name }) => name === service);
    const rateLimit = paces.get(service);
    if (url === undefined || !kind || !rateLimit) return {};
    const key = `${service} ${chainId} ${url}`;
    const known =
      opened.get(key) ??
      kind.open({ ...http, url, chainId, key: undefined, rateLimit, revoked: ended.signal });
    opened.set(key, known);
    known.catch(() => opened.delete(key));
    return known;
  }

  async function explorerOf(network: Network): Promise<readonly VerifiedProvider[]> {
    if (!settings.current.explorerSource) return [];
    const access = await session.verifiedOf(network);
    return access.state === 'ready' ? [access.source] : [];
  }

  async function contractsOf(network: Network): Promise<readonly VerifiedProvider[]> {
    const found = await explorerOf(network);
    const { verified } = await open('sourcify', network.chainId);
    return verified ? [...found, verified] : found;
  }

  return {
    contractsOf,
    async abiSource(network) {
      const isAlone = isUnknownTo(settings.current.sourcifyUrl, network);
      const sources = await (isAlone ? explorerOf(network) : contractsOf(network));
      if (sources.length === 0) return undefined;
      return chainAbiProviders(sources.map((source) => kept.of(source, network.chainId)));
    },
    // It knows of no chain.
    signatures: async () => (await open('signatures', 0)).signatures,
    clear: () => opened.clear(),
    dispose: () => ended.abort(),
  };
}
