import type { ReasonCode, VerdictReason } from '../core/index.ts';
import type { Localizer } from './l10n.ts';

/** Blocks that are listed in one paragraph; the others are counted. */
const MAX_NAMED = 12;

/** Formats why a result is uncertain and what can be done: one paragraph per kind of reason. */
export function formatVerdictReasonMessages(
  reasons: readonly VerdictReason[],
  l10n: Localizer,
  formatNumber: (value: bigint) => string,
): readonly string[] {
  return mergeByCode(reasons).map((reason) =>
    formatVerdictReason(reason.code, formatBlocks(reason, l10n, formatNumber), l10n),
  );
}

/** A reason with its listed blocks, and the number of further ones. */
interface MergedReason {
  readonly code: ReasonCode;
  readonly blocks: readonly bigint[];
  readonly more: number;
}

/** Merges the reasons of one kind. */
function mergeByCode(reasons: readonly VerdictReason[]): readonly MergedReason[] {
  const codes = new Set(reasons.map(({ code }) => code));
  return [...codes].map((code) => {
    const same = reasons.filter(({ code: other }) => other === code);
    const more = same.reduce((sum, { more: unnamed = 0 }) => sum + unnamed, 0);
    return { code, blocks: same.flatMap(({ block }) => block ?? []), more };
  });
}

function formatBlocks(
  { blocks, more }: MergedReason,
  l10n: Localizer,
  formatNumber: (value: bigint) => string,
): string {
  const listed = blocks.slice(0, MAX_NAMED);
  const others = blocks.length - listed.length + more;
  const names = listed.map(formatNumber).join(', ');
  return others > 0 ? l10n.t('{0} and {1} more', names, others) : names;
}

/** `height` is one block number or a list. */
function formatVerdictReason(code: ReasonCode, height: string, l10n: Localizer): string {
  switch (code) {
    case 'beyondHead':
      return l10n.t(
        'The range begins above the latest block, {0}: there are no logs yet. Ask again later.',
        height,
      );
    case 'blockNotWhole':
      return l10n.t(
        'In block {0} there are more matching logs than the server gives out, so that some are missing. Ask there with a narrower filter, or ask a node instead of an explorer.',
        height,
      );
    case 'cancelled':
      return l10n.t('It was cancelled at block {0}; everything before it is loaded.', height);
    case 'endlessBlock':
      return l10n.t(
        'The server gave more logs of block {0} than a block can hold, so that reading ended there. Ask another server of this chain.',
        height,
      );
    case 'forkRows':
      return l10n.t(
        'The server gave logs of two different blocks at height {0}; one of them is no longer in the chain. Compare the block hashes there.',
        height,
      );
    case 'headWentBack':
      return l10n.t(
        'The newest block of the server fell below the range that was read: it lost blocks, or another server answered. Ask again when it has caught up.',
      );
    case 'otherRows':
      return l10n.t(
        'The server gave logs that were not asked for when it was asked for the blocks from {0} on; they are left out, and others may be missing. Ask another server of this chain to be certain.',
        height,
      );
    case 'questionIgnored':
      return l10n.t(
        'The server gives logs of other blocks or addresses than it is asked for, so that reading ended before block {0}. Ask another server of this chain.',
        height,
      );
    case 'reorg':
      return l10n.t(
        'The chain was reorganised at block {0} while it was read, so that logs from there on may have changed. Ask again.',
        height,
      );
    case 'serverChanged':
      return l10n.t(
        'The server became another one, or another version, while it was read, so that logs may be missing. Ask again.',
      );
    case 'serversDiffer':
      return l10n.t(
        'The answers of the server about the blocks from {0} on are not alike: several machines answer for it, and some have not seen the newest blocks. Logs of these blocks may be missing. Ask again in a moment.',
        height,
      );
    case 'startsLater':
      return l10n.t(
        'The server has no blocks before {0}, so that logs of earlier ones are missing. Ask another server of this chain for those.',
        height,
      );
    case 'shortPages':
      return l10n.t(
        'Logs may be missing in block {0}: this version of the server (Blockscout v6.8 to v9.4) can leave logs of an address out of a page without a word. Ask a node, or another explorer of this chain, to be certain.',
        height,
      );
  }
}
