import assert from 'node:assert/strict';
import {
  bundlePath,
  fixedParts,
  listLanguages,
  manifestPath,
  readMessages,
} from '../../../scripts/support/bundles.ts';
import { parseFiles } from '../../support/parseFiles.ts';
import { readSourceMessages } from '../../support/sourceMessages.ts';
import { untranslatedOf } from '../../support/untranslated.ts';

/** Messages that follow from others, or are English because they are for agents and files: their number by file. */
const UNFOLLOWED = {
  'src/core/logs/query/queryJson.ts': 1,
  'src/core/operations/continuation.ts': 1,
  'src/core/operations/parseInput.ts': 2,
  'src/core/operations/resolveEvents.ts': 6,
  'src/core/operations/runOperation.ts': 1,
  'src/core/queries/filedNames.ts': 1,
  'src/core/queries/queryDefinition.ts': 1,
  'src/core/queries/queryText.ts': 1,
  'src/core/queries/resolveQuery.ts': 1,
  'src/core/reads/readBlock.ts': 2,
  'src/features/logs/copyAs.ts': 3,
  'src/features/reads/readPanel.ts': 1,
  'src/host/l10n.ts': 1,
};

/** Code, logs and texts of the command line that look like texts of the editor: their number by file. */
const UNTRANSLATED = {
  'src/core/etherscan/etherscanResult.ts': 8,
  'src/core/http/exchange.ts': 1,
  'src/core/http/pageFetch.ts': 1,
  'src/core/http/retry.ts': 1,
  'src/core/logs/engine/openLogQuery.ts': 1,
  'src/core/nfts/svg.ts': 1,
  'src/core/rpc/blockTimes.ts': 1,
  'src/core/secrets/redactKey.ts': 1,
  'src/features/addresses/hover/hoverContent.ts': 3,
  'src/features/addresses/identityFacts.ts': 1,
  'src/features/agents/register.ts': 2,
  'src/features/code/codeDocument.ts': 1,
  'src/features/code/compareCode.ts': 1,
  'src/features/contracts/addressFormats.ts': 4,
  'src/features/decode/castCall.ts': 1,
  'src/features/logs/decoded/logDetails.ts': 1,
  'src/features/logs/form/eventSuggestions.ts': 1,
  'src/features/logs/results/nearestEvents.ts': 1,
  'src/host/log.ts': 2,
  'src/host/session/providerAccess.ts': 1,
  'src/host/session/secrets.ts': 1,
  'src/host/ui/panelHost.ts': 3,
  'src/messaging/channel.ts': 2,
};

describe('languages of the editor', () => {
  const english = readMessages('package.nls.json');
  const source = readSourceMessages();
  const messages = [...source.places.keys()].sort();

  it('knows every message from the source', () => {
    assert.deepEqual(countByFile(source.unknown), UNFOLLOWED);
    assert.ok(source.places.has('Log index'), 'no message of a panel was found');
    assert.ok(source.places.has('No block is completely loaded yet.'), 'no message of core was found');
  });

  it('has no text of the editor that skips translation', () => {
    assert.deepEqual(countByFile(source.untranslated), UNTRANSLATED, source.untranslated.join('\n'));
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

describe('texts that skip translation', () => {
  const reported = [
    "showMessage('error', 'No network is chosen.')",
    `showMessage('info', \`Saved \${name}\`)`,
    "createRow('Contracts', 'folder')",
    "({ label: isOpen ? 'open' : state })",
    `({ tooltip: \`\${count} logs\` })`,
    "const format = (count: number) => count + ' more logs';",
    '<button title="close">×</button>',
    '<p>Nothing here</p>',
    '<p>{isOpen ? "open" : "closed"}</p>',
    "throw new AppError('badInput', 'Not an address.')",
  ];
  const ignored = [
    "l10n.t('No network is chosen.')",
    "showMessage('error', vscode.l10n.t('Saved {0}', name))",
    "({ title: strings.close, icon: 'close-all', id: 'not.shown' })",
    `({ tooltip: \`\${name} · \${address}\` })`,
    '<p class="plain copy">{strings.empty}</p>',
    `if (kind === 'some words') log.info(\`Read \${path} again\`);`,
    "throw new AppError('timeout', 'The server did not respond.')",
    "type Kind = 'one word' | 'other word';",
    "badInput('address', 'Not an address.')",
  ];

  const inCore = "const reasons = { a: 'The range is too wide.', b: 'no sentence', c: 'eth_getLogs' };";
  const files: Readonly<Record<string, string>> = {
    ...Object.fromEntries([...reported, ...ignored].map((text, at) => [`src/features/${at}.tsx`, text])),
    'src/core/logs/a.tsx': inCore,
    'src/core/operations/a.tsx': inCore,
  };
  const found = parseFiles(files, (name, file) => untranslatedOf(name, file).map(({ text }) => text));

  it('are found wherever a person reads them', () => {
    assert.deepEqual(
      reported.filter((_, index) => found[index]?.length === 0),
      [],
    );
  });

  it('are neither messages nor code, names and logs', () => {
    assert.deepEqual(found.slice(reported.length, -2).flat(), []);
  });

  it('are sentences in core, without those for agents', () => {
    assert.deepEqual(found.slice(-2), [['The range is too wide.'], []]);
  });
});

/** Of places, which begin with the file. */
function countByFile(places: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const place of places) {
    const file = place.slice(0, place.indexOf(':'));
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}
