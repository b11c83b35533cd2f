import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { load } from 'js-yaml';
import { buildAll } from '../../../../scripts/support/build.ts';
import { fromRoot } from '../../../../scripts/support/paths.ts';
import { removeFolder } from '../../../../scripts/support/script.ts';
import { runAction } from '../../../../src/cli/action/run.ts';
import { createRow } from '../../../support/fakeFetch.ts';
import {
  type LoopbackServer,
  startLoopbackServer,
  startMethodServer,
  startRpcServer,
} from '../../../support/loopbackServer.ts';
import { runInMemory } from '../../../support/runCli.ts';

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, object>>;
  readonly runs: { readonly using: string; readonly main: string };
}

const shop = `0x${'b'.repeat(40)}`;

describe('GitHub Action', () => {
  let folder: string;
  let repository: string;
  let action: ActionFile;
  let chain: LoopbackServer;

  before(async () => {
    action = load(await readFile(fromRoot('action.yml'), 'utf8')) as ActionFile;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'chainside-action-')));
    repository = join(folder, 'repository');
    await mkdir(repository);
    await writeFile(join(repository, 'foundry.toml'), '[profile.default]\n');
    chain = await startMethodServer({
      eth_chainId: '0x7a69',
      eth_blockNumber: '0x5',
      eth_getLogs: [createRow(1, 0, { address: shop })],
    });
  });
  after(async () => {
    await chain.close();
    await removeFolder(folder);
  });

  type Variables = Readonly<Record<string, string>>;

  /** What the runner sets: the defaults of the inputs, and files to write to. */
  function setVariables(inputs: Variables): Variables {
    const defaults = Object.entries(action.inputs).map(([name, input]) => [
      name,
      String(input.default ?? ''),
    ]);
    const given = { ...Object.fromEntries(defaults), 'rpc-url': chain.url, ...inputs };
    return {
      GITHUB_WORKSPACE: repository,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...Object.fromEntries(
        Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
      ),
    };
  }

  async function check(inputs: Variables, secrets: Variables = {}) {
    const env = { ...setVariables(inputs), ...secrets };
    const files = [env.GITHUB_OUTPUT ?? '', env.GITHUB_STEP_SUMMARY ?? ''] as const;
    for (const file of files) await writeFile(file, '');
    const { code, stdout, stderr } = await runInMemory(runAction, { env });
    const output = await readFile(files[0], 'utf8');
    const outputs = Object.fromEntries(
      [...output.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
    );
    const summary = await readFile(files[1], 'utf8');
    return { code, stdout, stderr, outputs, summary };
  }

  async function write(name: string, content: object): Promise<void> {
    await mkdir(join(repository, 'queries'), { recursive: true });
    await writeFile(join(repository, 'queries', name), JSON.stringify(content, null, 2));
  }
  const query = { chainId: 31337, address: shop, fromBlock: 1, toBlock: 1 };
  const good = { title: 'Count', ...query, expect: { count: 1 } };
  const bad = { ...good, title: 'Wrong | count', expect: { count: 13 } };
  const late = { title: 'Late', chainId: 31337, toBlock: 99 };

  afterEach(() => removeFolder(join(repository, 'queries')));

  it('is one file for Node 24, beside the notices of third parties', async () => {
    await write('a.chainlog.json', bad);
    const dist = join(folder, 'dist');
    await cp(join((await buildAll()).action, 'dist'), dist, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"name":"chainside","version":"1.2.3"}');
    assert.deepEqual(await readdir(dist), ['THIRD-PARTY-NOTICES.txt', 'action.cjs']);
    const { size } = await stat(join(dist, 'action.cjs'));
    assert.ok(size < 1_500_000, `${size} bytes`);
    const { using, main } = action.runs;
    assert.equal(using, 'node24');
    const env = { PATH: process.env.PATH, ...setVariables({ 'sarif-file': 'check.sarif' }) };
    const child = spawn(process.execPath, [join(folder, main)], { env });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    assert.deepEqual([code, stderr], [1, ''], stdout);
    assert.match(stdout, /^queries\/a\.chainlog\.json:\d+: Wrong \| count: differs, 1 log\n/);
    const [sarif] = JSON.parse(await readFile(join(repository, 'check.sarif'), 'utf8')).runs;
    assert.equal(sarif.tool.driver.version, '1.2.3');
  });

  it('passes on a good repository, by its defaults', async () => {
    await write('a.chainlog.json', good);
    const { code, stdout, stderr, outputs, summary } = await check({});
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.equal(stdout, 'queries/a.chainlog.json:1: Count: ok, 1 log\n1 query: 1 ok.\n');
    assert.deepEqual(outputs, { result: 'ok', checked: '1', failed: '0', 'sarif-file': '' });
    assert.match(summary, /^## Chainside check\n\n1 query: 1 ok\.\n\n\| .*\n\|---.*\n\| ✅ \| Count \| /);
  });

  it('fails on a bad one, with an annotation at the line, a summary and SARIF', async () => {
    await write('a.chainlog.json', good);
    await write('b.chainlog.json', bad);
    const { code, stdout, outputs, summary } = await check({ 'sarif-file': 'out/check.sarif' });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^::error file=queries\/b\.chainlog\.json,line=7,title=Wrong \| count%3A differs%2C 1 log::.*13/m,
    );
    const sarifFile = join(repository, 'out', 'check.sarif');
    assert.deepEqual(outputs, { result: 'difference', checked: '2', failed: '1', 'sarif-file': sarifFile });
    const [run] = JSON.parse(await readFile(sarifFile, 'utf8')).runs;
    assert.deepEqual([run.tool.driver.version, run.results.length], ['9.8.7', 1]);
    const rows = summary.split('\n').filter((line) => line.startsWith('| '));
    assert.deepEqual(
      rows.map((row) => row.split(' | ').length),
      [4, 4, 4],
    );
    assert.match(
      rows[1] ?? '',
      /^\| ❌ \| Wrong &#124; count \| <code>queries\/b&#46;chainlog&#46;json&#58;7<\/code>/,
    );
  });

  it('checks the files, in the folder and with the options that inputs name', async () => {
    await write('a.chainlog.json', good);
    await write('b.chainlog.json', bad);
    await write('c.chainlog.json', { ...good, expect: undefined });
    const one = await check({ files: 'queries/a.chainlog.json\n\n  queries/a*.json\n' });
    assert.deepEqual([one.code, one.outputs.checked], [0, '1']);
    const inFolder = { 'working-directory': 'queries', files: 'c.chainlog.json', dir: '..', timeout: '60' };
    const lenient = await check({ ...inFolder, 'chain-id': '31337' });
    assert.equal(lenient.code, 0, lenient.stdout);
    const strict = await check({ ...inFolder, strict: 'true', 'sarif-file': 'x.sarif' });
    assert.equal(strict.code, 1);
    assert.match(
      strict.stdout,
      /::error file=queries\/c\.chainlog\.json,line=1,title=Count%3A nothing expected/,
    );
    assert.equal(strict.outputs['sarif-file'], join(repository, 'queries', 'x.sarif'));
  });

  it('fails on what fail-on says', async () => {
    const run = async (failOn: string) => {
      const { code, outputs } = await check({ 'fail-on': failOn });
      return [code, outputs.result];
    };
    await write('a.chainlog.json', late);
    assert.deepEqual(await run('incomplete'), [1, 'incomplete']);
    assert.deepEqual(await run('difference'), [0, 'incomplete']);
    await write('b.chainlog.json', bad);
    assert.deepEqual(await run('difference'), [1, 'difference']);
    assert.deepEqual(await run('never'), [0, 'difference']);
    const dead = { 'rpc-url': 'http://127.0.0.1:1', 'chain-id': '31337' };
    const silent = await check(dead);
    assert.deepEqual([silent.code, silent.outputs.result], [1, 'incomplete']);
    assert.equal((await check({ ...dead, 'fail-on': 'never' })).code, 0);
  });

  it('says which input is wrong, in an annotation and the summary', async () => {
    await write('a.chainlog.json', good);
    for (const [name, value, message] of [
      ['rpc-url', 'none', /::error title=Chainside::rpc-url must be an http/],
      ['timeout', '-1', /::error title=Chainside::timeout must be/],
      ['chain-id', '1', /::error title=Chainside::The server is on chain 31337/],
      ['rpc-key-in', 'nowhere', /::error title=Chainside::rpc-key-in must be/],
      ['rpc-key-env', 'NO_SUCH_KEY', /::error title=Chainside::.*rpc-key-in/],
      ['strict', 'yes', /::error title=Chainside::strict must be true or false/],
      ['fail-on', 'all', /::error title=Chainside::fail-on must be one of/],
      ['working-directory', 'gone', /::error title=Chainside::working-directory gone is not a folder/],
      ['files', '', /::error title=Chainside::There is no file to check/],
      ['sarif-file', 'foundry.toml/x', /::error title=Chainside::.*foundry\.toml\/x cannot be written/],
    ] as const) {
      const { code, stdout, outputs, summary } = await check({ 'fail-on': 'never', [name]: value });
      assert.deepEqual([code, outputs.result], [1, 'error'], name);
      assert.match(stdout, message);
      assert.match(summary, /^## Chainside check\n\n(?:❌ |1 query)/, name);
    }
    assert.deepEqual((await check({ dir: 'gone' })).code, 1);
  });

  describe('in a repository with links out of it', () => {
    let outside: string;
    before(async () => {
      outside = join(folder, 'outside');
      await mkdir(outside);
      await writeFile(join(outside, 'profile'), 'own');
      await writeFile(join(outside, 'x.chainlog.json'), JSON.stringify(good));
      await symlink(join(outside, 'profile'), join(repository, 'results.sarif'));
      await symlink(outside, join(repository, 'reports'));
      await symlink(join(outside, 'x.chainlog.json'), join(repository, 'linked.chainlog.json'));
    });
    after(async () => {
      for (const name of ['results.sarif', 'reports', 'linked.chainlog.json'])
        await rm(join(repository, name));
    });

    it('writes results through none of them', async () => {
      await write('a.chainlog.json', good);
      const files = 'queries/a.chainlog.json';
      for (const sarif of ['results.sarif', 'reports/new.sarif', 'reports/deep/new.sarif']) {
        const { code, stdout, outputs } = await check({ files, 'sarif-file': sarif });
        assert.deepEqual([code, outputs.result], [1, 'error'], sarif);
        assert.match(
          stdout,
          /::error title=Chainside::.*sarif cannot be written: it is a symbolic link, or in a/,
        );
      }
      assert.equal(await readFile(join(outside, 'profile'), 'utf8'), 'own');
      assert.deepEqual((await readdir(outside)).sort(), ['profile', 'x.chainlog.json']);
    });

    it('reads no file, folder or project through one', async () => {
      await write('a.chainlog.json', good);
      for (const files of ['linked.chainlog.json', '*.chainlog.json', 'reports/x.chainlog.json']) {
        const { stdout, outputs } = await check({ files });
        assert.equal(outputs.result, 'difference', files);
        assert.match(stdout, /is a link to a file outside of its project\. It was not read/, files);
      }
      for (const input of ['working-directory', 'dir']) {
        const { stdout, outputs } = await check({ files: 'queries', [input]: 'reports' });
        assert.equal(outputs.result, 'error');
        assert.ok(stdout.includes(`${input} reports is a link that leads out of the repository.`), stdout);
      }
    });

    it('writes where the workflow says, also outside, and makes the folders that are missing', async () => {
      await write('a.chainlog.json', good);
      const sarif = join(folder, 'new', 'deep', 'x.sarif');
      const { code } = await check({ files: 'queries/a.chainlog.json', 'sarif-file': sarif });
      assert.equal(code, 0);
      assert.ok(JSON.parse(await readFile(sarif, 'utf8')).runs);
      assert.deepEqual(await readdir(join(folder, 'new', 'deep')), ['x.sarif']);
      // Node never ends creating all missing folders there.
      const never = await check({
        files: 'queries/a.chainlog.json',
        'sarif-file': '/proc/none/deep/x.sarif',
      });
      assert.match(never.stdout, /cannot be written/);
    });
  });

  describe('with a key', () => {
    let server: LoopbackServer;
    before(async () => {
      server = await startRpcServer(({ id }) => ({
        ...{ jsonrpc: '2.0', id },
        error: { code: -32000, message: `no ${key}` },
      }));
    });
    after(() => server.close());
    const key = 'a1b2c3d4e5f6a7b8c9d0%x';

    it('hides it before all else, and prints it nowhere', async () => {
      await write('a.chainlog.json', good);
      for (const inputs of [
        { 'rpc-url': `${server.url}/\${key}`, 'rpc-key-env': 'RPC_KEY' },
        { 'rpc-url': server.url, 'rpc-key-env': 'RPC_KEY', 'rpc-key-in': 'header:x-key' },
        { 'rpc-url': `${server.url}/\${env:RPC_KEY}` },
      ]) {
        const { stdout, stderr, summary, outputs } = await check(inputs, { RPC_KEY: key });
        const escaped = key.replace('%', '%25');
        assert.ok(stdout.startsWith(`::add-mask::${escaped}\n`), stdout);
        const rest =
          stdout.replaceAll(`::add-mask::${escaped}\n`, '') + stderr + summary + JSON.stringify(outputs);
        assert.ok(!rest.includes(key) && !rest.includes('::add-mask::'), rest);
      }
      const inUrl = 'f00df00df00df00df00df00df00df00d';
      const { stdout } = await check({ 'rpc-url': `${server.url}/v2/${inUrl}` });
      assert.ok(stdout.startsWith(`::add-mask::${inUrl}\n`), stdout);
    });
  });

  it('fails on a wrong key, whatever fail-on says', async () => {
    await write('a.chainlog.json', good);
    await using server = await startLoopbackServer(
      (_request, response) => void response.writeHead(401).end(),
    );
    for (const failOn of ['incomplete', 'difference', 'never']) {
      const { code, outputs } = await check({ 'rpc-url': server.url, 'fail-on': failOn });
      assert.deepEqual([code, outputs.result, outputs.checked], [1, 'error', '0'], failOn);
    }
  });

  it('bounds the summary', async () => {
    const block = `## ${'&'.repeat(190)}\n\n\`\`\`chainlog\n{ "chainId": 31337, "${'&'.repeat(90)}": 1 }\n\`\`\`\n\n`;
    await mkdir(join(repository, 'queries'), { recursive: true });
    await writeFile(join(repository, 'queries', 'all.chain.md'), block.repeat(900));
    const { code, summary } = await check({});
    assert.equal(code, 1);
    assert.ok(Buffer.byteLength(summary) < 1024 * 1024);
    assert.match(summary, /\n\n\d+ more queries are in the log\.\n$/);
  });

  it('reads each input that action.yml names, and documents it', async () => {
    const docs = await readFile(fromRoot('docs', 'ci.md'), 'utf8');
    const source = await Promise.all(
      ['inputs.ts', 'run.ts'].map((file) => readFile(fromRoot('src', 'cli', 'action', file), 'utf8')),
    );
    const names = Object.keys(action.inputs);
    assert.ok(names.length > 10);
    assert.ok(names.every((name) => action.inputs[name]?.default !== undefined));
    for (const name of names) {
      assert.ok(source.join('').includes(`'${name}'`), name);
      assert.match(docs, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
    }
    const outputs = Object.keys((await check({ files: '' })).outputs);
    assert.deepEqual(Object.keys(action.outputs), outputs);
    for (const name of outputs) assert.ok(docs.includes(`\`${name}\``), name);
  });
});
