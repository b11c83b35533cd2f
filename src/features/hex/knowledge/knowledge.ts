import * as vscode from 'vscode';
import { type AbiLookup, lazy, loadStandardLookup, type Origin } from '../../../core/index.ts';
import { knownLookup } from '../../../host/contracts/knownLookup.ts';
import { fileOf } from '../../../host/contracts/openOrigin.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { readWithin } from '../../../host/loading/readWithin.ts';
import type { AddressNames } from '../../../host/names/addressNames.ts';
import type { Session } from '../../../host/session/session.ts';
import type { OriginPlace, Wording } from '../words/wording.ts';

/** What hex is decoded with. */
export interface Known {
  readonly lookup: AbiLookup;
  readonly wording: Wording;
  /** Whether all of the workspace is in it. */
  readonly isWhole: boolean;
}

export interface Knowledge {
  /**
   * What is known once the workspace has been read, or after `budgetMs`; at once where `isEnough` holds of what is known
   * already.
   */
  within(budgetMs: number, isEnough?: (lookup: AbiLookup) => boolean): Promise<Known>;
}

interface KnowledgeDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  readonly names: () => Promise<AddressNames>;
}

/** Names are read from files: what is not there by then stands without one. */
const NAMES_BUDGET_MS = 100;

/** The contracts of the workspace, then the bundled lists. */
export function createKnowledge({ session, contracts, names }: KnowledgeDeps): Knowledge {
  const bundled = lazy(loadStandardLookup);

  function placeOf(origin: Origin): OriginPlace | undefined {
    const file = fileOf(origin, contracts);
    return file && { file: file.toString(), line: (origin.line ?? 1) - 1 };
  }

  async function wording(): Promise<Wording> {
    const read = await readWithin(NAMES_BUDGET_MS, names());
    const { chainId } = session.network;
    const nameOf: Wording['nameOf'] = (address) =>
      read.state === 'ready' ? read.value.nameOf(address, chainId)?.name : undefined;
    return { l10n: vscode.l10n, nameOf, placeOf };
  }

  return {
    async within(budgetMs, isEnough) {
      const [lists, words] = await Promise.all([bundled(), wording()]);
      const lookup = knownLookup(contracts, lists);
      const reading = contracts.index();
      const budget = contracts.state.kind !== 'ready' && isEnough?.(lookup) ? 0 : budgetMs;
      const read = await readWithin(budget, reading);
      return { lookup, wording: words, isWhole: read.state !== 'pending' || !vscode.workspace.isTrusted };
    },
  };
}
