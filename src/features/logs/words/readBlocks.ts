import type { Verdict } from '../../../core/index.ts';
import type { Language } from '../../../host/words/localizer.ts';

type Blocks = Pick<Verdict, 'order' | 'fromBlock' | 'toBlock' | 'readThrough'>;

/** The blocks of which every log is loaded; undefined before there is one. */
export function readBlocks({
  order,
  fromBlock,
  toBlock,
  readThrough,
}: Blocks): { readonly first: bigint; readonly last: bigint } | undefined {
  if (readThrough === undefined) return undefined;
  return order === 'newestFirst'
    ? { first: readThrough, last: toBlock }
    : { first: fromBlock, last: readThrough };
}

/** How far a range is read: `blocks 480 to 545 of 0 to 545`; undefined before a block is read. */
export function readBlocksText(verdict: Blocks, { l10n, locale }: Language): string | undefined {
  const read = readBlocks(verdict);
  if (!read) return undefined;
  const [first, last, from, to] = [read.first, read.last, verdict.fromBlock, verdict.toBlock].map((block) =>
    block.toLocaleString(locale),
  );
  const isFromZero = verdict.order === 'oldestFirst' && verdict.fromBlock === 0n;
  const range = isFromZero ? String(to) : l10n.t('{0} to {1}', String(from), String(to));
  return l10n.t('blocks {0} to {1} of {2}', String(first), String(last), range);
}
