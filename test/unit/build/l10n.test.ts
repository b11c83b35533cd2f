import assert from 'node:assert/strict';
import {
  bundlePath,
  fixedParts,
  listLanguages,
  manifestPath,
  readMessages,
} from '../../../scripts/support/bundles.ts';
import { readSourceMessages } from '../../support/sourceMessages.ts';

/** Messages that follow from others, or are English because they are for agents and files: their number by file. */
const UNFOLLOWED = {
  'src/core/base/errors.ts': 1,
  'src/core/logs/query/queryJson.ts': 2,
  'src/core/logs/query/verdict.ts': 1,
  'src/core/operations/continuation.ts': 1,
  'src/core/operations/parseInput.ts': 2,
  'src/core/operations/resolveEvents.ts': 7,
  'src/core/operations/runOperation.ts': 1,
  'src/core/queries/checkRead.ts': 2,
  'src/core/queries/queryText.ts': 1,
  'src/core/queries/resolveQuery.ts': 4,
  'src/core/reads/readBlock.ts': 1,
  'src/features/decode/showBlock.ts': 1,
  'src/features/logs/copyAs.ts': 3,
  'src/features/reads/readPanel.ts': 1,
  'src/host/l10n.ts': 1,
};

describe('languages of the editor', () => {
  const english = readMessages('package.nls.json');
  const source = readSourceMessages();
  const messages = [...source.places.keys()].sort();

  it('knows every message from the source', () => {
    const counts: Record<string, number> = {};
    for (const place of source.unknown) {
      const file = place.slice(0, place.indexOf(': '));
      counts[file] = (counts[file] ?? 0) + 1;
    }
    assert.deepEqual(counts, UNFOLLOWED);
    assert.ok(source.places.has('Log index'), 'no message of a panel was found');
    assert.ok(source.places.has('No block is completely loaded yet.'), 'no message of core was found');
  });

  it('finds what a translation must keep', () => {
    const message = 'Run {0} with `{a}` or [Open](command:x.y) $(sync) {0}';
    assert.deepEqual(fixedParts(message), ['$(sync)', '](command:x.y)', '`{a}`', '{0}'].sort());
  });

  assert.ok(listLanguages().includes('de'));
  for (const language of listLanguages()) {
    const bundle = readMessages(bundlePath(language));
    const manifest = readMessages(manifestPath(language));

    it(`translates every message to ${language}, and no other (npm run l10n lists them)`, () => {
      assert.deepEqual(Object.keys(bundle), messages);
      assert.deepEqual(Object.keys(manifest), Object.keys(english));
    });

    it(`keeps placeholders, links, code and icons in ${language}`, () => {
      const pairs: (readonly [string, string])[] = Object.entries(bundle);
      pairs.push(...Object.keys(english).map((key) => [english[key] ?? '', manifest[key] ?? ''] as const));
      for (const [message, translation] of pairs) {
        assert.notEqual(translation.trim(), '', message);
        assert.deepEqual(fixedParts(translation), fixedParts(message), message);
      }
    });
  }
});
