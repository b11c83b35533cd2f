import * as vscode from 'vscode';
import {
  createHistoryCache,
  createTimeSlices,
  createVerifiedContractStore,
  createVersionLookup,
  type HttpDeps,
  loadStandardLookup,
  mergeAbiResolvers,
  mergeLookups,
  systemClock,
} from '../../core/index.ts';
import { workspaceLookup } from '../contracts/knownLookup.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import { keptText } from '../files/keptText.ts';
import type { AddressNames } from '../names/addressNames.ts';
import { isSameChain } from '../session/sameChain.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import { showMessage } from '../surface/messages.ts';
import { createConsent, type ThirdPartyConsent } from '../verified/consent.ts';
import { createCreations } from '../verified/creations.ts';
import { createVerifiedReader, type VerifiedReader } from '../verified/openVerified.ts';
import { createVerifiedEvents } from '../verified/verifiedEvents.ts';
import { createVerifiedSources } from '../verified/verifiedSources.ts';
import type { LogMeaning } from './logMeaning.ts';
import { createLogMeaning } from './logMeanings.ts';
import { createTokenUnits } from './tokenUnits.ts';

export interface MeaningDeps {
  readonly contracts: WorkspaceContracts;
  readonly names: AddressNames;
  readonly session: Session;
  readonly settings: SettingsService;
  readonly http: HttpDeps;
  readonly log: vscode.LogOutputChannel;
  /** Of the extension, whatever the workspace. */
  readonly storageUri: vscode.Uri;
}

/** Verified contracts; more bytes than are ever kept. */
const KEPT = { name: 'verified.ndjson', most: 64 * 1024 * 1024 };

interface OpenMeaning extends LogMeaning, vscode.Disposable {
  readonly reader: VerifiedReader;
  readonly consent: ThirdPartyConsent;
  /** Forgets what is verified, on disk too. */
  readonly clearVerified: () => Promise<void>;
}

/** What gives logs a meaning in this window. The workspace is read meanwhile: what it knows comes with a change. */
export async function openLogMeaning(deps: MeaningDeps): Promise<OpenMeaning> {
  const { contracts, names, session, settings, storageUri } = deps;
  const units = createTokenUnits();
  const histories = createHistoryCache(systemClock);
  const workspace = workspaceLookup(contracts);
  const bundled = await loadStandardLookup();
  void contracts.index();
  const isTrusted = () => vscode.workspace.isTrusted;
  const consent = createConsent({ settings, isTrusted, showMessage, l10n: vscode.l10n });
  const text = keptText(storageUri, KEPT);
  const kept = createVerifiedContractStore({ text, slices: createTimeSlices(systemClock) });
  const sources = createVerifiedSources({ ...deps, consent, kept });
  const changed = new vscode.EventEmitter<void>();
  const onDidChange = () => changed.fire();
  const asking = { ...deps, sources, consent, beside: mergeLookups(workspace, bundled), kept, onDidChange };
  const verified = { ...createVerifiedEvents(asking), onDidChange: changed.event };
  const networksOf = (chainId: number) =>
    [session.network, ...settings.current.networks].filter((network) => network.chainId === chainId);
  const reader = createVerifiedReader(sources, networksOf);
  const creations = createCreations({
    contractAt: verified.contractAt,
    async identityOf(network) {
      if (!isSameChain(network, session.network)) return undefined;
      const access = await session.identities();
      return access.state === 'ready' ? access.source : undefined;
    },
  });
  const lookup = createVersionLookup({
    lookups: [workspace, verified.lookup, bundled],
    known: mergeAbiResolvers({ abiAt: (at) => contracts.known?.abiAt(at) }, verified),
    histories,
  });
  const asks = { verified, reader, creations };
  const meaning = createLogMeaning({ ...asks, lookup, histories, contracts, names, units });

  let asked = askedOf(settings);
  const following = vscode.Disposable.from(
    settings.onDidChange(() => {
      const now = askedOf(settings);
      if (now !== asked) verified.clear();
      asked = now;
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => verified.clear()),
  );
  return {
    ...meaning,
    ...{ reader, consent },
    async clearVerified() {
      await kept.clear();
      sources.clear();
      verified.clear();
    },
    dispose: () =>
      vscode.Disposable.from(following, meaning, verified, sources, reader, units, changed).dispose(),
  };
}

/** Who may be asked, as the settings stand. */
function askedOf({ current }: SettingsService): string {
  const { explorerSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl } = current;
  return [explorerSource, sourcifyConsent, sourcifyUrl, signaturesConsent, signaturesUrl].join(' ');
}
