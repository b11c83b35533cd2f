import type { VerdictReason } from '../core/index.ts';
import type { Localizer } from './localizer.ts';

/** Why an answer that was read from logs is not certain to be whole, and what can be done. */
export function verdictReasonText(
  { code, block }: VerdictReason,
  l10n: Localizer,
  number: (value: bigint) => string,
): string {
  const height = block === undefined ? '?' : number(block);
  switch (code) {
    case 'beyondHead':
      return l10n.t(
        'The range begins above the latest block, {0}: there are no logs yet. Ask again later.',
        height,
      );
    case 'blockNotWhole':
      return l10n.t(
        'Block {0} holds more matching logs than the server gives out, so that some are missing. Ask a narrower question, or ask a node instead of an explorer.',
        height,
      );
    case 'cancelled':
      return l10n.t('It was cancelled at block {0}; everything before it is loaded.', height);
    case 'forkRows':
      return l10n.t(
        'The server gave logs of two different blocks at height {0}; one of them is no longer in the chain. Compare the block hashes there.',
        height,
      );
    case 'headWentBack':
      return l10n.t(
        'The newest block of the server fell below the range that was read: it lost blocks, or another server answered. Ask again when it has caught up.',
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
    case 'shortPages':
      return l10n.t(
        'This version of the server (Blockscout v6.8 to v9.4) can leave logs of an address out of a page without a word. Ask a node, or another explorer of this chain, to be certain.',
      );
  }
}
