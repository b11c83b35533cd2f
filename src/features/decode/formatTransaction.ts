import {
  type Address,
  type ExplainedTransaction,
  formatAmount,
  formatIsoTime,
  formatUnitsGrouped,
  getNetAmount,
  groupDigits,
  type HashResult,
  type Hex,
  type HexMeaning,
  isSupply,
  type KnownHash,
  type Movement,
  type Network,
  pushAll,
  type RevertPlace,
  sanitizeText,
  summarizeTransaction,
  type TokenUnits,
  type Transaction,
  type TransactionFailure,
  type TransactionTrace,
  toChecksumAddress,
  type UnclearTransfer,
  type UnitsOf,
} from '../../core/index.ts';
import { type Localizer, localize } from '../../host/l10n.ts';
import type { TextLine } from '../../host/ui/readOnlyDocuments.ts';
import { writeLog } from './decodedDocument.ts';
import { formatAttribution, type MeaningFormat, resolveLikelyWords, writeMeaning } from './formatMeaning.ts';
import { createFailedAtLines, createTraceLines, formatServerError } from './formatTrace.ts';
import type { FoundHash } from './transactionReader.ts';

const GWEI = 9;
const MAX_SERVER_MESSAGE_CHARS = 300;

export function formatTransactionStatus({ status }: Pick<Transaction, 'status'>, l10n: Localizer): string {
  const labels = {
    success: l10n.t('Success'),
    failed: l10n.t('Failed'),
    pending: l10n.t('Pending'),
    unknown: l10n.t('Status unknown'),
  };
  return labels[status];
}

export function formatCoin(wei: bigint, { decimals, symbol }: Pick<Network, 'decimals' | 'symbol'>): string {
  return `${formatUnitsGrouped(wei, decimals)} ${symbol}`;
}

export function formatNamedAddress(address: Address, { nameOf }: Pick<MeaningFormat, 'nameOf'>): string {
  const name = nameOf(address);
  const checksummed = toChecksumAddress(address);
  return name === undefined ? checksummed : `${name} (${checksummed})`;
}

/** The fee, with its parts if there are any. */
export function formatFee(
  { fee, gasUsed, gasPrice }: Pick<Transaction, 'fee' | 'gasPrice' | 'gasUsed'>,
  { network, format, unitsOf }: FeeContext,
): string | undefined {
  if (!fee) return undefined;
  const { l10n } = format;
  const { token, total, l1, blobs, execution } = fee;
  if (token === 'unknown') return l10n.t('unknown, may be paid in a token');
  const gas =
    gasUsed === undefined || gasPrice === undefined
      ? undefined
      : token === undefined
        ? l10n.t('{0} gas at {1} gwei', groupDigits(gasUsed), formatUnitsGrouped(gasPrice, GWEI))
        : l10n.t('{0} gas', groupDigits(gasUsed));
  const parts = [
    gas,
    l1 === undefined ? undefined : l10n.t('{0} for data on L1', formatCoin(l1, network)),
    blobs === undefined ? undefined : l10n.t('{0} for blobs', formatCoin(blobs, network)),
  ].filter((part) => part !== undefined);
  const formatPaid = (amount: bigint) =>
    token === undefined
      ? formatCoin(amount, network)
      : formatTokenFee(amount, { token, format, units: unitsOf?.(token) });
  const knownPart = total ?? execution;
  const sum =
    total !== undefined
      ? formatPaid(total)
      : knownPart !== undefined
        ? l10n.t('{0} plus an unknown part', formatPaid(knownPart))
        : token === undefined
          ? l10n.t('unknown')
          : l10n.t('unknown amount of the token {0}', formatNamedAddress(token, format));
  return parts.length === 0 ? sum : `${sum} (${parts.join(', ')})`;
}

interface FeeContext {
  readonly network: Network;
  readonly format: Pick<MeaningFormat, 'l10n' | 'nameOf'>;
  readonly unitsOf?: TransactionParts['unitsOf'];
}

function formatTokenFee(
  amount: bigint,
  {
    token,
    format,
    units,
  }: {
    readonly token: Address;
    readonly format: FeeContext['format'];
    readonly units: TokenUnits | undefined;
  },
): string {
  const { l10n } = format;
  const named = formatNamedAddress(token, format);
  return units
    ? l10n.t('{0} of the token {1}', formatAmount(amount, units), named)
    : l10n.t('{0} in the smallest unit of the token {1}', groupDigits(amount), named);
}

/** Names of the types of EIP-2718, by number. */
function formatTransactionType(type: number, l10n: Localizer): string {
  const names = [
    l10n.t('legacy'),
    l10n.t('access list'),
    l10n.t('fee market'),
    l10n.t('blobs'),
    l10n.t('set code, EIP-7702'),
  ];
  const name = names[type];
  return name === undefined ? String(type) : `${type} (${name})`;
}

export function formatTransactionTime(time: number | undefined, l10n: Localizer): string {
  return formatIsoTime(time) ?? l10n.t('unknown');
}

/** The provider, its methods and the time. */
function formatHashOrigin({ source, methods, readAt }: HashResult, l10n: Localizer): string {
  return l10n.t('{0} at {1}, by {2}', source.origin, formatIsoTime(readAt) ?? '', methods.join(', '));
}

function formatServerMessage(message: string): string {
  return sanitizeText(message, MAX_SERVER_MESSAGE_CHARS);
}

/** With a capital letter, for the start of a line. */
export function capitalize(text: string): string {
  return `${text.slice(0, 1).toLocaleUpperCase()}${text.slice(1)}`;
}

/** Why a transaction failed, unless its revert data explains it. */
export function formatTransactionFailure(
  failure: TransactionFailure,
  { hasMeaning }: { readonly hasMeaning: boolean },
  l10n: Localizer,
): string | undefined {
  switch (failure.state) {
    case 'passed':
      return l10n.t(
        'The same call succeeds on the state before its block. Earlier transactions in the block made it fail.',
      );
    case 'notOffered':
      return l10n.t('Reason unknown: the endpoint does not support eth_call.');
    case 'refused':
      return l10n.t(
        'Reason unknown: the endpoint refused to replay the call. {0}',
        formatServerMessage(failure.message),
      );
    case 'told': {
      if (hasMeaning) return undefined;
      const { data, message } = failure;
      const said = message
        ? capitalize(formatServerError(message, MAX_SERVER_MESSAGE_CHARS, l10n))
        : undefined;
      if (data === '0x' && (said === undefined || /^(?:execution )?reverted$/i.test(said))) {
        return l10n.t('Reverted without a reason.');
      }
      if (data !== undefined && data !== '0x') return l10n.t('No known error matches the data: {0}', data);
      return said ?? l10n.t('It failed without a reason.');
    }
  }
}

/** How the reason was determined. */
function formatReplay(
  failure: TransactionFailure,
  block: bigint | undefined,
  l10n: Localizer,
): string | undefined {
  if (failure.state !== 'told' || block === undefined) return undefined;
  if (failure.by === 'explorer') return l10n.t('As recorded by the explorer.');
  const before = groupDigits(block - 1n);
  return l10n.t('Replayed at block {0}; earlier transactions in the same block are not applied.', before);
}

function formatCutData(failure: TransactionFailure, l10n: Localizer): string | undefined {
  if (failure.state !== 'told' || !failure.isCut) return undefined;
  return l10n.t('Only the beginning of the revert data is available.');
}

interface MovementContext {
  readonly network: Network;
  readonly format: MeaningFormat;
  readonly unitsOf: UnitsOf;
}

/** The movements by asset, with the net change of each address. */
function createMovementLines(
  movements: readonly Movement[],
  { network, format, unitsOf }: MovementContext,
): readonly TextLine[] {
  const lines: TextLine[] = [];
  const { l10n } = format;
  for (const [, ofAsset] of byAsset(movements)) {
    const [first] = ofAsset;
    if (!first) continue;
    const units = first.token && first.standard === 'erc20' ? unitsOf(first.token) : undefined;
    lines.push({ level: 1, text: formatAsset(first, { network, wording: format, units }) });
    for (const movement of ofAsset) {
      const amount = (value: bigint) => formatMovedAmount(value, movement, { network, units });
      const net = getNetAmount(movement);
      const sign = net > 0n ? '+' : net < 0n ? '−' : '';
      const { received, sent } = movement;
      const both = received > 0n && sent > 0n;
      const parts = both ? ` (${l10n.t('in {0}, out {1}', amount(received), amount(sent))})` : '';
      const change = `${sign}${amount(net < 0n ? -net : net)}${parts}`;
      const text = `${change} · ${formatParty(movement, format)}`;
      lines.push({ level: 2, text });
    }
  }
  return lines;
}

/** Both readings of each transfer whose contract does not tell the standard. */
function createUnclearLines(
  transfers: readonly UnclearTransfer[],
  format: MeaningFormat,
): readonly TextLine[] {
  const { l10n } = format;
  return transfers.flatMap(({ token, from, to, value }): readonly TextLine[] => [
    { level: 1, text: formatNamedAddress(token, format) },
    {
      level: 2,
      text: l10n.t(
        '{0} → {1}: amount {2} (ERC-20) or token #{3} (ERC-721). The contract does not report which.',
        formatNamedAddress(from, format),
        formatNamedAddress(to, format),
        groupDigits(value),
        value.toString(),
      ),
    },
  ]);
}

function byAsset(movements: readonly Movement[]): ReadonlyMap<string, readonly Movement[]> {
  const assets = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = `${movement.token} ${movement.tokenId} ${movement.lastTokenId}`;
    const knownPart = assets.get(key);
    if (knownPart) knownPart.push(movement);
    else assets.set(key, [movement]);
  }
  return assets;
}

const standards = { native: '', erc20: 'ERC-20', erc721: 'ERC-721', erc1155: 'ERC-1155' } as const;

function formatAsset(
  { token, standard, tokenId, lastTokenId }: Movement,
  {
    network,
    wording,
    units,
  }: { readonly network: Network; readonly wording: MeaningFormat; readonly units: TokenUnits | undefined },
): string {
  if (token === undefined) return wording.l10n.t('{0}, sent with the transaction', network.symbol);
  const last = lastTokenId === undefined ? '' : ` – #${lastTokenId}`;
  const id = tokenId === undefined ? '' : ` #${tokenId}${last}`;
  const symbol = units?.symbol === undefined ? '' : `${units.symbol} · `;
  return `${symbol}${formatNamedAddress(token, wording)}${id} · ${standards[standard]}`;
}

function formatParty(movement: Movement, wording: MeaningFormat): string {
  if (!isSupply(movement)) return formatNamedAddress(movement.address, wording);
  return formatSupply(getNetAmount(movement), wording.l10n);
}

/** For the zero address. */
function formatSupply(net: bigint, l10n: Localizer): string {
  return net < 0n ? l10n.t('minted') : net > 0n ? l10n.t('burned') : l10n.t('minted and burned');
}

function formatMovedAmount(
  value: bigint,
  { token }: Movement,
  { network, units }: { readonly network: Network; readonly units: TokenUnits | undefined },
): string {
  if (token === undefined) return `${formatUnitsGrouped(value, network.decimals)} ${network.symbol}`;
  return units ? formatAmount(value, units) : groupDigits(value);
}

interface OtherHash {
  readonly hash: Hex;
  readonly network: Network;
  readonly answer: Exclude<HashResult, { kind: 'transaction' }>;
  readonly known: KnownHash;
  /** Of the hash as hex, for one that is nothing on the network. */
  readonly meanings: readonly HexMeaning[];
  readonly wording: MeaningFormat;
}

/** For the hash of a block, or of nothing. */
export function createOtherHashDocument({
  hash,
  network,
  answer,
  known: knownPart,
  meanings,
  wording,
}: OtherHash): readonly TextLine[] {
  const { l10n } = wording;
  const isNothing =
    answer.kind === 'unknown' && knownPart.events.length === 0 && knownPart.constant === undefined;
  const title = isNothing
    ? l10n.t('{0} was not found on {1}', hash, network.name)
    : l10n.t('{0} is not a transaction on {1}', hash, network.name);
  const lines: TextLine[] = [
    { level: 0, text: title, style: 'heading' },
    { level: 0, text: '' },
  ];
  if (answer.kind === 'block') {
    const block = groupDigits(answer.block);
    lines.push({
      level: 0,
      text: l10n.t('Hash of block {0}, {1}', block, formatTransactionTime(answer.time, l10n)),
    });
  }
  if (knownPart.constant !== undefined) lines.push({ level: 0, text: knownPart.constant });
  const shown = isNothing ? meanings : knownPart.events;
  for (const meaning of shown) writeMeaning(meaning, { lines, format: wording, level: 0 });
  lines.push({ level: 0, text: l10n.t('Source: {0}', formatHashOrigin(answer, l10n)) });
  return lines;
}

export interface TransactionParts extends Omit<FoundHash, 'client'> {
  readonly explained: ExplainedTransaction;
  readonly format: MeaningFormat;
  /** Undefined if there was nothing to search for. */
  readonly places: readonly RevertPlace[] | undefined;
  /** The URI of a file of the workspace. */
  readonly uriOf: (file: string) => string | undefined;
  readonly unitsOf: UnitsOf;
  /** Undefined if the calls were not requested. */
  readonly trace?: TransactionTrace | undefined;
}

/** Alternative meanings of the same bytes. */
const MAX_OTHER_MEANINGS = 4;
/** A log panel has the others. */
const MAX_LOGS = 500;

/** The document of a transaction: what happened, why it failed, facts, call, movements, logs, calls, details. */
export function createTransactionDocument(given: TransactionParts): readonly TextLine[] {
  const parts = { ...given, format: { ...given.format, unitsOf: given.unitsOf } };
  const { explained, network, format } = parts;
  const { l10n } = format;
  const title = l10n.t('Transaction {0} on {1}', explained.transaction.hash, network.name);
  const sections = [
    failure(parts),
    facts(parts),
    call(parts),
    movements(parts),
    logs(parts),
    calls(parts),
    details(parts),
  ];
  const lines: TextLine[] = [createSummaryLine(parts), { level: 0, text: title, style: 'muted' }];
  for (const section of sections)
    if (section.length > 0) pushAll(lines, [{ level: 0, text: '' }, ...section]);
  return lines;
}

function calls({ trace, network, format, uriOf }: TransactionParts): readonly TextLine[] {
  return trace ? createTraceLines(trace, { format, coin: network, uriOf }) : [];
}

const MAX_SUMMARY_CHARS = 400;
const STATUS_STYLES = {
  success: 'success',
  failed: 'failure',
  pending: 'heading',
  unknown: 'heading',
} as const;

/** What happened, in one sentence, with a link to the line that failed. */
function createSummaryLine({
  explained,
  network,
  format,
  unitsOf,
  uriOf,
  trace,
}: TransactionParts): TextLine {
  const names = { nameOf: format.nameOf, unitsOf, coin: network };
  const text = localize(summarizeTransaction(explained, names, trace), format.l10n);
  const failedAt = trace?.state === 'told' ? trace.failedAt : undefined;
  const file = failedAt?.certain ? uriOf(failedAt.file) : undefined;
  return {
    ...{ level: 0, text: sanitizeText(text, MAX_SUMMARY_CHARS) },
    style: STATUS_STYLES[explained.transaction.status],
    ...(failedAt?.certain && file !== undefined && { place: { file, line: failedAt.line - 1 } }),
  };
}

/** Where it is, and who sent it to whom. */
function facts({ explained, network, format }: TransactionParts): readonly TextLine[] {
  const { transaction } = explained;
  const { l10n } = format;
  const { block, position, created } = transaction;
  const place =
    block === undefined
      ? undefined
      : position === undefined
        ? groupDigits(block)
        : l10n.t('{0}, index {1}', groupDigits(block), position);
  const fields: readonly Field[] = [
    [l10n.t('Status'), formatTransactionStatus(transaction, l10n)],
    [l10n.t('Block'), place, block],
    [l10n.t('Time'), block === undefined ? undefined : formatTransactionTime(transaction.time, l10n)],
    [l10n.t('From'), formatNamedAddress(transaction.from, format)],
    [l10n.t('To'), transaction.to && formatNamedAddress(transaction.to, format)],
    [
      transaction.status === 'failed' ? l10n.t('Contract (not created)') : l10n.t('Created contract'),
      created && formatNamedAddress(created, format),
    ],
    [l10n.t('Value'), formatCoin(transaction.value, network)],
  ];
  return createFieldLines(fields, format).map((line, index) =>
    index === 0 ? { ...line, style: STATUS_STYLES[transaction.status] } : line,
  );
}

/** What the transaction cost, and how it was sent and read. */
function details({ explained, network, format, result, unitsOf }: TransactionParts): readonly TextLine[] {
  const { transaction } = explained;
  const { l10n } = format;
  const { gasUsed, gasLimit, nonce, type, authorizations } = transaction;
  const gas =
    gasLimit === undefined
      ? undefined
      : gasUsed === undefined
        ? l10n.t('limit {0}', groupDigits(gasLimit))
        : l10n.t('{0} of {1}', groupDigits(gasUsed), groupDigits(gasLimit));
  const fields: readonly Field[] = [
    [l10n.t('Fee'), formatFee(transaction, { network, format, unitsOf })],
    [l10n.t('Gas'), gas],
    [l10n.t('Nonce'), nonce?.toString()],
    [l10n.t('Type'), type === undefined ? undefined : formatTransactionType(type, l10n)],
    [l10n.t('Authorizations'), authorizations?.toString()],
    [l10n.t('Source'), formatHashOrigin(result, l10n)],
  ];
  return createFieldLines(fields, format);
}

/** A name with its value, and the block that it links to. */
type Field = readonly [string, string | undefined, (bigint | undefined)?];

function createFieldLines(
  fields: readonly Field[],
  { l10n }: Pick<MeaningFormat, 'l10n'>,
): readonly TextLine[] {
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

/** What a click on a block number runs. */
export function createBlockCommand(block: bigint, l10n: Localizer): TextLine['command'] {
  return { id: 'chainside.showBlock', title: l10n.t('Show Block'), argument: block.toString() };
}

function failure(parts: TransactionParts): readonly TextLine[] {
  const lines = listFailure(parts);
  if (lines.length === 0) return [];
  const { l10n } = parts.format;
  const { hash } = parts.explained.transaction;
  const toLink = (at: 'own' | 'latest', text: string): TextLine => ({
    ...{
      level: 1,
      text,
      command: { id: 'chainside.simulateTransaction', title: text, argument: { hash, at } },
    },
  });
  return [
    ...lines,
    toLink('own', l10n.t('Simulate it again at its block')),
    toLink('latest', l10n.t('Simulate it again at the latest block')),
  ];
}

function listFailure({ explained, format, places, uriOf, trace }: TransactionParts): readonly TextLine[] {
  const { transaction, revert } = explained;
  if (!transaction.failure) return [];
  const { l10n } = format;
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Why it failed'), style: 'heading' }];
  const meanings = preferFitting(revert);
  for (const meaning of meanings) writeMeaning(meaning, { lines, format, level: 1 });
  const texts = [
    formatTransactionFailure(transaction.failure, { hasMeaning: meanings.length > 0 }, l10n),
    formatCutData(transaction.failure, l10n),
    formatReplay(transaction.failure, transaction.block, l10n),
  ];
  for (const text of texts) if (text !== undefined) lines.push({ level: 1, text });
  const failedAt = trace?.state === 'told' ? createFailedAtLines(trace, { format, uriOf }) : [];
  if (failedAt.length > 0) return [...lines, ...failedAt];
  if (!places || places.length === 0) return lines;
  lines.push({ level: 1, text: l10n.t('It may have reverted at') });
  for (const { file, line } of places) {
    const uri = uriOf(file);
    const place = uri === undefined ? undefined : { file: uri, line: line - 1 };
    lines.push({ level: 2, text: `${file}:${line}`, place });
  }
  return lines;
}

function call({ explained, format, unitsOf }: TransactionParts): readonly TextLine[] {
  const { l10n } = format;
  const { input, to } = explained.transaction;
  if (input === '0x') return [];
  const bytes = (input.length - 2) / 2;
  if (to === undefined) {
    return [
      { level: 0, text: l10n.t('Creation code'), style: 'heading' },
      { level: 1, text: l10n.t('{0} bytes', groupDigits(bytes)) },
    ];
  }
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Call'), style: 'heading' }];
  const meanings = preferFitting(explained.call);
  const units = unitsOf(to);
  for (const meaning of meanings)
    writeMeaning(resolveLikelyWords(meaning), { lines, format, level: 1, units });
  if (meanings.length > 0) return lines;
  lines.push({
    level: 1,
    text: l10n.t('No known function matches the {0}-byte input: {1}', groupDigits(bytes), input),
  });
  const { attribution } = explained;
  if (attribution) lines.push({ level: 1, text: formatAttribution(attribution, l10n) });
  return lines;
}

/** Meanings that do not fit the data count only if none fits. */
function preferFitting(meanings: ExplainedTransaction['call']): ExplainedTransaction['call'] {
  const fitting = meanings.filter((meaning) => !('reason' in meaning));
  return (fitting.length > 0 ? fitting : meanings).slice(0, MAX_OTHER_MEANINGS);
}

function movements({ explained, network, format, unitsOf }: TransactionParts): readonly TextLine[] {
  const { list, unclear = [], isCut } = explained.movements;
  if (list.length + unclear.length === 0) return [];
  const { l10n } = format;
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Balance changes'), style: 'heading' }];
  pushAll(lines, createMovementLines(list, { network, format, unitsOf }));
  pushAll(lines, createUnclearLines(unclear, format));
  if (isCut) lines.push({ level: 1, text: l10n.t('Some transfers are not shown.') });
  return lines;
}

function logs({ explained, format }: TransactionParts): readonly TextLine[] {
  const { l10n } = format;
  const { logs: all, isCut, block } = explained.transaction;
  if (all === undefined) return [{ level: 0, text: l10n.t('Logs are not available.') }];
  if (all.length === 0) return block === undefined ? [] : [{ level: 0, text: l10n.t('No logs') }];
  const lines: TextLine[] = [
    { level: 0, text: l10n.t('Logs: {0}', groupDigits(all.length)), style: 'heading' },
  ];
  for (const [place, log] of all.slice(0, MAX_LOGS).entries()) {
    const decoded = explained.logs[place];
    if (decoded) writeLog(log, decoded, { lines, format, level: 1 });
  }
  if (isCut || all.length > MAX_LOGS) lines.push({ level: 1, text: l10n.t('Some logs are not shown.') });
  return lines;
}
