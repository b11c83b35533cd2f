import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type BuildFacts,
  type CodeComparison,
  compareBuilds,
  isAppError,
  readBuildFacts,
  readContractFacts,
} from '../../core/index.ts';
import type { CodeVerdicts } from '../../host/code/codeVerdicts.ts';
import { registerCommand } from '../../host/commands.ts';
import type { CheckedDeploymentDeps } from '../../host/contracts/queryDeployment.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import { showError } from '../../host/errors.ts';
import type { VerifiedAccess } from '../../host/logDecoding.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import { withDelayedProgress } from '../../host/ui/dialogs.ts';
import { openReadOnlyDocuments } from '../../host/ui/readOnlyDocuments.ts';
import { runInTerminal } from '../../host/ui/window.ts';
import { createCodePage, LAYOUT_COMMAND } from './codeDocument.ts';
import { findContract, resolveTarget } from './codeTarget.ts';
import { showSourceChanges } from './sourceChanges.ts';

export interface CompareDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly verdicts: Pick<CodeVerdicts, 'compare'>;
  /** Loaded on first use. */
  readonly verified: () => Promise<VerifiedAccess>;
  /** Loaded on first use. */
  readonly names: () => Promise<AddressNames>;
  readonly checkDeployments: CheckedDeploymentDeps['checkDeployments'];
  readonly log: vscode.LogOutputChannel;
}

/** Registers *Compare with Deployed Code…* and *Show Source Changes*, with the documents. */
export function openCodeComparison(deps: CompareDeps): vscode.Disposable {
  const disposables = new Disposables();
  const pages = disposables.add(openReadOnlyDocuments('chainside-code'));
  const { session, contracts, log } = deps;
  const run = (task: () => Promise<void>) => async () => {
    try {
      await task();
    } catch (error) {
      await showError(error, { service: 'endpoint', network: session.network, log });
    }
  };

  async function compare(argument: unknown): Promise<void> {
    const target = await resolveTarget(argument, deps);
    if (!target) return;
    const { network } = session;
    const title = vscode.l10n.t('Comparing the code of {0} on {1}', target.contract.name, network.name);
    const page = await withDelayedProgress(title, async ({ signal }) => {
      const comparison = await deps.verdicts.compare(target, { signal });
      const deployed = await findDeployedBuild(comparison, deps, signal);
      const { files } = contracts;
      const local = files && (await readContractFacts(comparison.contract, { files }));
      return createCodePage({
        ...{ comparison, networkName: network.name, l10n: vscode.l10n, origin: deployed?.origin },
        changes: isCompared(comparison)
          ? compareBuilds(
              local ?? readBuildFacts({ metadata: undefined, layout: undefined, abi: target.contract.abi }),
              deployed?.facts,
              deployed?.isLocal,
            )
          : undefined,
        proxy: target.proxy,
        mayHaveSource: await (await deps.verified()).mayKnow(network),
        uriOf: (path) => contracts.uriOf(path)?.toString(),
      });
    });
    if (page !== 'cancelled') await pages.show(page);
  }

  disposables.add(registerCommand('chainside.compareCode', (argument) => run(() => compare(argument))()));
  disposables.add(
    registerCommand('chainside.buildStorageLayout', (argument) =>
      run(() => buildStorageLayout(argument, contracts))(),
    ),
  );
  disposables.add(
    registerCommand('chainside.showSourceChanges', (argument) =>
      run(() => showSourceChanges(argument, deps))(),
    ),
  );
  return disposables;
}

/** Whether the builds may differ: equal code has equal storage and functions. */
function isCompared({ match, isOutdated, difference }: CodeComparison): boolean {
  return difference !== undefined || match === 'settings' || (match === 'unknown' && !isOutdated);
}

interface DeployedBuild {
  readonly facts: BuildFacts;
  readonly origin: string;
  /** Whether it is an artifact of the project. */
  readonly isLocal: boolean;
}

/** What is known of the deployed build: from a file that has it, else from a provider that has the contract verified. */
async function findDeployedBuild(
  comparison: CodeComparison,
  { contracts, session, verified, log }: CompareDeps,
  signal: AbortSignal,
): Promise<DeployedBuild | undefined> {
  if (!isCompared(comparison)) return undefined;
  const { otherBuild, deployedBuild: facts, implementation, address } = comparison;
  const index = await contracts.index();
  const own = facts &&
    otherBuild && {
      ...{ facts, origin: otherBuild.file },
      isLocal: index.contracts.some(({ artifact }) => artifact === otherBuild.file),
    };
  if (own?.facts.storage) return own;
  const { reader } = await verified();
  try {
    const found = await reader.findSource(implementation ?? address, session.network, { signal });
    // The code was replaced since it was verified.
    if (!found || found.contract.changedBytecode) return own;
    const { metadata, storageLayout: layout, source } = found.files;
    const theirs = readBuildFacts({ metadata, layout, abi: found.contract.abi });
    if (!own) return { facts: theirs, origin: new URL(source.origin).host, isLocal: false };
    return theirs.storage ? { ...own, facts: { ...own.facts, storage: theirs.storage } } : own;
  } catch (error) {
    if (signal.aborted || !isAppError(error)) throw error;
    // The comparison of the code does not need it.
    log.debug(error.message);
    return own;
  }
}

const text = z.string().check(z.maxLength(1_000));
const LayoutArgument = z.object({ contract: text, source: z.optional(text), artifact: z.optional(text) });

/** Builds the project of a contract with storage layouts, in a terminal that the user sees. Only in a trusted workspace. */
async function buildStorageLayout(argument: unknown, contracts: WorkspaceContracts): Promise<void> {
  const given = LayoutArgument.safeParse(argument).data;
  if (!given || !vscode.workspace.isTrusted) return;
  const contract = findContract(await contracts.index(), { ...given, name: given.contract });
  const config =
    contract && contracts.uriOf(`${contract.project === '' ? '' : `${contract.project}/`}foundry.toml`);
  if (!config) return;
  runInTerminal(LAYOUT_COMMAND, { name: 'forge build', cwd: vscode.Uri.joinPath(config, '..') });
}
