import {
  type DecodedLog,
  formatAbiItem,
  formatUndecodedReason,
  isHashed,
  toChecksumAddress,
} from '../../../core/index.ts';
import { originWords } from '../../../host/words/originWords.ts';
import type { LogItem } from './logItems.ts';
import { nameOf, type Writing, writeValue } from './meaningText.ts';

/** A log by its event, or why it stays raw. */
export function writeLog(log: LogItem, decoded: DecodedLog, to: Writing): void {
  const { lines, wording, level } = to;
  const { l10n } = wording;
  const emitter = log.address && [wording.nameOf(log.address), toChecksumAddress(log.address)];
  const by = emitter?.filter((words) => words !== undefined).join(' ');
  lines.push({ level, text: by === undefined ? l10n.t('Log') : l10n.t('Log of {0}', by) });
  if ('reason' in decoded) {
    lines.push({ level: level + 1, text: formatUndecodedReason(decoded.reason) });
    return;
  }
  const { event, values, origin, others } = decoded;
  lines.push({ level: level + 1, text: formatAbiItem(event) });
  const from = l10n.t('Known from: {0}', originWords(origin, l10n));
  lines.push({ level: level + 2, text: from, place: wording.placeOf(origin) });
  for (const [index, input] of event.inputs.entries()) {
    const inner = { ...to, level: level + 2 };
    const name = nameOf(input, index);
    const value = values[index] ?? '';
    if (isHashed(input)) {
      const words = l10n.t('only its hash is in the log: {0}', String(value));
      lines.push({ level: level + 2, text: `${name} ${input.type.text}, ${words}` });
    } else writeValue({ ...input, name, value }, inner);
  }
  for (const other of others) {
    const words = l10n.t('may also be {0} ({1})', formatAbiItem(other.item), originWords(other.origin, l10n));
    lines.push({ level: level + 2, text: words });
  }
}
