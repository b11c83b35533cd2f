import assert from 'node:assert/strict';
import { createLatestRequest } from '../../../../src/webview/kit/panelState.ts';

describe('questions of which the last one counts', () => {
  it('drop an answer that comes after a later question, and abort its question', async () => {
    const latest = createLatestRequest();
    const signals: AbortSignal[] = [];
    const answers: ((text: string) => void)[] = [];
    const ask = () =>
      latest.run<string>(({ signal }) => {
        signals.push(signal);
        return new Promise((resolve) => answers.push(resolve));
      });
    const asked = [ask(), ask()];
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    answers[1]?.('second');
    answers[0]?.('first');
    assert.deepEqual(await Promise.all(asked), [undefined, 'second']);
  });

  it('have no answer where it failed or is not wanted any more', async () => {
    const latest = createLatestRequest();
    assert.equal(await latest.run(() => Promise.reject(new Error('gone'))), undefined);
    let answer: ((text: string) => void) | undefined;
    const asked = latest.run<string>(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    latest.cancel();
    answer?.('late');
    assert.equal(await asked, undefined);
    assert.equal(await latest.run(async () => 'next'), 'next');
  });
});
