import * as vscode from 'vscode';
import {
  type Address,
  type BuildReader,
  type Clock,
  type CodeComparison,
  compareCode,
  createBuildReader,
  hashData,
  type IndexedContract,
  type IndexedDeployment,
  isAppError,
  isSameCode,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../contracts/workspaceContracts.ts';
import { Disposables } from '../disposables.ts';
import { formatErrorForLog } from '../log.ts';
import { parseChainId } from '../names/addressName.ts';
import { getLocalBlock, isOnLocalChain, type LatestBlock } from '../session/localChain.ts';
import type { Connection, Session } from '../session/session.ts';

/** Whether deployed code is that of the workspace, as far as it was compared on the active network. */
export interface CodeVerdicts extends vscode.Disposable {
  /** Undefined until it is compared, and once the build has changed since. Sends no request. */
  get(target: CodeTarget): CodeComparison | undefined;
  /**
   * Compares those that are not, by itself: only on a development chain of this machine, and again after each block. Does
   * nothing elsewhere. Never rejects.
   */
  readListed(targets: readonly CodeTarget[]): Promise<void>;
  /**
   * Compares in the latest block, and remembers the result.
   *
   * @throws AppError of any network kind, and `notChosen`.
   */
  compare(target: CodeTarget, options: { readonly signal: AbortSignal }): Promise<CodeComparison>;
  /** The deployments on the active chain that are on its node, with their contracts, or with the one that they run. */
  listTargets(deployments: readonly IndexedDeployment[], contract?: IndexedContract): readonly CodeTarget[];
  readonly onDidChange: vscode.Event<void>;
}

/** An address on the active network, and the contract whose build is compared with its code. */
export interface CodeTarget {
  readonly address: Address;
  readonly contract: IndexedContract;
}

export interface CodeVerdictsDeps {
  readonly session: Pick<Session, 'connection' | 'isChosen' | 'network'>;
  readonly contracts: WorkspaceContracts;
  readonly head: LatestBlock;
  readonly clock: Clock;
  readonly log: Pick<vscode.LogOutputChannel, 'debug'>;
}

interface Compared {
  readonly comparison: CodeComparison;
  /** Changes when the artifact or the source is written. */
  readonly build: string;
}

/** Compared by itself at once; a workspace with more is not one that a person looks at. */
const MAX_LISTED = 100;
/** The oldest are dropped first. */
const MAX_REMEMBERED = 500;

export function createCodeVerdicts(deps: CodeVerdictsDeps): CodeVerdicts {
  const { session, contracts, head, clock, log } = deps;
  const disposables = new Disposables();
  const changed = disposables.add(new vscode.EventEmitter<void>());
  const remembered = new Map<string, Compared>();
  const reading = new Map<string, Promise<boolean>>();
  let connection: Connection | undefined;
  const ended = new AbortController();

  function useConnection(): Connection {
    const { connection: active } = session;
    if (active !== connection) {
      remembered.clear();
      reading.clear();
    }
    connection = active;
    return active;
  }

  function remember(target: CodeTarget, compared: Compared): void {
    const key = getKey(target);
    remembered.delete(key);
    remembered.set(key, compared);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }

  async function compareAt(
    target: CodeTarget,
    { block, builds, signal }: { block: bigint; builds?: BuildReader; signal: AbortSignal },
  ): Promise<CodeComparison> {
    const { client, network } = useConnection();
    const active = connection;
    const index = await contracts.index();
    const { files } = contracts;
    // Without trust, there are no contracts that could be compared.
    if (!files) throw new Error(vscode.l10n.t('Trust this workspace to read contracts from its files.'));
    const build = await readBuildVersion(target, contracts);
    const comparison = await compareCode(
      { ...target, block },
      {
        ...{ client, files, clock, builds, chainId: network.chainId },
        ...{ contracts: index.contracts, deployments: index.deployments },
        // By itself, it reads no more than it must.
        skipOtherBuilds: builds !== undefined,
      },
      { signal },
    );
    // The artifact may have been written meanwhile.
    const isCurrent = (await readBuildVersion(target, contracts)) === build;
    if (active === session.connection && isCurrent) remember(target, { comparison, build });
    return comparison;
  }

  /** Returns whether there is something new. */
  async function readOne(target: CodeTarget, block: bigint, builds: BuildReader): Promise<boolean> {
    const active = useConnection();
    const signal = AbortSignal.any([active.signal, ended.signal]);
    const found = remembered.get(getKey(target));
    const isCurrent = found !== undefined && (await readBuildVersion(target, contracts)) === found.build;
    const before = isCurrent ? found : undefined;
    if (before?.comparison.block === block) return false;
    try {
      if (before && (await isUnchanged(before, block, active, signal))) {
        remember(target, { ...before, comparison: { ...before.comparison, block } });
        return false;
      }
      await compareAt(target, { block, builds, signal });
      return true;
    } catch (error) {
      if (!isAppError(error)) throw error;
      log.debug(formatErrorForLog(error));
      return false;
    }
  }

  /** Artifacts that were written again make their results old. */
  async function dropOld(): Promise<void> {
    if (contracts.state.kind !== 'ready') return;
    let hasDropped = false;
    for (const [key, compared] of [...remembered]) {
      if ((await readBuildVersion(compared.comparison, contracts)) === compared.build) continue;
      if (remembered.get(key) === compared) hasDropped = remembered.delete(key) || hasDropped;
    }
    if (hasDropped) changed.fire();
  }
  disposables.add(contracts.onDidChange(() => void dropOld()));

  return {
    get: (target) =>
      session.connection === connection ? remembered.get(getKey(target))?.comparison : undefined,
    async readListed(targets) {
      if (targets.length === 0 || !isOnLocalChain(session)) return;
      try {
        if (!head.state.head) await head.read();
        const block = getLocalBlock(deps);
        const { files } = contracts;
        if (block === undefined || !files) return;
        useConnection();
        const builds = createBuildReader(files);
        let hasNew = false;
        // One after another: each may read a large file.
        for (const target of targets.slice(0, MAX_LISTED)) {
          const key = `${getKey(target)}\n${block}`;
          const pending = reading.get(key) ?? readOne(target, block, builds);
          reading.set(key, pending);
          if (await pending.finally(() => reading.delete(key))) hasNew = true;
        }
        if (hasNew) changed.fire();
      } catch (error) {
        if (!ended.signal.aborted && !isAppError(error, 'aborted')) log.debug(formatErrorForLog(error));
      }
    },
    async compare(target, { signal }) {
      const block = await session.connection.client.getBlockNumber({ signal });
      const comparison = await compareAt(target, { block, signal });
      changed.fire();
      return comparison;
    },
    listTargets: (deployments, run) =>
      deployments.flatMap((deployment) => {
        const { address, chainId, state } = deployment;
        const isHere = session.isChosen && parseChainId(chainId) === session.network.chainId;
        if (!isHere || state === 'missing' || state === 'replaced' || state === 'undecided') return [];
        const contract = run ?? contracts.known?.contractOf(deployment);
        return contract ? [{ address, contract }] : [];
      }),
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      disposables.dispose();
    },
  };
}

function getKey({ address, contract: { name, source, artifact } }: CodeTarget): string {
  return [address, name, source, artifact].join('\n');
}

/** A file that is written again has another time: an artifact, or a source that is then newer than it. */
async function readBuildVersion(
  { contract: { artifact, source } }: Pick<CodeTarget, 'contract'>,
  { files }: Pick<WorkspaceContracts, 'files'>,
): Promise<string> {
  const stats = await Promise.all(
    [artifact, source].map((path) => (path === undefined ? undefined : files?.stat(path))),
  );
  return stats.map((stat) => (stat ? `${stat.size} ${stat.modified}` : '')).join();
}

/** Whether the same code is there as when it was compared. */
async function isUnchanged(
  { comparison }: Compared,
  block: bigint,
  { client }: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  const { address, implementation, implementations, codeHash, match } = comparison;
  const code = await client.getCode({ to: implementation ?? address, block }, { signal });
  if (codeHash === undefined ? code !== '0x' : hashData(code) !== codeHash) return false;
  // Code that is the proxy's own stays so, whatever it runs. Other code may have got an implementation.
  if (implementation === undefined && isSameCode(match)) return true;
  const found = await client.fetchImplementations(address, block, { signal, isDeclared: true });
  return found.join() === implementations.join();
}
