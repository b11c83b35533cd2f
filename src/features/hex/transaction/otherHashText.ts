import { groupDigits, type HashResult, type Hex, type KnownHash, type Network } from '../../../core/index.ts';
import type { TextLine } from '../../../host/surface/readOnlyText.ts';
import { writeMeaning } from '../decode/meaningText.ts';
import type { Wording } from '../words/wording.ts';
import { sourceWords, timeWords } from './factWords.ts';

interface OtherHash {
  readonly hash: Hex;
  readonly network: Network;
  readonly answer: Exclude<HashResult, { kind: 'transaction' }>;
  readonly known: KnownHash;
  readonly wording: Wording;
}

/** What a hash is that is no transaction, and what was asked. */
export function otherHashText({ hash, network, answer, known, wording }: OtherHash): readonly TextLine[] {
  const { l10n } = wording;
  const isNothing = answer.kind === 'unknown' && known.events.length === 0 && known.constant === undefined;
  const title = isNothing
    ? l10n.t('{0} is not known on {1}', hash, network.name)
    : l10n.t('{0} is no transaction on {1}', hash, network.name);
  const lines: TextLine[] = [
    { level: 0, text: title },
    { level: 0, text: '' },
  ];
  if (answer.kind === 'block') {
    const block = groupDigits(answer.block);
    lines.push({
      level: 0,
      text: l10n.t('The hash of block {0}, of {1}', block, timeWords(answer.time, l10n)),
    });
  }
  if (known.constant !== undefined) lines.push({ level: 0, text: known.constant });
  for (const meaning of known.events) writeMeaning(meaning, { lines, wording, level: 0 });
  lines.push({ level: 0, text: l10n.t('Asked: {0}', sourceWords(answer, l10n)) });
  return lines;
}
