import * as vscode from 'vscode';
import { type AbiLookup, lazy, loadStandardLookup, type Origin } from '../../core/index.ts';
import { createKnownLookup } from '../../host/contracts/knownEvents.ts';
import { findOriginFile } from '../../host/contracts/sourceDocuments.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import type { Session } from '../../host/session/session.ts';
import { settleWithin } from '../../host/timing.ts';
import { withCancellableProgress } from '../../host/ui/window.ts';
import type { MeaningFormat, OriginLocation } from './formatMeaning.ts';

/** What hex is decoded with. */
export interface DecodingKnowledge {
  readonly lookup: AbiLookup;
  readonly format: MeaningFormat;
  /** Whether the whole workspace has been read. */
  readonly isWhole: boolean;
}

export interface KnowledgeReader {
  /**
   * Resolves once the workspace has been read, or after `budgetMs`; at once if `isEnough` accepts what is loaded
   * already.
   */
  within(budgetMs: number, isEnough?: (lookup: AbiLookup) => boolean): Promise<DecodingKnowledge>;
}

interface KnowledgeDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  readonly names: () => Promise<AddressNames>;
}

/** Names are read from files; those not loaded in time are omitted. */
const NAMES_TIMEOUT_MS = 100;

/** Combines the contracts of the workspace with the bundled lists. */
export function createKnowledgeReader({ session, contracts, names }: KnowledgeDeps): KnowledgeReader {
  const bundled = lazy(loadStandardLookup);

  function placeOf(origin: Origin): OriginLocation | undefined {
    const file = findOriginFile(origin, contracts);
    return file && { file: file.toString(), line: (origin.line ?? 1) - 1 };
  }

  async function loadFormat(): Promise<MeaningFormat> {
    const read = await settleWithin(NAMES_TIMEOUT_MS, names());
    const { chainId } = session.network;
    const nameOf: MeaningFormat['nameOf'] = (address) =>
      read.state === 'ready' ? read.value.nameOf(address, chainId)?.name : undefined;
    return { l10n: vscode.l10n, nameOf, placeOf };
  }

  return {
    async within(budgetMs, isEnough) {
      const [lists, format] = await Promise.all([bundled(), loadFormat()]);
      const lookup = createKnownLookup(contracts, lists);
      const reading = contracts.index();
      const budget = contracts.state.kind !== 'ready' && isEnough?.(lookup) ? 0 : budgetMs;
      const read = await settleWithin(budget, reading);
      return { lookup, format: format, isWhole: read.state !== 'pending' || !vscode.workspace.isTrusted };
    },
  };
}

/** A progress notification appears after this time. */
const PROGRESS_DELAY_MS = 700;

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Waits for the workspace, with a progress notification if that takes long; if cancelled, returns what is loaded so
 * far.
 */
export async function loadFullKnowledge(knowledge: KnowledgeReader): Promise<DecodingKnowledge> {
  const reading = knowledge.within(MAX_TIMEOUT_MS);
  const early = await settleWithin(PROGRESS_DELAY_MS, reading);
  if (early.state === 'ready') return early.value;
  if (early.state === 'failed') throw early.error;
  const title = vscode.l10n.t('Reading the contracts of the workspace');
  const read = await withCancellableProgress(title, async ({ signal }) => {
    const cancelled = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return Promise.race([reading, cancelled]);
  });
  return read === undefined || read === 'cancelled' ? knowledge.within(0) : read;
}
