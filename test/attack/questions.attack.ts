import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../scripts/support/script.ts';
import { createDocumentFormat } from '../../src/features/logs/notebook/documentFormat.ts';
import { type LoopbackServer, startRpcServer } from '../support/loopbackServer.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { runCli } from './support/cli.ts';
import { processorMs } from './support/strain.ts';

const fenced = (text: string) => `\`\`\`chainlog\n${text}\n\`\`\`\n`;

/** Documents of such a repository, of which not even the queries are told for certain. */
const documents: Readonly<Record<string, string>> = {
  'a fence without end': `\`\`\`chainlog\n${'{'.repeat(1_000_000)}`,
  'ticks without end': '`'.repeat(2_000_000),
  'fences without end': '```chainlog\n'.repeat(60_000),
  'queries without end': fenced('{"chainId": 1}').repeat(20_000),
  'quotes in quotes': `${'> '.repeat(200_000)}${fenced('{}')}`,
  'lists in lists': Array.from({ length: 4000 }, (_, depth) => `${'  '.repeat(depth % 500)}- a\n`).join(''),
  'spaces without end': `${' '.repeat(1_000_000)}\`\`\`chainlog${' '.repeat(1_000_000)}x`,
  'comments without end': '<!-- '.repeat(300_000),
  'lines without end': '\n'.repeat(1_000_000),
  'verdicts without end': '<!-- 3 logs, complete to 16 -->\n'.repeat(19_000),
  'verdicts in one line': '<!-- 3 logs, complete to 16 -->'.repeat(30_000),
  'a verdict without end': `${fenced('{"chainId": 1}')}<!-- ${'9'.repeat(500_000)} logs, complete to ${'9'.repeat(500_000)}`,
};

/** The largest documents that are opened as a notebook. */
const notebooks: Readonly<Record<string, string>> = {
  'as many lines as may be': 'words of a sentence\n'.repeat(20_000),
  'as many cells as may be': '```chainlog\n{}\n```\nx\n'.repeat(2000),
  'one line that may be': 'x'.repeat(4 * 1024 * 1024),
};

describe('documents that mean harm, as notebooks', () => {
  const format = createDocumentFormat({ notText: 'not text', tooLong: 'too long' });
  for (const [name, text] of Object.entries(notebooks)) {
    it(`are read at once: ${name}`, () => {
      const bytes = new TextEncoder().encode(text);
      const before = process.memoryUsage().rss;
      const start = processorMs();
      assert.ok(format.read(bytes).length <= 4001);
      const longestBlockMs = Math.round(processorMs() - start);
      const grownMiB = Math.round((process.memoryUsage().rss - before) / 1024 / 1024);
      assertWithinBounds({ seconds: longestBlockMs / 1000, longestBlockMs, grownMiB });
    });
  }
});

describe('documents that mean harm', () => {
  let server: LoopbackServer;
  let folder: string;
  let asked = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chainside-attack-'));
    server = await startRpcServer(({ id, method }) => {
      if (method === 'eth_getLogs') asked++;
      return { jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0x10' };
    });
  });
  after(async () => {
    await server.close();
    await removeFolder(folder);
  });

  for (const [name, text] of Object.entries(documents)) {
    it(`bring nobody to be asked: ${name}`, async () => {
      const file = join(folder, 'document.chain.md');
      await writeFile(file, text);
      const run = await runCli(['check', file, '--rpc', server.url], { maxWords: Number.POSITIVE_INFINITY });
      const most = 1000 + 300 * run.values.length;
      assert.ok(run.words.length < most, `${run.words.length} characters of words`);
      assert.ok(run.values.every(({ state }) => state === 'invalid'));
      assert.equal(asked, 0);
    });
  }
});
