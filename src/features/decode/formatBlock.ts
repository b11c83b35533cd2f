import {
  type AbiLookup,
  type Block,
  type BlockHeader,
  type BlockTransaction,
  explainHex,
  formatIsoTime,
  formatUnitsGrouped,
  groupDigits,
  type Hex,
  type Network,
  pushAll,
} from '../../core/index.ts';
import { formatAge } from '../../host/formatTime.ts';
import type { Localizer } from '../../host/l10n.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import type { MeaningFormat } from './formatMeaning.ts';
import { createBlockCommand, formatCoin, formatNamedAddress } from './formatTransaction.ts';

export interface BlockParts {
  readonly block: Block;
  readonly network: Network;
  readonly lookup: AbiLookup;
  readonly format: MeaningFormat;
  /** The endpoint that the block is from. */
  readonly origin: string;
  /** In milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** The document of a block: its header, and its transactions with names. */
export function createBlockDocument(parts: BlockParts): readonly TextLine[] {
  const { block, network, format } = parts;
  const { l10n } = format;
  const title = l10n.t('Block {0} on {1}', groupDigits(block.number), network.name);
  return [
    { level: 0, text: title, style: 'heading' },
    { level: 0, text: '' },
    ...createHeaderLines(parts),
    ...createTransactionLines(parts),
  ];
}

/** A block's time in UTC, and how long ago that was. */
export function formatBlockTime({ time }: Pick<BlockHeader, 'time'>, now: number, l10n: Localizer): string {
  const text = formatIsoTime(time);
  if (text === undefined || time === undefined) return l10n.t('unknown');
  return time > now ? text : l10n.t('{0} ({1})', text, formatAge(now - time, l10n));
}

/** `41.2 %`; undefined for a block without a limit. */
export function formatFullness({ gasUsed, gasLimit }: Pick<BlockHeader, 'gasLimit' | 'gasUsed'>) {
  if (gasUsed === undefined || !gasLimit) return undefined;
  const tenths = (gasUsed * 1000n) / gasLimit;
  return `${tenths / 10n}.${tenths % 10n} %`;
}

const GWEI = 9;

function createHeaderLines({ block, format, origin, readAt }: BlockParts): readonly TextLine[] {
  const { l10n } = format;
  const { number, hash, parentHash, miner, gasUsed, gasLimit, baseFee, size, withdrawalCount } = block;
  const fullness = formatFullness(block);
  const gas =
    gasUsed === undefined || gasLimit === undefined
      ? undefined
      : l10n.t('{0} of {1}', groupDigits(gasUsed), groupDigits(gasLimit));
  const fields: readonly (readonly [string, string | undefined, bigint?])[] = [
    [l10n.t('Hash'), hash],
    [l10n.t('Time'), formatBlockTime(block, readAt, l10n)],
    [
      l10n.t('Parent'),
      number === 0n ? undefined : [groupDigits(number - 1n), parentHash].filter(Boolean).join(', '),
      number - 1n,
    ],
    [l10n.t('Miner or fee recipient'), miner && formatNamedAddress(miner, format)],
    [l10n.t('Gas'), gas && fullness ? l10n.t('{0} ({1})', gas, fullness) : gas],
    [
      l10n.t('Base fee'),
      baseFee === undefined ? undefined : l10n.t('{0} gwei', formatUnitsGrouped(baseFee, GWEI)),
    ],
    [l10n.t('Size'), size === undefined ? undefined : l10n.t('{0} bytes', groupDigits(size))],
    [l10n.t('Transactions'), groupDigits(block.transactionCount)],
    [l10n.t('Withdrawals'), withdrawalCount === undefined ? undefined : groupDigits(withdrawalCount)],
    [
      l10n.t('Source'),
      l10n.t('{0} at {1}, by {2}', origin, formatIsoTime(readAt) ?? '', block.methods.join(', ')),
    ],
  ];
  return fields.flatMap(([name, value, link]) =>
    value === undefined
      ? []
      : [
          {
            ...{ level: 0, text: l10n.t('{0}: {1}', name, value), label: `${name}:` },
            ...(link !== undefined && { command: createBlockCommand(link, l10n) }),
          },
        ],
  );
}

function createTransactionLines(parts: BlockParts): readonly TextLine[] {
  const { block, format } = parts;
  const { transactions, transactionCount } = block;
  if (transactionCount === 0) return [];
  const { l10n } = format;
  const lines: TextLine[] = [
    { level: 0, text: '' },
    { level: 0, text: l10n.t('Transactions'), style: 'heading' },
  ];
  const isShort = transactions.length < transactionCount;
  if (isShort) {
    const text = l10n.t(
      'The first {0} of {1}.',
      groupDigits(transactions.length),
      groupDigits(transactionCount),
    );
    lines.push({ level: 1, text });
  }
  if (transactions.some(({ call }) => call === undefined)) {
    const text = l10n.t('The block is too large to load what its transactions call. Show one to see it.');
    lines.push({ level: 1, text });
  }
  const functions = new Map<string, string>();
  for (const [index, transaction] of transactions.entries()) {
    pushAll(lines, formatBlockTransaction(transaction, index, { ...parts, functions }));
  }
  return lines;
}

interface TransactionContext extends BlockParts {
  /** Names that were looked up, by contract and selector. */
  readonly functions: Map<string, string>;
}

function formatBlockTransaction(
  { hash, call, isFailed }: BlockTransaction,
  index: number,
  context: TransactionContext,
): readonly TextLine[] {
  const { format, network } = context;
  const { l10n } = format;
  const name = l10n.t('{0}: transaction {1}', index, hash);
  const heading: TextLine = isFailed
    ? { level: 1, text: l10n.t('{0} · Failed', name), label: name, style: 'failure' }
    : { level: 1, text: name, label: name };
  if (!call) return [heading];
  const { from, to, value } = call;
  const parts = [
    l10n.t(
      '{0} → {1}',
      formatNamedAddress(from, format),
      to === undefined ? l10n.t('a new contract') : formatNamedAddress(to, format),
    ),
    formatCalledFunction(call, context),
    value === 0n ? undefined : formatCoin(value, network),
  ].filter((part) => part !== undefined);
  return [heading, { level: 2, text: parts.join(' · ') }];
}

const SELECTOR_CHARS = 10;

/** Of the called function; undefined for input that calls none. */
export function findSelector(input: Hex): Hex | undefined {
  return input.length < SELECTOR_CHARS ? undefined : (input.slice(0, SELECTOR_CHARS) as Hex);
}

/** The signature of the function, or the selector; undefined where nothing is called. */
function formatCalledFunction(
  { to, input }: NonNullable<BlockTransaction['call']>,
  { lookup, network, functions }: TransactionContext,
): string | undefined {
  const selector = to && findSelector(input);
  if (selector === undefined) return undefined;
  const key = `${to} ${selector}`;
  const found = functions.get(key) ?? findFunction(selector) ?? selector;
  functions.set(key, found);
  return found;

  function findFunction(of: Hex): string | undefined {
    const at = to && { address: to, chainId: network.chainId };
    const meaning = explainHex(of, { lookup, at }).find(({ kind }) => kind === 'function');
    return meaning && 'item' in meaning ? meaning.item.signature : undefined;
  }
}
