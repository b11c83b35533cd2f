import assert from 'node:assert/strict';
import { badInput, createMessage, foreign, isAppError } from '../../../src/core/index.ts';
import { createLogFilter } from '../../../src/core/logs/query/filter.ts';
import { formatValidationError, type Localizer, localize } from '../../../src/host/l10n.ts';

/** Another language: every text in brackets. */
const l10n: Localizer = {
  t: (message, ...args) => `«${message.replace(/\{(\d)\}/g, (_, index) => String(args[Number(index)]))}»`,
};

describe('messages of core', () => {
  it('are translated as templates, with the messages in their arguments', () => {
    const message = createMessage(
      'Logs may be missing in {0}.',
      createMessage('{0} and {1} more', foreign('7, 8'), 3),
    );
    assert.equal(localize(message, l10n), '«Logs may be missing in «7, 8 and 3 more».»');
  });

  it('of validation errors are translated, with their values', () => {
    try {
      createLogFilter({ addresses: [], topics: [], fromBlock: 9n, toBlock: 7n });
      assert.fail('The range is not reversed.');
    } catch (error) {
      assert.ok(isAppError(error, 'badInput'));
      assert.equal(formatValidationError(error, l10n), '«The first block (9) is after the last block (7).»');
    }
    assert.equal(formatValidationError(badInput('key', 'Not a key.'), l10n), '«Not a key.»');
  });
});
