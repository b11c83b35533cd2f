import assert from 'node:assert/strict';
import type { AbiEvent } from '../../../../../src/core/index.ts';
import { createEventSentence, type ValueFormat } from '../../../../../src/features/logs/decoded/cells.ts';
import { cutSentence, joinSentence, type SentencePart } from '../../../../../src/messaging/sentence.ts';
import {
  chooseCuts,
  layOutSentence,
  type MeasuredPart,
  shortenAmount,
} from '../../../../../src/webview/kit/grid/sentenceCuts.ts';
import { shopOrigin } from '../../../../support/decodingStubs.ts';
import { eventOf } from '../../../../support/eventLogs.ts';
import { createValue, eventShapes, LONG_TEXT } from '../../../../support/eventShapes.ts';
import { l10n } from '../../../../support/stubs.ts';

const format: ValueFormat = {
  l10n,
  nameOf: (address) =>
    ({ '0x1': 'Treasury', '0x2': 'Bob', '0x3': 'Operations Multisig' })[address.slice(0, 3)],
  unitsOf: () => ({ symbol: 'HUSD', decimals: 6 }),
  timeOf: () => ({ text: '' }),
};

function sentenceOf(event: AbiEvent): readonly SentencePart[] {
  const values = event.inputs.map(({ type }, index) => createValue(type, index + 1));
  return createEventSentence(
    { event, values, origin: shopOrigin } as unknown as Parameters<typeof createEventSentence>[0],
    '0x5fbdb2315678afecb367f032d93f642f64180aa3',
    format,
  );
}

/** Of a panel of 460 pixels, without block number and padding; a character of the window's font has 6.4 on average. */
const AVAILABLE_PX = 370;
const PX_PER_CHAR = 6.4;

function measure({ kind, label, text }: SentencePart, index: number): MeasuredPart {
  const labelWidth = label === '' ? 0 : (label.length + 1) * PX_PER_CHAR;
  const short = kind === 'amount' ? shortenAmount(text) : undefined;
  const savedWidth = short === undefined ? 0 : (text.length - short.length) * PX_PER_CHAR;
  return {
    kind,
    labelWidth,
    savedWidth,
    width: labelWidth + (text.length + (index > 0 ? 2 : 0)) * PX_PER_CHAR,
  };
}

describe('sentences of events in a panel of 460 pixels', () => {
  it('are measured over 50 kinds of events', () => {
    assert.ok(eventShapes.length >= 50);
    assert.equal(new Set(eventShapes).size, eventShapes.length);
  });

  for (const declaration of eventShapes) {
    const event = eventOf(`event ${declaration}`);
    const parts = sentenceOf(event);
    const measured = parts.map(measure);
    const cuts = chooseCuts(measured, AVAILABLE_PX);
    const sum = (kind: SentencePart['kind'], of: (part: MeasuredPart) => number) =>
      measured.filter((part) => part.kind === kind).reduce((all, part) => all + of(part), 0);

    it(`cut text before amounts: ${declaration}`, () => {
      const amounts = sum('amount', ({ width, labelWidth, savedWidth }) => width - labelWidth - savedWidth);
      const least =
        sum('fact', ({ width, labelWidth }) => Math.min(width - labelWidth, 42)) +
        sum('list', ({ width }) => Math.min(width, 60)) +
        sum('text', ({ width }) => Math.min(width, 22));
      // Amounts are whole, unless they and the least of all else are wider than the view.
      assert.equal(cuts.includes('cut-amounts'), amounts + least > AVAILABLE_PX);
      const all = measured.reduce((width, part) => width + part.width, 0);
      assert.equal(cuts.length > 0, all > AVAILABLE_PX);
      // Facts are whole where giving up text, lists and labels suffices.
      const facts = sum('fact', ({ width, labelWidth }) => width - labelWidth);
      const whole = sum('amount', ({ width, labelWidth }) => width - labelWidth);
      if (facts + whole + sum('list', () => 60) + sum('text', () => 24) <= AVAILABLE_PX)
        assert.ok(!cuts.includes('cut-facts'), cuts.join());
      // What a layout gives the parts fits the view; text gets what is left.
      const { widths } = layOutSentence(measured, AVAILABLE_PX);
      if (cuts.length === 0) assert.ok(widths.every((width) => width === undefined));
      const isCut = (kind: SentencePart['kind']) =>
        parts.some((part, index) => part.kind === kind && widths[index] !== undefined);
      assert.equal(isCut('amount'), cuts.includes('cut-amounts'));
      const texts = parts.filter(({ text }) => text.includes(LONG_TEXT) || text.startsWith('0x'));
      assert.ok(texts.every(({ kind }) => kind !== 'amount'));
    });
  }

  it('have whole amounts in all but the few that have more amounts than room', () => {
    const cut = eventShapes.filter((declaration) =>
      chooseCuts(sentenceOf(eventOf(`event ${declaration}`)).map(measure), AVAILABLE_PX).includes(
        'cut-amounts',
      ),
    );
    const names = cut.map((declaration) => declaration.slice(0, declaration.indexOf('(')));
    const withManyValues = ['Swap', 'Swap', 'LiquidationCall', 'ProposalCreated'];
    assert.deepEqual(names, [...withManyValues, 'UserOperationEvent']);
    assert.ok(cut.every((declaration) => eventOf(`event ${declaration}`).inputs.length > 5));
  });

  it('have long amounts in few characters before any is cut', () => {
    for (const [text, short] of [
      ['1,234,567,890,123,456,789', '1.2345…e18'],
      ['-1,234,567,890,123', '-1.2345…e12'],
      ['123,456,789', undefined],
      ['1,234,567.89123456… HUSD', '1,234,567.89… HUSD'],
      ['1,250.00 HUSD', undefined],
      ['1.2e26', undefined],
    ] as const)
      assert.equal(shortenAmount(text), short, text);
    const raw = (text: string): SentencePart => ({ kind: 'amount', label: 'assets', text });
    const [name] = sentenceOf(eventOf(`event ${eventShapes[8]}`));
    const who: SentencePart = { kind: 'fact', label: 'owner', text: '0x2222…2222' };
    const long = '1,234,567,890,123,456,789';
    const parts = [name ?? assert.fail(), who, who, raw(long), raw(long)];
    const cuts = chooseCuts(parts.map(measure), AVAILABLE_PX);
    assert.ok(cuts.includes('short-amounts') && !cuts.includes('cut-amounts'), cuts.join());
  });

  it('name who, what and how much, and are whole in their text', () => {
    const parts = sentenceOf(eventOf(`event ${eventShapes[13]}`));
    assert.equal(
      joinSentence(parts),
      `Paid  epoch 2,469,135,782  member Bob  reason 3  note ${LONG_TEXT}  cents 7,407,407,346`,
    );
    assert.deepEqual(
      parts.map(({ kind }) => kind),
      ['fact', 'amount', 'fact', 'amount', 'text', 'amount'],
    );
    assert.equal(joinSentence(cutSentence(parts, 37)), 'Paid  epoch 2,469,135,782  member Bob');
  });
});
