import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../scripts/support/script.ts';
import { hostileTexts } from '../fixtures/hostileTexts.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { chosenTexts } from './support/campaign.ts';
import { hasTerminalControls, runCli } from './support/cli.ts';
import { CONTRACT, type HostileServer, startHostileServer } from './support/hostileServer.ts';
import { manyLogs } from './support/manyLogs.ts';

const MAX_OUTPUT_CHARS = 8000;

/** What CI systems do because a line of output says so. */
const ciCommands: Readonly<Record<string, string>> = {
  GitHub: '::error::forged',
  'GitHub, below another line': 'no\n::add-mask::forged',
  'GitHub, before 2020': 'no ##[error]forged',
  'Azure Pipelines': '##vso[task.setvariable variable=PATH]/tmp',
  TeamCity: "##teamcity[buildProblem description='forged']",
  Buildkite: '+++ forged',
  'behind a space': ' \u200b ::error::forged',
};
const commandsCi = /##[\w.-]*\[|^\s*(?:::|---|\+\+\+|~~~|\^\^\^)/m;

describe('the terminal that the headless runner is in', () => {
  let server: HostileServer;
  before(async () => {
    server = await startHostileServer();
  });
  after(() => server.close());

  const query = JSON.stringify({ address: CONTRACT });
  const endpoint = () => ['--rpc', `${server.url}/api/eth-rpc`];
  const allLogs = () => ['logs', '--all', '--query', '-', ...endpoint()];

  function isQuiet({ output, words }: { readonly output: string; readonly words: string }): void {
    assert.ok(
      !hasTerminalControls(output) && !hasTerminalControls(words),
      'Something would steer the terminal.',
    );
    assert.ok(words.length < MAX_OUTPUT_CHARS, `${words.length} characters of words`);
    assert.doesNotMatch(words, /^\s+at .+:\d+:\d+\)?$/m);
  }

  for (const [what, message] of chosenTexts(hostileTexts)) {
    it(`is not steered by words of a server: ${what}`, async () => {
      server.behaviour = () => ({ error: { code: -32000, message, data: message } });
      const run = await runCli(['block', ...endpoint()]);
      assert.equal(run.code, 1);
      isQuiet(run);
      assert.ok(run.output.length < 4 * MAX_OUTPUT_CHARS, `${run.output.length} characters of output`);
      assertWithinBounds(`terminal: ${what}`, run.course);
    });
  }

  for (const [what, message] of Object.entries(ciCommands)) {
    it(`commands no CI system by words of a server, a file name or a title: ${what}`, async () => {
      server.behaviour = () => ({ error: { code: -32000, message, data: message } });
      const title = { chainId: 1, title: message, address: 'Nobody' };
      const folder = await mkdtemp(join(tmpdir(), 'chainside-attack-'));
      try {
        const file = join(folder, 'a.chainlog.json');
        await writeFile(file, JSON.stringify(title));
        const runs = [
          await runCli(['block', ...endpoint()]),
          await runCli(['check', file, `${message}.chainlog.json`, '--chain-id', '1', ...endpoint()]),
          await runCli([message, ...endpoint()]),
        ];
        for (const run of runs) {
          isQuiet(run);
          assert.equal(run.code, 1);
          assert.doesNotMatch(`${run.output}\n${run.words}`, commandsCi);
        }
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('gets 2,048 characters of a message of 400 KB', async () => {
    server.behaviour = () => ({ error: { code: -32000, message: 'wait '.repeat(80_000) } });
    const run = await runCli(['block', ...endpoint()]);
    isQuiet(run);
    const [said] = run.values as readonly { readonly error: { readonly serverMessage: string } }[];
    assert.ok((said?.error.serverMessage.length ?? 0) <= 2049);
    assertWithinBounds('terminal: a message of 400 KB', run.course);
  });

  it('is given back at once in the middle of a query, with what the rows are worth', async () => {
    server.behaviour = manyLogs(500, 20);
    const run = await runCli(allLogs(), { input: query, interruptAfter: 200_000 });
    isQuiet(run);
    assert.equal(run.code, 130);
    const { verdict } = run.values.at(-1) as { readonly verdict?: { readonly state: string } };
    assert.equal(verdict?.state, 'uncertain');
    assertWithinBounds('terminal: interrupted in the middle', run.course);
  });

  it('is given back while a server keeps silent', async () => {
    let interrupt: (() => void) | undefined;
    server.behaviour = () => ({ body: () => interrupt?.() });
    const run = await runCli(['block', ...endpoint()], {
      interruptible: (told) => {
        interrupt = told;
      },
    });
    isQuiet(run);
    assert.equal(run.code, 130);
    assertWithinBounds('terminal: interrupted in a silence', run.course);
  });

  it('is left alone when the reader has seen enough', async () => {
    server.behaviour = manyLogs(500, 0);
    const run = await runCli(allLogs(), { input: query, closeAtOnce: true });
    assert.equal(run.code, 0);
    assert.equal(run.words, '');
    assertWithinBounds('terminal: closed output', run.course);
  });

  for (const [what, proxy] of [
    ['no address at all', 'not a proxy'],
    ['an address without a host', 'http://:1'],
    ['a scheme that is none', 'gopher://127.0.0.1:1'],
    ['a password that cannot be read', 'http://user:%E0%A4%A@127.0.0.1:1'],
    ['what steers', 'http://\u001b[2J\u202e'],
    ['400 KB', `x${'y'.repeat(100_000)}`],
  ] as const) {
    it(`gets an answer where a proxy is named by ${what}`, async () => {
      const run = await runCli(['block', ...endpoint()], {
        env: { HTTP_PROXY: proxy, http_proxy: proxy },
      });
      isQuiet(run);
      assert.equal(run.code, 1);
      assert.match(run.words, /http_proxy is not the URL of a proxy/i);
      assert.ok(!run.output.includes(proxy) && !run.words.includes(proxy));
    });
  }

  it('is told nothing of a failure that nobody foresaw but that there was one', async () => {
    const words = `\u001b[2J\u202e${'x'.repeat(100_000)}`;
    const breaking = `process.on('newListener', (name) => {
      if (name === 'uncaughtException') setImmediate(() => { throw new Error(${JSON.stringify(words)}); });
    })`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaking)}` };
    server.behaviour = () => ({ body: () => undefined });
    const run = await runCli(['block', ...endpoint()], { env });
    isQuiet(run);
    assert.equal(run.code, 1);
    assert.equal(run.words, 'An internal error in Chainside.\n');
    assertWithinBounds('terminal: a failure that nobody foresaw', run.course);
  });
});
