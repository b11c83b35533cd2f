import assert from 'node:assert/strict';
import { AppError } from '../../../../src/core/index.ts';
import { formatErrorForLog } from '../../../../src/host/log.ts';
import { escapeLogRecord } from '../../../../src/host/ui/untrustedText.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';

const FORGED = '2026-11-21 12:00:00.000 [info] #1 POST https://trusted.example 200 5 ms 10 bytes';
const lineEnds = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

describe('A record of the output', () => {
  for (const lineEnd of lineEnds) {
    it(`shows by indentation that a line belongs to it: ${JSON.stringify(lineEnd)}`, () => {
      assert.equal(escapeLogRecord(`failed${lineEnd}${FORGED}`), `failed\n    ${FORGED}`);
    });
  }

  for (const [what, text] of Object.entries(hostileTexts)) {
    it(`hides nothing, forges nothing and is bounded: ${what}`, () => {
      const record = escapeLogRecord(text);
      assert.doesNotMatch(record, /[^\P{C}\n\ufffd]|[\u2028\u2029]/u);
      assert.doesNotMatch(record, /\n(?! {4})/);
      assert.ok(record.length <= 25_000, `${record.length} characters`);
    });

    it(`is one line for an error with the words of a server: ${what}`, () => {
      const serverMessage = text;
      const errors = [
        new AppError('rpc', 'Refused.', { serverMessage }),
        new AppError('badInput', text),
        text,
      ];
      for (const error of errors)
        assert.doesNotMatch(formatErrorForLog(error), /[\n\r\v\f\u0085\u2028\u2029]/);
    });

    it(`has no line but frames of the stack for an error of the program: ${what}`, () => {
      const [first = '', ...frames] = formatErrorForLog(new TypeError(text)).split('\n');
      assert.match(first, /^TypeError:/);
      assert.ok(frames.length > 0);
      for (const frame of frames) {
        assert.match(frame, /^ +at /);
        assert.doesNotMatch(frame, /trusted\.js/);
      }
    });
  }

  it('is a text for whatever was thrown', () => {
    for (const thrown of [undefined, null, 7, {}, new Error('')]) {
      assert.notEqual(formatErrorForLog(thrown), '');
    }
  });
});
