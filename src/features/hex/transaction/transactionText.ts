import {
  type Address,
  type ExplainedTransaction,
  groupDigits,
  type RevertPlace,
  type TokenUnits,
} from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import { writeLog } from '../decode/logText.ts';
import { writeMeaning } from '../decode/meaningText.ts';
import { withLikelyWords } from '../words/likelyWords.ts';
import type { Wording } from '../words/wording.ts';
import {
  addressWords,
  coinWords,
  feeWords,
  sourceWords,
  statusWords,
  timeWords,
  typeWords,
} from './factWords.ts';
import { cutWords, failureWords, replayWords } from './failureWords.ts';
import { movementLines } from './movementLines.ts';
import type { FoundHash } from './transactionReader.ts';

export interface TransactionParts extends Omit<FoundHash, 'client'> {
  readonly explained: ExplainedTransaction;
  readonly wording: Wording;
  /** Undefined where nothing was looked for. */
  readonly places: readonly RevertPlace[] | undefined;
  /** A file of the workspace, as a URI. */
  readonly uriOf: (file: string) => string | undefined;
  readonly unitsOf: (token: Address) => TokenUnits | undefined;
}

/** Other meanings of the same bytes that are shown. */
const MOST_MEANINGS = 4;
/** Logs that are written out; all the others are in a log panel. */
const MOST_LOGS = 500;

/** A transaction as a document: facts, why it failed, call, movements, logs. */
export function transactionText(parts: TransactionParts): readonly TextLine[] {
  const { explained, network, wording } = parts;
  const { l10n } = wording;
  const title = l10n.t('Transaction {0} on {1}', explained.transaction.hash, network.name);
  const sections = [facts(parts), failure(parts), call(parts), movements(parts), logs(parts)];
  const lines: TextLine[] = [{ level: 0, text: title }];
  for (const section of sections) if (section.length > 0) lines.push({ level: 0, text: '' }, ...section);
  return lines;
}

function facts({ explained, network, wording, answer }: TransactionParts): readonly TextLine[] {
  const { transaction } = explained;
  const { l10n } = wording;
  const { block, position, created, gasUsed, gasLimit, nonce, type, authorizations } = transaction;
  const place =
    block === undefined
      ? undefined
      : position === undefined
        ? groupDigits(block)
        : l10n.t('{0}, position {1}', groupDigits(block), position);
  const gas =
    gasLimit === undefined
      ? undefined
      : gasUsed === undefined
        ? l10n.t('limit {0}', groupDigits(gasLimit))
        : l10n.t('{0} of {1}', groupDigits(gasUsed), groupDigits(gasLimit));
  const fields: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Status'), statusWords(transaction, l10n)],
    [l10n.t('Block'), place],
    [l10n.t('Time'), block === undefined ? undefined : timeWords(transaction.time, l10n)],
    [l10n.t('From'), addressWords(transaction.from, wording)],
    [l10n.t('To'), transaction.to && addressWords(transaction.to, wording)],
    [
      transaction.status === 'failed' ? l10n.t('Contract, not created') : l10n.t('Created contract'),
      created && addressWords(created, wording),
    ],
    [l10n.t('Value'), coinWords(transaction.value, network)],
    [l10n.t('Fee'), feeWords(transaction, network, l10n)],
    [l10n.t('Gas'), gas],
    [l10n.t('Nonce'), nonce?.toString()],
    [l10n.t('Type'), type === undefined ? undefined : typeWords(type, l10n)],
    [l10n.t('Authorizations'), authorizations?.toString()],
    [l10n.t('Told by'), sourceWords(answer, l10n)],
  ];
  return fields.flatMap(([name, value]) =>
    value === undefined ? [] : [{ level: 0, text: l10n.t('{0}: {1}', name, value) }],
  );
}

function failure({ explained, wording, places, uriOf }: TransactionParts): readonly TextLine[] {
  const { transaction, revert } = explained;
  if (!transaction.failure) return [];
  const { l10n } = wording;
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Why it failed') }];
  const meanings = fittingFirst(revert);
  for (const meaning of meanings) writeMeaning(meaning, { lines, wording, level: 1 });
  const words = [
    failureWords(transaction.failure, { hasMeaning: meanings.length > 0 }, l10n),
    cutWords(transaction.failure, l10n),
    replayWords(transaction.failure, transaction.block, l10n),
  ];
  for (const text of words) if (text !== undefined) lines.push({ level: 1, text });
  if (!places || places.length === 0) return lines;
  lines.push({ level: 1, text: l10n.t('It may have reverted at') });
  for (const { file, line } of places) {
    const uri = uriOf(file);
    const place = uri === undefined ? undefined : { file: uri, line: line - 1 };
    lines.push({ level: 2, text: `${file}:${line}`, place });
  }
  return lines;
}

function call({ explained, wording }: TransactionParts): readonly TextLine[] {
  const { l10n } = wording;
  const { input, to } = explained.transaction;
  if (input === '0x') return [];
  const bytes = (input.length - 2) / 2;
  if (to === undefined) {
    return [
      { level: 0, text: l10n.t('Creation code') },
      { level: 1, text: l10n.t('{0} bytes', bytes) },
    ];
  }
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Call') }];
  const meanings = fittingFirst(explained.call);
  for (const meaning of meanings) writeMeaning(withLikelyWords(meaning), { lines, wording, level: 1 });
  if (meanings.length > 0) return lines;
  const words = l10n.t('No known function matches the input of {0} bytes: {1}', bytes, input);
  return [...lines, { level: 1, text: words }];
}

/** Of those that do not fit none is shown where another one does. */
function fittingFirst(meanings: ExplainedTransaction['call']): ExplainedTransaction['call'] {
  const fitting = meanings.filter((meaning) => !('reason' in meaning));
  return (fitting.length > 0 ? fitting : meanings).slice(0, MOST_MEANINGS);
}

function movements({ explained, network, wording, unitsOf }: TransactionParts): readonly TextLine[] {
  const { list, isCut } = explained.movements;
  if (list.length === 0) return [];
  const { l10n } = wording;
  const lines: TextLine[] = [
    { level: 0, text: l10n.t('Moved, by the transaction itself and by the transfers in its logs') },
  ];
  lines.push(...movementLines(list, { network, wording, unitsOf }));
  if (isCut) lines.push({ level: 1, text: l10n.t('More moved than is shown.') });
  return lines;
}

function logs({ explained, wording }: TransactionParts): readonly TextLine[] {
  const { l10n } = wording;
  const { logs: all, isCut, block } = explained.transaction;
  if (all === undefined) return [{ level: 0, text: l10n.t('Its logs are not known.') }];
  if (all.length === 0) return block === undefined ? [] : [{ level: 0, text: l10n.t('No logs') }];
  const lines: TextLine[] = [{ level: 0, text: l10n.t('Logs: {0}', groupDigits(all.length)) }];
  for (const [place, log] of all.slice(0, MOST_LOGS).entries()) {
    const decoded = explained.logs[place];
    if (decoded) writeLog(log, decoded, { lines, wording, level: 1 });
  }
  if (isCut || all.length > MOST_LOGS)
    lines.push({ level: 1, text: l10n.t('There are more logs than are shown.') });
  return lines;
}
