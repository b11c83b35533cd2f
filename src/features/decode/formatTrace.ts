import {
  type AbiParameter,
  type AbiValue,
  type Address,
  type DecodedLog,
  describeHalt,
  describeUnknownCode,
  type ExplainedFrame,
  formatAbiValue,
  formatShortAddress,
  formatUnitsGrouped,
  getTypeName,
  groupDigits,
  type HexMeaning,
  isCreation,
  isPanic,
  type Network,
  noTokens,
  sanitizeText,
  type TransactionTrace,
  toChecksumAddress,
} from '../../core/index.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import type { MeaningFormat } from './formatMeaning.ts';

type KnownTrace = Extract<TransactionTrace, { readonly state: 'told' }>;

export interface TraceContext {
  readonly format: MeaningFormat;
  readonly coin: Pick<Network, 'decimals' | 'symbol'>;
  /** The URI of a file of the workspace. */
  readonly uriOf: (file: string) => string | undefined;
}

/** A person reads no longer list; the command line has all. */
const MAX_LINES = 2_000;
/** Deeper calls stand at this level. */
const MAX_LEVEL = 40;
const MAX_ARGUMENT_CHARS = 80;
const MAX_LINE_CHARS = 400;

/** The calls of a transaction as a tree, with the logs between them; or why they are unknown. */
export function createTraceLines(trace: TransactionTrace, context: TraceContext): readonly TextLine[] {
  const { l10n } = context.format;
  if (trace.state === 'notOffered') {
    return [
      { level: 0, text: l10n.t('Calls'), style: 'heading' },
      { level: 1, text: sanitizeText(localize(trace.reason, l10n), MAX_LINE_CHARS) },
    ];
  }
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Calls'), style: 'heading' }];
  const open: Step[] = [{ explained: trace.root, level: 1, isUndone: false }];
  for (let next = open.pop(); next && lines.length < MAX_LINES; next = open.pop()) {
    const level = Math.min(next.level, MAX_LEVEL);
    if ('log' in next) lines.push({ level, text: formatLog(next, context), style: 'muted' });
    else {
      lines.push(createCallLine(next.explained, level, context));
      for (const each of listInside(next).toReversed()) open.push(each);
    }
  }
  if (trace.method === 'eth_call') {
    lines.push({ level: 1, text: l10n.t('The endpoint tells the outermost call only.') });
  } else if (trace.method === 'internalTransactions') {
    const text = l10n.t(
      'The explorer lists these calls without functions, results and logs, and without telling which call made which.',
    );
    lines.push({ level: 1, text });
  } else if (!trace.hasLogs) {
    lines.push({ level: 1, text: l10n.t('The endpoint does not report which call emitted which log.') });
  }
  if (open.length > 0) lines.push({ level: 1, text: l10n.t('Some calls are not shown.') });
  for (const reason of [...(trace.cutReason ? [trace.cutReason] : []), ...(trace.reasons ?? [])])
    lines.push({ level: 1, text: sanitizeText(localize(reason, l10n), MAX_LINE_CHARS) });
  return lines;
}

interface Position {
  readonly level: number;
  /** Whether a call around it failed, which undoes what it did. */
  readonly isUndone: boolean;
}
type CallStep = Position & { readonly explained: ExplainedFrame };
type LogStep = Position & { readonly log: DecodedLog };
type Step = CallStep | LogStep;

/** The calls and logs of a frame, in their order; logs without a position come last. */
export function listInside({ explained: { frame, calls, logs }, ...outer }: CallStep): readonly Step[] {
  const inside = { level: outer.level + 1, isUndone: outer.isUndone || frame.error !== undefined };
  const steps: Step[] = [];
  let place = 0;
  const addLogs = (until: number) => {
    for (
      let log = frame.logs[place];
      log && (log.position ?? calls.length) <= until;
      log = frame.logs[place]
    ) {
      const decoded = logs[place];
      if (decoded) steps.push({ log: decoded, ...inside });
      place++;
    }
  };
  for (const [index, explained] of calls.entries()) {
    addLogs(index);
    steps.push({ explained, ...inside });
  }
  addLogs(calls.length);
  return steps;
}

/** `STATICCALL Vault.total(by: Alice) → 12 · 2,413 gas`, with why it failed at its end. */
function createCallLine(explained: ExplainedFrame, level: number, context: TraceContext): TextLine {
  const { error } = explained.frame;
  const type = getTypeName(explained.frame);
  const { title, result, value, gas, storage, failure } = formatCall(explained, context);
  const called = result === undefined ? `${type} ${title}` : `${type} ${title} → ${result}`;
  const parts = [called, value, gas, storage, failure].filter((part) => part !== undefined);
  const text = sanitizeText(parts.join(' · '), MAX_LINE_CHARS);
  return { level, text, ...(error !== undefined && { style: 'failure' }) };
}

interface FormattedCall {
  /** Contract and function with arguments. */
  readonly title: string;
  readonly result: string | undefined;
  readonly value: string | undefined;
  readonly gas: string | undefined;
  /** Of a delegatecall: whose storage it uses. */
  readonly storage: string | undefined;
  readonly failure: string | undefined;
}

/** The texts of a call; undefined for what it does not have. */
export function formatCall(explained: ExplainedFrame, context: TraceContext): FormattedCall {
  const { frame, revert, returned } = explained;
  const { format, coin } = context;
  const { l10n } = format;
  const { type, value, gasUsed, error } = frame;
  const isDelegate = type === 'DELEGATECALL';
  return {
    title: formatTarget(explained, context),
    result: returned && formatArguments(returned.inputs, returned.values, context),
    value: value && !isDelegate ? `${formatUnitsGrouped(value, coin.decimals)} ${coin.symbol}` : undefined,
    gas: gasUsed === undefined ? undefined : l10n.t('{0} gas', groupDigits(gasUsed)),
    storage: isDelegate ? l10n.t('storage of {0}', formatAddress(frame.from, context)) : undefined,
    failure:
      error === undefined
        ? undefined
        : revert
          ? formatRevert(revert, context)
          : formatServerError(error, MAX_ERROR_CHARS, l10n),
  };
}

const MAX_ERROR_CHARS = 120;

/** The message of a server for a failure, in plain words if it means a known halt. */
export function formatServerError(error: string, maxChars: number, l10n: Localizer): string {
  const halt = describeHalt(error);
  return sanitizeText(halt ? localize(halt, l10n) : error, maxChars);
}

/** The contract that a call is to. */
export function formatContract({ frame, contract }: ExplainedFrame, context: TraceContext): string {
  const { l10n } = context.format;
  if (frame.to === undefined && !isCreation(frame)) return l10n.t('(unknown address)');
  if (frame.to === undefined)
    return frame.error === undefined ? l10n.t('(a new contract)') : l10n.t('(not created)');
  return contract === undefined ? formatAddress(frame.to, context) : sanitizeText(contract, 80);
}

function formatTarget(explained: ExplainedFrame, context: TraceContext): string {
  const { frame, call, received } = explained;
  const where = formatContract(explained, context);
  if (frame.type.startsWith('CREATE') || frame.type === 'SELFDESTRUCT') return where;
  if (!call) {
    const called = frame.input === '0x' ? received : frame.input.slice(0, SELECTOR_CHARS);
    return called === undefined ? where : `${where}.${called}`;
  }
  const args = 'values' in call ? formatArguments(call.item.inputs, call.values, context) : '…';
  return `${where}.${call.item.name}(${args})`;
}

const SELECTOR_CHARS = 10;

function formatArguments(
  inputs: readonly AbiParameter[],
  values: readonly AbiValue[],
  context: TraceContext,
): string {
  const texts = inputs.map(({ name, type }, index) => {
    const text = formatAbiValue(type, values[index] ?? '', {
      most: MAX_ARGUMENT_CHARS,
      address: (address) => formatAddress(address, context),
      unitsOf: context.format.unitsOf ?? noTokens,
    });
    return name === '' ? text : `${name}: ${text}`;
  });
  return texts.join(', ');
}

function formatAddress(address: Address, { format }: Pick<TraceContext, 'format'>): string {
  return format.nameOf(address) ?? formatShortAddress(toChecksumAddress(address));
}

function formatRevert(meaning: HexMeaning, context: TraceContext): string {
  if (!('item' in meaning)) return context.format.l10n.t('reverted');
  const note =
    'note' in meaning && meaning.note !== undefined ? localize(meaning.note, context.format.l10n) : undefined;
  if (note !== undefined && isPanic(meaning.item)) return note;
  if (!('values' in meaning)) return meaning.item.name;
  const text = `${meaning.item.name}(${formatArguments(meaning.item.inputs, meaning.values, context)})`;
  return note === undefined ? text : `${text}: ${note}`;
}

export function formatLog({ log, isUndone }: LogStep, context: TraceContext): string {
  const { l10n } = context.format;
  const text =
    'reason' in log
      ? l10n.t('log that is not decoded')
      : l10n.t('log {0}({1})', log.event.name, formatArguments(log.event.inputs, log.values, context));
  return sanitizeText(isUndone ? l10n.t('{0}, undone', text) : text, MAX_LINE_CHARS);
}

/** Where a transaction failed: the line with the functions above it, or lines that may be it. */
export function createFailedAtLines(
  { failedAt }: Pick<KnownTrace, 'failedAt'>,
  context: Pick<TraceContext, 'format' | 'uriOf'>,
): readonly TextLine[] {
  if (!failedAt) return [];
  const unknown = (failedAt.unknownCode ?? []).map((code): TextLine => {
    const name = code.address === undefined ? '' : formatAddress(code.address, context);
    const text = localize(describeUnknownCode(code, name), context.format.l10n);
    return { level: 1, text: sanitizeText(text, MAX_LINE_CHARS) };
  });
  const why = failedAt.why && localize(failedAt.why, context.format.l10n);
  const reason = why === undefined ? [] : [{ level: 1, text: sanitizeText(why, MAX_LINE_CHARS) }];
  return [...reason, ...createPlaceLines(failedAt, context), ...unknown];
}

function createPlaceLines(
  failedAt: NonNullable<KnownTrace['failedAt']>,
  { format, uriOf }: Pick<TraceContext, 'format' | 'uriOf'>,
): readonly TextLine[] {
  const { l10n } = format;
  const toLine = (
    { file, line }: { readonly file: string; readonly line: number },
    suffix = '',
  ): TextLine => {
    const uri = uriOf(file);
    const place = uri === undefined ? undefined : { file: uri, line: line - 1 };
    return { level: 2, text: `${sanitizeText(file, 300)}:${line}${suffix}`, place };
  };
  if (!failedAt.certain) {
    const { candidates } = failedAt;
    if (candidates.length === 0) return [];
    return [
      { level: 1, text: l10n.t('It may have failed at') },
      ...candidates.slice(0, MAX_CANDIDATES).map((candidate) => toLine(candidate)),
    ];
  }
  return [
    { level: 1, text: l10n.t('It failed at') },
    ...failedAt.stack.map((entry) => toLine(entry, ` · ${sanitizeText(entry.function, 120)}`)),
  ];
}

const MAX_CANDIDATES = 20;
