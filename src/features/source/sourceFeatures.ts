import type * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import type { CodeTarget, CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import type { CheckedDeploymentDeps } from '../../host/contracts/queryDeployment.ts';
import {
  createSourceDocuments,
  type RecordedSource,
  recordReads,
} from '../../host/contracts/sourceDocuments.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import { isOnLocalChain, type LatestBlock } from '../../host/session/localChain.ts';
import type { HoverContent, Lens } from '../../host/ui/languageFeatures.ts';
import { createAutomaticCounts } from './automaticCounts.ts';
import { registerCountCommand } from './countCommand.ts';
import { type CountedEvent, createEventCountCache, type EventCountCache } from './countEvents.ts';
import { registerDeploymentCommands, sortDeployments } from './deployments.ts';
import {
  createDeploymentCache,
  createDeploymentFinder,
  type DeployedContracts,
  type DeployedSource,
  readDeployedSource,
} from './findDeployments.ts';
import { createSourceHover } from './hover.ts';
import { createSourceLenses, findMeant } from './lenses.ts';
import { createViewValues, type PlainView, type ViewValues } from './viewValues.ts';

export interface SourceFeaturesDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly head: LatestBlock;
  readonly log: vscode.LogOutputChannel;
  readonly verdicts: CodeVerdicts;
  readonly checkDeployments: CheckedDeploymentDeps['checkDeployments'];
}

interface CancelOptions {
  readonly signal: AbortSignal;
}

/** Each result is undefined if it was cancelled. */
export interface SourceFeatures {
  /** Also undefined if the text has changed meanwhile: VS Code requests the lenses again. */
  lensesOf(document: vscode.TextDocument, options: CancelOptions): Promise<readonly Lens[] | undefined>;
  hoverAt(
    document: vscode.TextDocument,
    position: vscode.Position,
    options: CancelOptions,
  ): Promise<HoverContent | undefined>;
  /** Waits until the workspace has been read. */
  eventsIn(document: vscode.TextDocument, options: CancelOptions): Promise<readonly CountedEvent[]>;
  /** The public state of contracts on the active chain. Waits until the workspace has been read. */
  viewsIn(document: vscode.TextDocument, options: CancelOptions): Promise<readonly PlainView[]>;
  /** The contracts on the active chain. Waits until the workspace has been read. */
  codeIn(document: vscode.TextDocument, options: CancelOptions): Promise<readonly CodeTarget[]>;
}

/** Also registers the commands of lenses and hovers. */
export function openSourceFeatures(
  deps: SourceFeaturesDeps & { readonly onDidChange: () => void },
): SourceFeatures & vscode.Disposable {
  const counts = createEventCountCache(deps.session, deps.onDidChange);
  const values = createViewValues(
    { ...deps, viewsIn: (document, options) => features.viewsIn(document, options) },
    deps.onDidChange,
  );
  const features = createSourceFeatures({ ...deps, counts, values });
  const counted = { ...deps, counts, eventsIn: features.eventsIn, now: deps.clock.now };
  const automatic = createAutomaticCounts(counted, deps.onDidChange);
  const { verdicts, session } = deps;
  /** Never rejects. */
  async function readCode(document: vscode.TextDocument): Promise<void> {
    if (!isOnLocalChain(session)) return;
    const targets = await features.codeIn(document, session.connection).catch(() => []);
    await verdicts.readListed(targets);
  }
  const commands = [registerDeploymentCommands(deps), registerCountCommand(counted)];
  const disposables = [...commands, counts, automatic, verdicts.onDidChange(deps.onDidChange)];
  return {
    ...features,
    async lensesOf(document, options) {
      const lenses = await features.lensesOf(document, options);
      if (lenses) {
        void automatic.count(document);
        void values.read(document);
        void readCode(document);
      }
      return lenses;
    },
    dispose: () => disposables.forEach((each) => void each.dispose()),
  };
}

interface LensState {
  readonly counts: EventCountCache;
  readonly values: ViewValues;
  readonly verdicts: Pick<CodeVerdicts, 'get' | 'listTargets'>;
}

interface CachedSource extends DeployedSource {
  readonly version: number;
  readonly source: RecordedSource;
  readonly deployed: DeployedContracts | undefined;
}

export function createSourceFeatures(
  deps: Omit<SourceFeaturesDeps, 'checkDeployments' | 'head' | 'log' | 'verdicts'> & LensState,
): SourceFeatures {
  const { contracts, clock } = deps;
  const documents = createSourceDocuments(clock);
  const deployments = createDeploymentCache(contracts, clock);
  const cache = new WeakMap<vscode.TextDocument, CachedSource>();

  async function open(document: vscode.TextDocument, signal: AbortSignal) {
    const source = recordReads(await documents.open(document, { signal }));
    const reader = { ...source, slices: createTimeSlices(clock), signal };
    const deployed = await deployments.read();
    const places = indexPaths(contracts.pathOf(document.uri), source.path);
    const finder = deployed && places && createDeploymentFinder(deployed, { ...source, ...places, signal });
    return { ...deps, path: source.path, source, reader, deployed, finder };
  }

  /** Reads the source again only if its text, an import or a deployment has changed. */
  async function read(document: vscode.TextDocument, signal: AbortSignal): Promise<CachedSource> {
    const { version } = document;
    const { source, reader, deployed, finder } = await open(document, signal);
    const last = cache.get(document);
    const isSame = last?.version === version && last.deployed === deployed;
    if (isSame && (await last.source.isUnchanged(source))) return last;
    const declared = await readDeployedSource(source.path, reader, finder);
    const made = { ...declared, version, source, deployed };
    if (document.version === version) cache.set(document, made);
    return made;
  }

  async function createLenses(document: vscode.TextDocument, signal: AbortSignal) {
    const source = await read(document, signal);
    const slices = createTimeSlices(clock);
    const lenses = await createSourceLenses(document, source, { ...deps, slices, signal });
    return document.version === source.version ? lenses : undefined;
  }

  async function ignoreAborted<T>(signal: AbortSignal, pending: Promise<T>): Promise<T | undefined> {
    try {
      return await pending;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    async eventsIn(document, { signal }) {
      await contracts.index();
      const { events } = await read(document, signal);
      return events.map(({ name, declaration, deployments, hash }) => ({
        ...{ name, declaration, deployments },
        topic0: () => hash().topic0,
      }));
    },
    async viewsIn(document, { signal }) {
      await contracts.index();
      const { views } = await read(document, signal);
      return views.flatMap((view) => {
        const meant = view.isPlain ? findMeant(view, deps) : undefined;
        return meant ? [{ address: meant.address, declaration: view.declaration }] : [];
      });
    },
    async codeIn(document, { signal }) {
      await contracts.index();
      const { contracts: declared } = await read(document, signal);
      // The verdict on the newest is shown first.
      return declared.flatMap(({ deployments: listed, indexed }) =>
        deps.verdicts.listTargets(sortDeployments(listed, deps), indexed),
      );
    },
    lensesOf: (document, { signal }) => ignoreAborted(signal, createLenses(document, signal)),
    hoverAt(document, position, { signal }) {
      const pending = open(document, signal).then((options) =>
        createSourceHover({ document, position }, options),
      );
      return ignoreAborted(signal, pending);
    },
  };
}

/** Paths of a source start at its folder, those of the index at the root of all folders. */
function indexPaths(whole: string | undefined, path: string) {
  if (whole === undefined || !whole.endsWith(path)) return undefined;
  const folder = whole.slice(0, whole.length - path.length);
  return {
    indexPath: (source: string) => folder + source,
    pathOf: (indexed: string) => (indexed.startsWith(folder) ? indexed.slice(folder.length) : undefined),
  };
}
