import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { boundRows, readConstant } from '../../scripts/support/boundTable.ts';
import { documentTables, withTable } from '../../scripts/support/documentTables.ts';
import { fromRoot, projectRoot } from '../../scripts/support/paths.ts';
import { MAX_MESSAGE_CHARS } from '../../src/core/http/response.ts';

const documents = globSync('{*,docs/**/*}.md', { cwd: projectRoot }).map((file) =>
  file.replaceAll('\\', '/'),
);
const read = (path: string) => readFileSync(fromRoot(path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const readme = read('README.md');

interface PackagedFile {
  readonly path: string;
  readonly contents: string;
}

/** What vsce makes of the README when it packages it; vsce has no types for this. */
const {
  ReadmeProcessor,
}: {
  readonly ReadmeProcessor: new (manifest: unknown) => { onFile(file: PackagedFile): Promise<PackagedFile> };
} = createRequire(import.meta.url)('@vscode/vsce/out/package.js');

/** The part of a link to a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Links outside of code, by the file that they lead to and the heading in it. */
function linksOf(document: string): readonly { readonly file: string; readonly heading: string }[] {
  const prose = read(document).replaceAll(/^(`{3,})(?:.*\n)*?\1$/gm, '');
  return [...prose.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target = '']) => !/^https:/.test(target))
    .map(([, target = '', heading = '']) => ({
      file: target === '' ? document : join(dirname(document), target).replaceAll('\\', '/'),
      heading,
    }));
}

describe('documents', () => {
  it('are short: a page of the Marketplace, and what a contributor reads first', () => {
    assert.ok(statSync(fromRoot('README.md')).size <= 12 * 1024);
    assert.ok(statSync(fromRoot('CONTRIBUTING.md')).size <= 6 * 1024);
  });

  it('are led to by the README, each manual', () => {
    const linked = new Set(linksOf('README.md').map(({ file }) => file));
    const forMaintainers = ['code-to-chain', 'log-engine', 'packages', 'releasing'].map(
      (name) => `docs/${name}.md`,
    );
    const manuals = documents.filter((file) => /^docs\/[^/]+$/.test(file) && !forMaintainers.includes(file));
    assert.ok(manuals.length > 10);
    for (const manual of manuals) assert.ok(linked.has(manual), manual);
  });

  it('have the tables that are generated from the manifest and the import rules: else run npm run documents', () => {
    for (const table of documentTables()) {
      assert.ok(table.rows.length > 0, table.head);
      assert.equal(read(table.document), withTable(read(table.document), table), table.head);
      for (const row of table.rows) assert.ok(row.every(Boolean), `${table.head}: ${row.join(' | ')}`);
    }
  });

  it('have the bounds of the source: sums, products, powers, members, and what is declared elsewhere', () => {
    const limits = (name: string) => readConstant('src/core/logs/engine/limits.ts', name);
    const codeChars = readConstant('src/core/identity/proxyPatterns.ts', 'MAX_CODE_CHARS');
    const query = readConstant('src/core/queries/queryText.ts', 'MAX_QUERY_FILE_CHARS');
    assert.equal(readConstant('src/core/http/response.ts', 'MAX_MESSAGE_CHARS'), MAX_MESSAGE_CHARS);
    assert.equal(limits('MAX_BLOCK_BYTES'), limits('MAX_BLOCK_ROWS') * limits('ROW_BYTES'));
    assert.equal((codeChars - 2) % 1024, 0);
    assert.equal(readConstant('src/core/http/response.ts', 'JSON_LIMITS.maxDepth'), 64);
    assert.equal(readConstant('src/cli/queryFileText.ts', 'MAX_FILE_BYTES'), 4 * query);
    assert.throws(() => readConstant('src/core/http/response.ts', 'MAX_NOTHING'), /no constant MAX_NOTHING/);
    for (const [what, bound = ''] of boundRows()) assert.doesNotMatch(bound, /[{}]|undefined|NaN/, what);
  });

  it('name no setting, command, view or npm script that is not there', () => {
    const ids = new Set([
      ...manifest.contributes.commands.map(({ command }: { command: string }) => command),
      ...manifest.contributes.configuration.flatMap(({ properties }: { properties: object }) =>
        Object.keys(properties),
      ),
      ...Object.values<{ id: string }[]>(manifest.contributes.views).flatMap((views) =>
        views.map(({ id }) => id),
      ),
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

  it('state each decision in a title, with its date', () => {
    const decisions = documents.filter((file) => file.startsWith('docs/decisions/'));
    assert.ok(decisions.length > 0);
    for (const file of decisions) assert.match(read(file), /^# .+\n\n\d{4}-\d\d-\d\d\n\n/, file);
  });

  it('link to files that are there', () => {
    for (const document of documents) {
      for (const { file } of linksOf(document)) assert.ok(existsSync(fromRoot(file)), `${document}: ${file}`);
    }
  });

  it('link to headings that are there', () => {
    for (const document of documents) {
      for (const { file, heading } of linksOf(document)) {
        if (heading === '') continue;
        const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
        assert.ok(headings.includes(heading), `${document}: ${file}#${heading}`);
      }
    }
  });

  it('of the Marketplace lead to the repository: the VSIX has no docs/', async () => {
    const file = { path: 'extension/README.md', contents: read('README.md') };
    const { contents } = await new ReadmeProcessor(manifest).onFile(file);
    const targets = [...String(contents).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
    const { url } = manifest.repository;
    const page = `${url.replace(/\.git$/, '')}/blob/HEAD/docs/logs.md`;
    assert.ok(targets.includes(page), page);
    for (const target of targets) assert.match(String(target), /^https:\/\//);
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
      // The moving picture is seven of them.
      const maxKiB = path.endsWith('/story.png') ? 512 : 160;
      assert.ok(statSync(fromRoot(path)).size <= maxKiB * 1024, path);
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
