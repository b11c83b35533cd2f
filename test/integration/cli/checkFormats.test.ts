import assert from 'node:assert/strict';
import { mkdtemp, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import type { CheckResult } from '../../../src/cli/checks/checkResult.ts';
import { createGithubReport } from '../../../src/cli/checks/githubReport.ts';
import { createTextReport } from '../../../src/cli/checks/lineReports.ts';
import { AppError } from '../../../src/core/index.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import { type LoopbackServer, startMethodServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

const shop = `0x${'b'.repeat(40)}`;
const query = { chainId: 31337, address: shop, fromBlock: 0, toBlock: 10 };

/** The parser of XML that vsce brings: it refuses what is not well-formed. */
const { Parser }: { readonly Parser: new () => { parseStringPromise(xml: string): Promise<XmlReport> } } =
  createRequire(createRequire(import.meta.url).resolve('@vscode/vsce/package.json'))('xml2js');

interface XmlFailure {
  readonly _: string;
  readonly $: { readonly message: string; readonly type: string };
}

interface XmlReport {
  readonly testsuites: {
    readonly testsuite: readonly {
      readonly $: Readonly<Record<string, string>>;
      readonly testcase?: readonly {
        readonly $: Readonly<Record<string, string>>;
        readonly failure?: readonly XmlFailure[];
        readonly error?: readonly XmlFailure[];
      }[];
    }[];
  };
}

/** What breaks out of a line, a command, an attribute or a terminal, and does not end. */
const hostile = `a"'<b>&]]>--> %0A,x=y:z\r\n::error::forged\n##[error]forged\u001b[2J\u202e\u0000\ufffe\ud800](http://e) ${'x'.repeat(200_000)}`;
const actsOnTerminal = /(?!\n)[\p{Cc}\u202e\u2028\u2029]/u;

describe('formats of check', () => {
  let folder: string;
  let server: LoopbackServer;

  before(async () => {
    const logs = [1, 2, 3].map((block) => createRow(block, 0, { address: shop }));
    server = await startMethodServer({ eth_blockNumber: '0x10', eth_chainId: '0x7a69', eth_getLogs: logs });
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'chainside-formats-')));
  });
  afterEach(() => removeFolder(folder));
  after(() => server.close());

  const { write } = fileChecks(() => ({ folder, url: server.url }));

  /** Checks all files of the folder, which is the repository. */
  async function check(format: string, ...args: readonly string[]) {
    const url = args.includes('--rpc') ? [] : ['--rpc', server.url];
    return runCli(['check', ...url, '--format', format, ...args, '--', folder], {
      env: { GITHUB_WORKSPACE: folder },
    });
  }

  /** A query that is ok, one that differs, one that is incomplete, one that is invalid. */
  async function writeEach(): Promise<void> {
    await write('queries/a.chainlog.json', { title: 'Fine', ...query, expect: { count: 3 } });
    await write('queries/b b.chainlog.json', { title: 'Sales', ...query, expect: { count: 4 } });
    await write(
      'queries/c.chain.md',
      `# Late\n\n\`\`\`chainlog\n${JSON.stringify({ ...query, toBlock: 99 })}\n\`\`\`\n`,
    );
    await write('queries/d.chainlog.json', { title: 'Typo', ...query, address: 'Nobody' });
  }

  it('are refused by other commands, and where there is none of the name', async () => {
    for (const args of [
      ['check', '--format', 'xml', '.'],
      ['block', '--format', 'json'],
    ]) {
      const { code, stdout } = await runCli([...args, '--rpc', server.url]);
      assert.deepEqual([code, JSON.parse(stdout).error.field], [2, 'format']);
    }
  });

  it('are the same JSON as without the option', async () => {
    await writeEach();
    const plain = await runCli(['check', '--rpc', server.url, folder]);
    assert.deepEqual(await check('json'), plain);
  });

  it('are text for people, with the line that is the reason', async () => {
    await writeEach();
    const { code, stdout, stderr } = await check('text');
    assert.deepEqual([code, stderr], [1, '']);
    const lines = stdout.replaceAll(`${folder}/`, '').split('\n');
    assert.deepEqual(lines, [
      'queries/a.chainlog.json:1: Fine: ok, 3 logs',
      'queries/b b.chainlog.json:7: Sales: differs, 3 logs',
      '- Number of logs: 3. Expected: 4.',
      'queries/c.chain.md:3: Late: incomplete, 3 logs',
      ...lines.slice(4, 5),
      'queries/d.chainlog.json:4: Typo: invalid',
      ...lines.slice(6, 7),
      '4 queries: 1 ok, 1 differs, 1 incomplete, 1 invalid.',
      '',
    ]);
    assert.match(lines[4] ?? '', /range ends after the latest block, 16/);
  });

  it('are annotations of GitHub at the line, in paths of the repository', async () => {
    await writeEach();
    const { code, stdout, stderr } = await check('github');
    assert.deepEqual([code, stderr], [1, '']);
    const commands = stdout.split('\n').filter((line) => line.startsWith('::'));
    assert.equal(
      commands[0],
      '::error file=queries/b b.chainlog.json,line=7,title=Sales%3A differs%2C 3 logs::Number of logs: 3. Expected: 4.',
    );
    assert.match(
      commands[1] ?? '',
      /^::warning file=queries\/c\.chain\.md,line=3,title=Late%3A incomplete%2C 3 logs::.*latest block, 16/,
    );
    assert.match(
      commands[2] ?? '',
      /^::error file=queries\/d\.chainlog\.json,line=4,title=Typo%3A invalid::/,
    );
    assert.equal(commands.length, 3);
    assert.match(stdout, /a\.chainlog\.json:1: Fine: ok, 3 logs\n/);
  });

  it('are annotations in paths of the repository where the workspace is a link', async () => {
    await writeEach();
    const link = join(folder, 'link');
    await symlink(folder, link, 'junction');
    const args = ['check', '--rpc', server.url, '--format', 'github', '--', folder];
    const { stdout } = await runCli(args, { env: { GITHUB_WORKSPACE: link } });
    assert.match(stdout, /^::error file=queries\/b b\.chainlog\.json,/m);
  });

  it('are at most ten annotations of a level, and lines for the rest', async () => {
    for (let at = 10; at < 22; at++) await write(`${at}.chainlog.json`, { ...query, expect: { count: at } });
    const { stdout } = await check('github');
    assert.equal(stdout.match(/^::error /gm)?.length, 10);
    assert.match(
      stdout,
      /21\.chainlog\.json:6: 21: differs, 3 logs\n- Number of logs: 3\. Expected: 21\.\n12 queries: 12 differs\.\n$/,
    );
  });

  it('are JUnit XML, with a test case for each query', async () => {
    await writeEach();
    const block = `\`\`\`chainlog\n${JSON.stringify({ ...query, expect: { count: 3 } })}\n\`\`\`\n\n`;
    await write('queries/e.chain.md', `# Twice\n\n${block}${block}`);
    const { code, stdout, stderr } = await check('junit');
    assert.equal(code, 1);
    assert.match(stderr, /b b\.chainlog\.json: Sales: differs, 3 logs\n- Number of logs: 3/);
    const { testsuites } = await new Parser().parseStringPromise(stdout);
    const [suite] = testsuites.testsuite;
    const { tests, failures, errors, time } = suite?.$ ?? {};
    assert.deepEqual([tests, failures, errors], ['6', '1', '2']);
    assert.match(time ?? '', /^\d+\.\d{3}$/);
    assert.deepEqual(
      suite?.testcase?.map(({ $, failure, error }) => [
        $.classname,
        $.name,
        failure?.[0]?.$.type,
        error?.[0]?.$.type,
      ]),
      [
        ['queries/a.chainlog.json', 'Fine', undefined, undefined],
        ['queries/b b.chainlog.json', 'Sales', 'differs', undefined],
        ['queries/c.chain.md', 'Late', undefined, 'incomplete'],
        ['queries/d.chainlog.json', 'Typo', undefined, 'invalid'],
        ['queries/e.chain.md', 'Twice', undefined, undefined],
        ['queries/e.chain.md', 'Twice (line 7)', undefined, undefined],
      ],
    );
    const failure = suite?.testcase?.[1]?.failure?.[0];
    assert.equal(failure?.$.message, 'Number of logs: 3. Expected: 4.');
    assert.equal(
      failure?._,
      'queries/b b.chainlog.json:7: differs, 3 logs\n- Number of logs: 3. Expected: 4.',
    );
  });

  it('are SARIF, with a rule for each state and a place for each result', async () => {
    await writeEach();
    const { code, stdout } = await check('sarif');
    assert.equal(code, 1);
    const { $schema, version, runs } = JSON.parse(stdout);
    assert.deepEqual([new URL($schema).protocol, version, runs.length], ['https:', '2.1.0', 1]);
    const [{ tool, results, invocations }] = runs;
    assert.equal(tool.driver.name, 'Chainside');
    assert.match(tool.driver.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(invocations, [{ executionSuccessful: true }]);
    const rules = tool.driver.rules.map(({ id }: { id: string }) => id);
    assert.deepEqual(rules, ['differs', 'incomplete', 'invalid', 'nothingExpected']);
    const found = results.map(
      (result: { [name: string]: unknown; ruleId: string; locations: readonly object[] }) => {
        const [{ physicalLocation: place }] = result.locations as [{ physicalLocation: never }];
        const { artifactLocation, region } = place as {
          artifactLocation: { uri: string; uriBaseId: string };
          region: object;
        };
        assert.equal(artifactLocation.uriBaseId, '%SRCROOT%');
        assert.equal(result.ruleIndex, rules.indexOf(result.ruleId));
        return [result.ruleId, result.level, artifactLocation.uri, region];
      },
    );
    assert.deepEqual(found, [
      ['differs', 'error', 'queries/b%20b.chainlog.json', { startLine: 7 }],
      ['incomplete', 'warning', 'queries/c.chain.md', { startLine: 3 }],
      ['invalid', 'error', 'queries/d.chainlog.json', { startLine: 4 }],
    ]);
    assert.equal(results[0].message.text, 'Sales: differs, 3 logs\nNumber of logs: 3. Expected: 4.');
  });

  it('hold what ended the check before the first query', async () => {
    await writeEach();
    const dead = ['--rpc', 'http://127.0.0.1:1', '--chain-id', '31337'];
    const failed = ['--rpc', server.url, '--chain-id', '1'];
    const reason = 'The server is on chain 31337, not on chain 1.';
    assert.ok(!(await check('text', ...failed)).stdout.includes('queries'));
    const github = await check('github', ...failed);
    assert.deepEqual([github.code, github.stdout], [2, `::error title=Chainside::${reason}\n`]);
    const junit = await check('junit', ...failed);
    const { testsuites } = await new Parser().parseStringPromise(junit.stdout);
    const [{ $, testcase } = { $: {} }] = testsuites.testsuite;
    assert.deepEqual([junit.code, $.errors, testcase?.[0]?.error?.[0]?.$.message], [2, '1', reason]);
    const sarif = await check('sarif', ...failed);
    const [{ results, invocations }] = JSON.parse(sarif.stdout).runs;
    assert.deepEqual([sarif.code, results, invocations[0].executionSuccessful], [2, [], false]);
    assert.equal(invocations[0].toolExecutionNotifications[0].message.text, reason);
    for (const format of ['github', 'junit', 'sarif']) {
      const { code, stderr } = await check(format, ...dead);
      assert.equal(code, 3);
      assert.match(stderr, /127\.0\.0\.1/);
    }
  });

  it('say last what ended the check after a query that is ok', async () => {
    const result: CheckResult = {
      ...{ file: 'a.chainlog.json', line: 1, title: 'Fine 👩‍🔬', reasons: [] },
      ...{ verdict: null, count: 3, sha256: null, contentSha256: null, expected: { count: 3 } },
      state: 'ok',
    };
    for (const create of [createTextReport, createGithubReport]) {
      let printed = '';
      const report = create(async (text) => {
        printed += text;
      });
      await report.add({ result, repositoryPath: '/a.chainlog.json', failedLine: 1 });
      await report.add({
        result: { ...result, state: 'differs' },
        repositoryPath: '/a👩‍🔬.json',
        failedLine: 1,
      });
      await report.end(new AppError('aborted', 'Cancelled.'));
      assert.match(printed, /\n2 queries: 1 ok, 1 differs\.\n[^\n]*Cancelled\.\n$/);
      assert.doesNotMatch(printed, /\ufffd/);
    }
  });

  it('cannot be broken out of by titles, names of files and fields', async function () {
    if (process.platform === 'win32') return this.skip();
    const name = 'a%0A,x=y:\n::error::forged\n##[error]x##vso[task.x]\u001b[2J"<&>](x).chainlog.json';
    await write(name, { title: hostile.slice(0, 100), ...query, expect: { count: 4 } });
    await write('b.chainlog.json', { ...query, [hostile]: 1 });
    for (const format of ['json', 'text', 'github', 'junit', 'sarif']) {
      const { code, stdout, stderr } = await check(format);
      assert.equal(code, 1);
      for (const text of [stdout, stderr]) assert.doesNotMatch(text, actsOnTerminal, format);
      const lines = `${stdout}\n${stderr}`.split('\n');
      const commands = lines.filter((line) => /^\s*::/.test(line) && !/^::error file=/.test(line));
      assert.deepEqual(commands, [], format);
      // Azure Pipelines and the old form of GitHub are found anywhere, in a property too.
      assert.doesNotMatch(`${stdout}${stderr}`, /##[\w.-]*\[/, format);
      if (format !== 'json') assert.ok(stdout.length + stderr.length < 20_000, format);
    }
    const { stdout: github } = await check('github');
    const [first = ''] = github.split('\n').filter((line) => line.startsWith('::'));
    const [, properties = '', message] = /^::error (.*?)::(.*)$/.exec(first) ?? [];
    assert.deepEqual(
      properties.split(',').map((property) => property.split('=')[0]),
      ['file', 'line', 'title'],
    );
    assert.match(properties, /^file=a%250A%2Cx=y%3A%0A%3A%3Aerror%3A%3Aforged%0A/);
    assert.equal(message, 'Number of logs: 3. Expected: 4.');
    const { testsuites } = await new Parser().parseStringPromise((await check('junit')).stdout);
    assert.equal(testsuites.testsuite[0]?.testcase?.length, 2);
    const [run] = JSON.parse((await check('sarif')).stdout).runs;
    const [result] = run.results;
    assert.equal(decodeURIComponent(result.locations[0].physicalLocation.artifactLocation.uri), name);
    assert.ok(!result.message.text.includes(']('));
  });

  it('say what was written into the files', async () => {
    await write('a.chainlog.json', query);
    const { code, stdout } = await check('github', '--update');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^::notice file=a\.chainlog\.json,line=1,title=a%3A ok%2C 3 logs%2C now expected::/m,
    );
  });
});
