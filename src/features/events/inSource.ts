import type * as vscode from 'vscode';
import { type Clock, createTimeSlices } from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import { createSourceDocuments } from '../../host/sources/sourceDocuments.ts';
import type { HoverWords } from '../../host/surface/hovers.ts';
import type { Lens } from '../../host/surface/lenses.ts';
import { registerCountCommand } from './coverage/countCommand.ts';
import type { CountedEvent } from './coverage/countEvents.ts';
import { createEventCounts, type EventCounts } from './coverage/eventCounts.ts';
import { registerDeploymentCommands } from './deployments/deploymentCommands.ts';
import { createKnownDeployments } from './deployments/knownDeployments.ts';
import { whereDeployed } from './deployments/whereDeployed.ts';
import { sourceHover } from './hover/sourceHover.ts';
import { findEvents } from './lenses/findEvents.ts';
import { sourceLenses } from './lenses/sourceLenses.ts';

export interface InSourceDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface Counting {
  readonly counts: EventCounts;
}

interface Wanted {
  readonly signal: AbortSignal;
}

/** What is said of events, errors and contracts in a source: undefined where nobody wants it any more. */
export interface InSource {
  /** Undefined, too, where the text has changed meanwhile: the editor asks again. */
  lensesOf(document: vscode.TextDocument, options: Wanted): Promise<readonly Lens[] | undefined>;
  hoverAt(
    document: vscode.TextDocument,
    position: vscode.Position,
    options: Wanted,
  ): Promise<HoverWords | undefined>;
  /** The events that a source declares, with where they are deployed, once the workspace has been read. */
  eventsIn(document: vscode.TextDocument, options: Wanted): Promise<readonly CountedEvent[]>;
}

/** With the commands that lenses and hovers run. */
export function openInSource(
  deps: InSourceDeps & { readonly onDidCount: () => void },
): InSource & vscode.Disposable {
  const counts = createEventCounts(deps, deps.onDidCount);
  const inSource = createInSource({ ...deps, counts });
  const counted = { ...deps, counts, eventsIn: inSource.eventsIn, now: deps.clock.now };
  const commands = [registerDeploymentCommands(deps), registerCountCommand(counted), counts];
  return { ...inSource, dispose: () => commands.forEach((each) => void each.dispose()) };
}

export function createInSource(deps: Omit<InSourceDeps, 'log'> & Counting): InSource {
  const { contracts, clock } = deps;
  const documents = createSourceDocuments(clock);
  const deployments = createKnownDeployments(contracts, clock);

  async function open(document: vscode.TextDocument, signal: AbortSignal) {
    const source = await documents.open(document, { signal });
    const reader = { ...source, slices: createTimeSlices(clock), signal };
    const deployed = await deployments.read();
    const places = indexPaths(contracts.pathOf(document.uri), source.path);
    const where = deployed && places && whereDeployed(deployed, { ...source, ...places, signal });
    return { ...deps, path: source.path, reader, where };
  }

  async function unlessAborted<T>(signal: AbortSignal, made: Promise<T>): Promise<T | undefined> {
    try {
      return await made;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  return {
    async eventsIn(document, { signal }) {
      await contracts.index();
      const { path, reader, where } = await open(document, signal);
      const events: CountedEvent[] = [];
      for (const { name, declaration, contract, hash } of await findEvents(path, reader)) {
        const deployments = (await where?.item(declaration, contract)) ?? [];
        events.push({ name, declaration, deployments, topic0: () => hash().topic0 });
      }
      return events;
    },
    lensesOf(document, { signal }) {
      const { version } = document;
      const made = open(document, signal).then((options) => sourceLenses(document, options));
      return unlessAborted(
        signal,
        made.then((lenses) => (document.version === version ? lenses : undefined)),
      );
    },
    hoverAt(document, position, { signal }) {
      const made = open(document, signal).then((options) => sourceHover({ document, position }, options));
      return unlessAborted(signal, made);
    },
  };
}

/** Paths of a source are from its folder on, those of the index from the root of all folders. */
function indexPaths(whole: string | undefined, path: string) {
  if (whole === undefined || !whole.endsWith(path)) return undefined;
  const folder = whole.slice(0, whole.length - path.length);
  return {
    indexPath: (source: string) => folder + source,
    pathOf: (indexed: string) => (indexed.startsWith(folder) ? indexed.slice(folder.length) : undefined),
  };
}
