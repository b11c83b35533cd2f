import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { documentTables, withTable } from '../../scripts/support/documentTables.ts';
import { fromRoot, projectRoot } from '../../scripts/support/paths.ts';

const documents = globSync('{*,docs/**/*}.md', { cwd: projectRoot }).map((file) =>
  file.replaceAll('\\', '/'),
);
const read = (path: string) => readFileSync(fromRoot(path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const readme = read('README.md');

describe('documents', () => {
  it('have the tables that follow from the manifest and the import rules: else run npm run documents', () => {
    for (const table of documentTables()) {
      assert.equal(read(table.document), withTable(read(table.document), table), table.head);
      for (const row of table.rows) assert.ok(row.every(Boolean), `${table.head}: ${row.join(' | ')}`);
    }
  });

  it('name no setting, command or npm script that is not there', () => {
    const ids = new Set([
      ...manifest.contributes.commands.map(({ command }: { command: string }) => command),
      ...Object.keys(manifest.contributes.configuration.properties),
      'chainside.chainside',
    ]);
    for (const document of documents) {
      for (const [, id = ''] of read(document).matchAll(/`(chainside\.[\w.]+)`/g)) {
        assert.ok(ids.has(id), `${document}: ${id}`);
      }
      for (const [, script = ''] of read(document).matchAll(/npm run (?:-s )?([\w:]+)/g)) {
        assert.ok(script in manifest.scripts, `${document}: npm run ${script}`);
      }
    }
  });

  it('link to files that are there', () => {
    for (const document of documents) {
      for (const [, target = ''] of read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^https:/.test(target)) continue;
        const file = normalize(join(dirname(document), target));
        assert.ok(existsSync(fromRoot(file)), `${document}: ${target}`);
      }
    }
  });

  it('name source files that are there', () => {
    const files = globSync('{src,localnet,scripts,test,media,.github}/**', { cwd: projectRoot });
    const named = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
    for (const document of documents) {
      for (const [, name = ''] of read(document).matchAll(/`([\w./-]+\.(?:d\.)?(?:tsx?|mjs|css|yml))`/g)) {
        assert.ok(named(name) || existsSync(fromRoot(name)), `${document}: ${name}`);
      }
    }
  });

  it('show every picture there is, each of a size to load at once and with words for those who do not see it', () => {
    const shown = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    const pictures = globSync('media/screenshots/*.png', { cwd: projectRoot });
    assert.deepEqual(shown.map(([, , path]) => path).sort(), pictures.sort());
    for (const [, text = '', path = ''] of shown) {
      assert.ok(text.length > 20, path);
      assert.ok(statSync(fromRoot(path)).size <= 160 * 1024, path);
    }
  });

  it('speak of the project alone: no path of a machine, no number of an issue', () => {
    for (const document of documents) {
      assert.doesNotMatch(read(document), /(?:^|[\s`("])\/(?:home|Users|tmp|work|root)\//m, document);
      assert.doesNotMatch(read(document), /\bissue \d|(?:^|\s)#\d+\b/im, document);
    }
  });

  it('tell what changed in this version', () => {
    const changelog = read('CHANGELOG.md');
    assert.match(changelog, /^## \[Unreleased\]$/m);
    assert.ok(changelog.includes(`## [${manifest.version}] - `), manifest.version);
  });
});
