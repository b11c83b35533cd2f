import { PART_GAP, type SentencePart } from '../../../messaging/sentence.ts';
import { CELL_PADDING_PX, measureProse } from './columnWidths.ts';
import { layOutSentence, type MeasuredPart, shortenAmount } from './sentenceCuts.ts';

export interface SentenceProps {
  readonly parts: readonly SentencePart[];
  /** Of its cell, in pixels. */
  readonly width: number;
}

/** A sentence that fits its cell. What is hidden is still its text. */
export function Sentence({ parts, width }: SentenceProps) {
  const { cuts, widths } = layOutSentence(parts.map(measurePart), width - CELL_PADDING_PX);
  return (
    <span class={`sentence ${cuts.join(' ')}`}>
      {parts.map(({ kind, label, text }, index) => (
        <span
          key={index}
          class={kind === 'amount' ? 'amount end' : kind}
          style={{ width: widths[index] === undefined ? '' : `${widths[index]}px` }}
        >
          {index > 0 && PART_GAP}
          {label !== '' && <span class="part-label">{`${label} `}</span>}
          {kind === 'amount' ? <span data-short={shortenAmount(text)}>{text}</span> : text}
        </span>
      ))}
    </span>
  );
}

function measurePart({ kind, label, text }: SentencePart, index: number): MeasuredPart {
  const labelWidth = label === '' ? 0 : measureProse(`${label} `);
  const gapWidth = index > 0 ? measureProse(PART_GAP) : 0;
  // A pixel for rounding.
  const textWidth = measureProse(text);
  const short = kind === 'amount' ? shortenAmount(text) : undefined;
  const savedWidth = short === undefined ? 0 : textWidth - measureProse(short);
  return { kind, width: gapWidth + labelWidth + textWidth + 1, labelWidth, savedWidth };
}
