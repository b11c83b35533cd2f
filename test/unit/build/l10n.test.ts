import assert from 'node:assert/strict';
import {
  bundlePath,
  fixedParts,
  listLanguages,
  manifestPath,
  readMessages,
} from '../../../scripts/support/bundles.ts';
import { readSourceMessages } from '../../support/sourceMessages.ts';

/** Files whose messages follow from other messages, or are English because they are for agents and files. */
const UNFOLLOWED = [
  'src/core/abi/encode.ts',
  'src/core/base/errors.ts',
  'src/core/logs/query/queryJson.ts',
  'src/core/logs/query/verdict.ts',
  'src/core/operations/continuation.ts',
  'src/core/operations/parseInput.ts',
  'src/core/operations/resolveEvents.ts',
  'src/core/operations/runOperation.ts',
  'src/core/project/layout.ts',
  'src/core/project/readers/jsonScan.ts',
  'src/core/queries/checkRead.ts',
  'src/core/queries/queryFiles.ts',
  'src/core/queries/queryText.ts',
  'src/core/queries/resolveQuery.ts',
  'src/core/reads/readBlock.ts',
  'src/features/decode/showBlock.ts',
  'src/features/logs/copyAs.ts',
  'src/features/reads/readPanel.ts',
  'src/host/l10n.ts',
];

describe('languages of the editor', () => {
  const english = readMessages('package.nls.json');
  const source = readSourceMessages();
  const messages = [...source.places.keys()].sort();

  it('knows every message from the source', () => {
    const files = new Set(source.unknown.map((place) => place.slice(0, place.indexOf(': '))));
    assert.deepEqual([...files].sort(), UNFOLLOWED);
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
