import {
  type AbiSource,
  firstVerified,
  type HttpDeps,
  type KeptVerified,
  type Network,
  type SignatureSource,
  type SourcePorts,
  thirdParties,
  type VerifiedSource,
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
  readonly kept: KeptVerified;
}

/** Who is asked about contracts of a network, and of names: those who may be asked now. */
export interface VerifiedSources {
  /** The network's own explorer first. */
  contractsOf(network: Network): Promise<readonly VerifiedSource[]>;
  /** Those as one, what is kept asked of nobody; undefined where nobody may be asked. */
  abiSource(network: Network): Promise<AbiSource | undefined>;
  signatures(): Promise<SignatureSource | undefined>;
  /** Has third parties asked anew, also of what they told a moment ago. */
  clear(): void;
  dispose(): void;
}

export function createVerifiedSources(deps: VerifiedSourcesDeps): VerifiedSources {
  const { session, settings, http, consent, kept } = deps;
  const ended = new AbortController();
  const opened = new Map<string, Promise<Partial<SourcePorts>>>();
  // One pace for each service, whichever chains are asked about.
  const paces = new Map(thirdParties.map((kind) => [kind.name, kind.createRateLimit(http)]));

  async function open(service: ThirdParty, chainId: number): Promise<Partial<SourcePorts>> {
    const url = consent.urlOf(service);
    const kind = thirdParties.find(({ name }) => name === service);
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

  async function explorerOf(network: Network): Promise<readonly VerifiedSource[]> {
    if (!settings.current.explorerSource) return [];
    const access = await session.verifiedOf(network);
    return access.state === 'ready' ? [access.source] : [];
  }

  async function contractsOf(network: Network): Promise<readonly VerifiedSource[]> {
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
      return firstVerified(sources.map((source) => kept.of(source, network.chainId)));
    },
    // It knows of no chain.
    signatures: async () => (await open('signatures', 0)).signatures,
    clear: () => opened.clear(),
    dispose: () => ended.abort(),
  };
}
