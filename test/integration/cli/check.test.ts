import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { removeFolder } from '../../../scripts/support/script.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { fileChecks } from '../../support/fileChecks.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

const shop = `0x${'b'.repeat(40)}`;
const rows = [1, 2, 3].map((block) => createRow(block, 0, { address: shop }));

describe('check of question files', () => {
  let folder: string;
  let server: LoopbackServer;
  let asked = 0;
  /** Of the server: undefined where it does not tell. */
  let chain: string | undefined;
  let head: number;
  let fails: boolean;
  /** It never responds with logs. */
  let hangs: boolean;
  /** The first digit of each block's hash. */
  let fork: string;
  /** Happens before logs are given. */
  let onLogs: () => void;

  before(async () => {
    server = await startRpcServer(({ id, method, params }) => {
      const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result });
      const refuse = (message: string) => ({ jsonrpc: '2.0', id, error: { code: -32601, message } });
      if (method === 'eth_blockNumber') return reply(`0x${head.toString(16)}`);
      if (method === 'eth_chainId') return chain === undefined ? refuse('no') : reply(chain);
      if (method !== 'eth_getLogs') return refuse('no');
      asked++;
      onLogs();
      if (hangs) return undefined;
      if (fails) return { jsonrpc: '2.0', id, error: { code: -32000, message: 'out of order' } };
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      const last = /^0x/.test(toBlock) ? Number(toBlock) : head;
      const found = rows.filter((row) => {
        const block = Number((row as { blockNumber: string }).blockNumber);
        return block >= Number(fromBlock) && block <= last;
      });
      const forked = ({ blockHash }: { blockHash: string }) => `0x${fork}${blockHash.slice(3)}`;
      return reply(found.map((row) => Object.assign({}, row, { blockHash: forked(row as never) })));
    });
  });
  beforeEach(async () => {
    [asked, chain, head, fails, hangs, fork] = [0, '0x7a69', 16, false, false, '6'];
    onLogs = () => undefined;
    folder = await mkdtemp(join(tmpdir(), 'chainside-check-'));
  });
  afterEach(() => removeFolder(folder));
  after(() => server.close());

  const { write, check, checkWith } = fileChecks(() => ({ folder, url: server.url }));
  const states = (lines: readonly { state: string }[]) => lines.map(({ state }) => state);
  const question = { chainId: 31337, address: shop, fromBlock: 0, toBlock: 10 };

  it('checks the rows of a query with groups, which change nothing', async () => {
    const query = { chainId: 31337, address: shop, toBlock: 3 };
    const [plain] = (await check(await write('plain.chainlog.json', query))).lines;
    const grouped = await write('grouped.chainlog.json', { ...query, groupBy: ['address', 'day'] });
    const [checked] = (await check(grouped)).lines;
    assert.deepEqual([checked.state, checked.count, checked.sha256], ['ok', 3, plain.sha256]);
  });

  it('tells count, hash and verdict, and goes through where all is complete and as expected', async () => {
    const file = await write('all.chainlog.json', { title: 'All', ...question, expect: { count: 3 } });
    const { code, lines, stderr } = await check(file);
    assert.equal(code, 0, stderr);
    const [{ sha256, contentSha256, verdict, ...told }] = lines;
    assert.deepEqual(told, {
      ...{ file, line: 1, title: 'All', state: 'ok', reasons: [], count: 3, expected: { count: 3 } },
    });
    assert.equal(verdict.state, 'complete');
    assert.match(sha256, /^[0-9a-f]{64}$/);
    const again = await write('hash.chainlog.json', {
      ...question,
      expect: { sha256: `0x${sha256.toUpperCase()}` },
    });
    assert.equal((await check(again)).code, 0);
    const contents = await write('contents.chainlog.json', { ...question, expect: { contentSha256 } });
    const old = await write('old.chainlog.json', { ...question, expect: { count: 3, sha256 } });
    fork = '7';
    const fresh = await check(contents, old);
    assert.deepEqual(states(fresh.lines), ['ok', 'differs']);
    assert.notEqual(fresh.lines[0].sha256, sha256);
  });

  it('fails where rows are more, fewer or others than expected, and asks the next file all the same', async () => {
    const fewer = await write('a.chainlog.json', { ...question, expect: { count: 4 } });
    const others = await write('b.chainlog.json', {
      ...question,
      expect: { count: 3, sha256: 'a'.repeat(64) },
    });
    const right = await write('c.chainlog.json', { ...question, expect: { count: 3 } });
    const { code, lines, stderr } = await check(fewer, others, right);
    assert.equal(code, 1);
    assert.deepEqual(states(lines), ['differs', 'differs', 'ok']);
    assert.match(stderr, /Number of logs: 3\. Expected: 4/);
    assert.match(stderr, /The logs differ from the expected ones/);
  });

  it('fails where the answer is not complete: the chain ends before, the server fails', async () => {
    const file = await write('a.chainlog.json', { ...question, expect: { count: 3 } });
    head = 5;
    const early = await check(file);
    assert.equal(early.code, 3);
    assert.deepEqual(states(early.lines), ['incomplete']);
    assert.match(early.lines[0].reasons[0], /range ends after the latest block, 5/);
    [head, fails] = [16, true];
    const failed = await check(file);
    assert.equal(failed.code, 3);
    assert.deepEqual(states(failed.lines), ['incomplete']);
    assert.match(failed.lines[0].error.serverMessage, /out of order/);
  });

  it('fails on each file that is no question, and says why, without asking', async () => {
    const files = await Promise.all([
      write('broken.chainlog.json', '{ "chainId": 31337,\n // all\n }'),
      write('slip.chainlog.json', { ...question, adress: shop }),
      write('nochain.chainlog.json', { address: shop }),
      write('name.chainlog.json', { ...question, address: 'Nobody' }),
      write('event.chainlog.json', { ...question, event: 'Paid(' }),
      write('reversed.chainlog.json', { ...question, fromBlock: 20 }),
      write('deep.chainlog.json', '['.repeat(100_000)),
      write('notes.txt', 'hello'),
    ]);
    const { code, lines } = await check(...files);
    assert.equal(code, 2);
    assert.deepEqual([...new Set(states(lines))], ['invalid']);
    assert.equal(lines.length, files.length);
    for (const { error } of lines) assert.equal(error.kind, 'badInput');
    assert.deepEqual(
      lines.map(({ error }) => error.field),
      ['query', 'adress', 'chainId', 'address', 'event', 'fromBlock', 'query', 'query'],
    );
    assert.equal(asked, 0);
  });

  it('asks no other chain than that of the question', async () => {
    const file = await write('a.chainlog.json', { ...question, chainId: 1 });
    const { code, lines } = await check(file);
    assert.equal(code, 2);
    assert.deepEqual(states(lines), ['invalid']);
    assert.match(lines[0].reasons[0], /for chain 1, but the server is on chain 31337/);
    assert.equal(asked, 0);
    const contradicted = await check(await write('b.chainlog.json', question), '--chain-id', '1');
    assert.equal(contradicted.code, 2);
    assert.equal(contradicted.lines[0].error.field, 'chain-id');
  });

  it('takes the chain from the command line where the server does not tell it', async () => {
    chain = undefined;
    const file = await write('a.chainlog.json', question);
    const untold = await check(file);
    assert.equal(untold.code, 2);
    assert.equal(untold.lines[0].error.field, 'chain-id');
    assert.equal((await check(file, '--chain-id', '31337')).code, 0);
  });

  it('knows names by the project that the file lies in, or by the folder that is given', async () => {
    await writeFile(join(folder, 'truffle-config.js'), '');
    await mkdir(join(folder, 'build', 'contracts'), { recursive: true });
    await mkdir(join(folder, 'queries'));
    const artifact = { contractName: 'Shop', abi: [], networks: { 31337: { address: shop } } };
    await writeFile(join(folder, 'build', 'contracts', 'Shop.json'), JSON.stringify(artifact));
    const named = { ...question, address: 'Shop', expect: { count: 3 } };
    const file = await write('queries/a.chainlog.json', named);
    await mkdir(join(folder, '.chainside'));
    await write('.chainside/labels.json', { labels: [{ address: shop, name: 'The Shop', chainId: 31337 }] });
    const called = await write('queries/b.chainlog.json', { ...named, address: 'The Shop' });
    const inside = await check(file, called);
    assert.equal(inside.code, 0, inside.stderr);
    assert.deepEqual(states(inside.lines), ['ok', 'ok']);
    const elsewhere = await mkdtemp(join(tmpdir(), 'chainside-elsewhere-'));
    try {
      assert.deepEqual(states((await check(file, '--dir', elsewhere)).lines), ['invalid']);
    } finally {
      await removeFolder(elsewhere);
    }
  });

  it('writes what came into the files, only where it is complete', async () => {
    const text = `{\n  "chainId": 31337,\n  "address": "${shop}",\n  "toBlock": 10\n}\n`;
    const file = await write('a.chainlog.json', text);
    const { code, lines } = await check(file, '--update');
    assert.equal(code, 0);
    const [{ count, contentSha256, updated }] = lines;
    assert.equal(updated, true);
    assert.equal(
      await readFile(file, 'utf8'),
      text.replace(
        '10\n',
        `10,\n  "expect": {\n    "count": ${count},\n    "contentSha256": "${contentSha256}"\n  }\n`,
      ),
    );
    const again = await check(file, '--update');
    assert.equal(again.code, 0);
    assert.equal(again.lines[0].updated, undefined);
    head = 5;
    const before = await readFile(file, 'utf8');
    assert.equal((await check(file, '--update')).code, 3);
    assert.equal(await readFile(file, 'utf8'), before);
  });

  describe('of a document', () => {
    const block = (json: object, space?: number) =>
      `\`\`\`chainlog\n${JSON.stringify(json, null, space)}\n\`\`\`\n\n`;
    const kept = (count: number, toBlock: number) =>
      `<!-- ${count} logs, complete to ${toBlock}, sha256 ${'0'.repeat(64)} -->`;
    const open = { chainId: 31337, address: shop, fromBlock: 0 };

    it('writes the verdict behind a block anew, read to where the block itself ends', async () => {
      const text = `${block(open).trimEnd()}\n${kept(1, 2)}\n\nend\n`;
      const file = await write('kept.chain.md', text);
      assert.deepEqual(states((await check(file)).lines), ['differs']);
      const { code, lines } = await check(file, '--update');
      assert.equal(code, 0);
      const [{ count, contentSha256, updated, expected }] = lines;
      assert.deepEqual([count, updated, expected.count], [3, true, 1]);
      const line = `<!-- 3 logs, complete to 16, content sha256 ${contentSha256} -->`;
      assert.equal(await readFile(file, 'utf8'), text.replace(kept(1, 2), line));
      head = 18;
      assert.equal((await check(file)).code, 0);
      assert.equal((await check(file, '--update')).lines[0].updated, true);
      assert.equal((await check(file, '--update')).lines[0].updated, undefined);
      assert.match(await readFile(file, 'utf8'), /complete to 18,/);
    });

    it('leaves a verdict that is ahead of the server', async () => {
      const text = `${block(open).trimEnd()}\n${kept(1, 30)}\n`;
      const file = await write('ahead.chain.md', text);
      const { code, lines } = await check(file, '--update');
      assert.deepEqual([code, states(lines)], [3, ['incomplete']]);
      assert.match(lines[0].reasons[0], /latest block of the server is 16, below block 30/);
      assert.equal(await readFile(file, 'utf8'), text);
    });

    it('fails on a verdict that belongs to no query or cannot be read, with its line', async () => {
      const text = `${block({ ...open, toBlock: 2 })}${kept(2, 2)}\n\nend\n\n${kept(1, 2)}\n<!-- 3 logs, complete to 2 -->\n`;
      const { code, lines } = await check(await write('stray.chain.md', text));
      assert.equal(code, 1);
      assert.deepEqual(
        lines.map(({ line, state, error }) => [line, state, error?.field]),
        [
          [1, 'differs', undefined],
          [9, 'invalid', 'verdict'],
          [10, 'invalid', 'verdict'],
        ],
      );
    });
  });

  it('takes UTF-8 alone, with or without a byte order mark', async () => {
    const text = JSON.stringify({ ...question, title: 'Café' });
    const file = await write('a.chainlog.json', '');
    await writeFile(file, Buffer.from(text, 'latin1'));
    const { code, lines } = await check(file, '--update');
    assert.equal(code, 2);
    assert.deepEqual([states(lines), lines[0].error.field], [['invalid'], 'file']);
    assert.match(lines[0].reasons[0], /not UTF-8/);
    assert.deepEqual(await readFile(file), Buffer.from(text, 'latin1'));
    await writeFile(file, `\uFEFF${text}`);
    assert.equal((await check(file, '--update')).code, 0);
    assert.match(await readFile(file, 'utf8'), /^\uFEFF\{.*Café.*"expect"/);
  });

  it('leaves a file that was edited while its questions were asked', async () => {
    const file = await write('a.chainlog.json', question);
    const edited = JSON.stringify({ ...question, title: 'mine' });
    onLogs = () => writeFileSync(file, edited);
    const { code, lines } = await check(file, '--update');
    assert.deepEqual([code, states(lines)], [2, ['invalid']]);
    assert.equal(lines[0].updated, undefined);
    assert.match(lines[0].reasons[0], /has changed since it was read/);
    assert.equal(await readFile(file, 'utf8'), edited);
    assert.deepEqual(await readdir(folder), ['a.chainlog.json']);
  });

  it('puts the new file in the place of the old one, of its mode, behind its links', async function () {
    if (process.platform === 'win32') return this.skip();
    const file = await write('a.chainlog.json', question);
    await chmod(file, 0o640);
    const { ino } = await stat(file);
    const link = join(folder, 'link.chainlog.json');
    await symlink('a.chainlog.json', link);
    assert.equal((await check(link, '--update')).code, 0);
    assert.ok((await lstat(link)).isSymbolicLink());
    const after = await stat(file);
    assert.equal(after.mode & 0o777, 0o640);
    assert.notEqual(after.ino, ino);
    assert.match(await readFile(file, 'utf8'), /"expect"/);
    assert.deepEqual(await readdir(folder), ['a.chainlog.json', 'link.chainlog.json']);
  });

  it('says where nothing is expected, and fails there if it is strict', async () => {
    const none = await write('none.chainlog.json', question);
    const empty = await write('empty.chainlog.json', { ...question, expect: {} });
    const some = await write('some.chainlog.json', { ...question, expect: { count: 3 } });
    const lenient = await check(none, empty, some);
    assert.equal(lenient.code, 0);
    assert.deepEqual(
      lenient.lines.map(({ expected }) => expected),
      [null, null, { count: 3 }],
    );
    assert.equal(lenient.stderr.match(/: ok, 3 logs, nothing expected$/gm)?.length, 2);
    const strict = await check('--strict', none, empty, some);
    assert.equal(strict.code, 1);
    assert.deepEqual(states(strict.lines), ['nothingExpected', 'nothingExpected', 'ok']);
    assert.match(
      strict.stderr,
      /: nothing expected, 3 logs\n- Nothing is expected of this query\. Add "expect"/,
    );
    assert.equal((await check('--strict', '--update', none, empty)).code, 0);
    assert.equal((await check('--strict', none, empty, some)).code, 0);
  });

  it('takes folders and patterns, and each file once', async () => {
    for (const name of ['queries/b', 'queries/.hidden', 'node_modules/x', '.git', 'empty'])
      await mkdir(join(folder, name), { recursive: true });
    const files = ['queries/a.chainlog.json', 'queries/b/c.chain.md', 'queries/.hidden/d.CHAINLOG.JSON'];
    const block = `\`\`\`chainlog\n${JSON.stringify(question)}\n\`\`\`\n`;
    for (const name of [...files, 'node_modules/x/e.chainlog.json', '.git/f.chainlog.json'])
      await write(name, name.endsWith('.md') ? block : question);
    await write('queries/notes.txt', 'hello');
    await write('queries/package.json', {});
    await write('[g].chainlog.json', question);
    const all = await check(join(folder, 'queries'), join(folder, files[0] ?? ''));
    assert.equal(all.code, 0, all.stderr);
    const names = (lines: readonly { file: string }[]) => lines.map(({ file }) => relative(folder, file));
    assert.deepEqual(names(all.lines).sort(), [...files].sort());
    const found = await check(`${folder}/queries/**/*.{chain.md,chainlog.json}`);
    assert.deepEqual(names(found.lines).sort(), [files[0], files[1]].sort());
    assert.deepEqual(names((await check(`${folder}/*/*.json`)).lines), [
      'queries/a.chainlog.json',
      'queries/package.json',
    ]);
    const literal = await check(join(folder, '[g].chainlog.json'));
    assert.deepEqual([literal.code, names(literal.lines)], [0, ['[g].chainlog.json']]);
    const none = await check(join(folder, 'empty'), `${folder}/queries/*.chain.md`, join(folder, 'gone'));
    assert.deepEqual([none.code, states(none.lines)], [2, ['invalid', 'invalid', 'invalid']]);
    assert.match(none.lines[0].reasons[0], /There is no query file in .*empty/);
    assert.match(none.lines[1].reasons[0], /There is no query file in .*\*\.chain\.md/);
    assert.match(none.lines[2].reasons[0], /does not exist \(ENOENT\)/);
  });

  it('takes paths as they are typed where npm was started', async () => {
    await write('typed.chainlog.json', question);
    for (const env of [{ INIT_CWD: folder }, { INIT_CWD: folder, npm_lifecycle_event: 'headless' }])
      for (const typed of ['typed.chainlog.json', '*ed.chainlog.json']) {
        const { code, lines, stderr } = await checkWith({ env }, typed);
        assert.deepEqual([code, lines[0].file], [0, 'typed.chainlog.json'], stderr);
      }
    const here = await checkWith({ env: { INIT_CWD: folder, npm_lifecycle_event: 'headless' } }, '.');
    assert.deepEqual(
      here.lines.map(({ file }) => file),
      ['typed.chainlog.json'],
    );
  });

  it('ends a query after its time, and waits for a silent server once', async () => {
    hangs = true;
    const files = await Promise.all(
      ['a', 'b', 'c'].map((name) => write(`${name}.chainlog.json`, { ...question, expect: { count: 3 } })),
    );
    const broken = await write('d.chainlog.json', '{');
    const { code, lines } = await check('--timeout', '2.5', ...files, broken);
    assert.equal(code, 2);
    assert.deepEqual(states(lines), ['incomplete', 'incomplete', 'incomplete', 'invalid']);
    assert.deepEqual(
      lines.slice(0, 3).map(({ error }) => error.kind),
      ['timeout', 'timeout', 'timeout'],
    );
    assert.match(lines[0].reasons[0], /The query took longer than 2\.5 s/);
    for (const { reasons } of lines.slice(1, 3))
      assert.match(reasons[0], /did not respond in time to an earlier query\. This query was not run/);
    for (const seconds of ['0', '-1', 'soon', '1e9']) {
      const wrong = await check(`--timeout=${seconds}`, ...files);
      assert.deepEqual([wrong.code, wrong.lines[0].error.field], [2, 'timeout']);
    }
  });

  for (const isProject of [false, true])
    it(`writes through no link that leaves the project${isProject ? ' for another' : ''}`, async function () {
      if (process.platform === 'win32') return this.skip();
      const elsewhere = await mkdtemp(join(tmpdir(), 'chainside-elsewhere-'));
      try {
        await writeFile(join(folder, 'foundry.toml'), '');
        const text = JSON.stringify(question);
        await writeFile(join(elsewhere, 'a.chainlog.json'), text);
        await symlink(join(elsewhere, 'a.chainlog.json'), join(folder, 'file.chainlog.json'));
        await symlink(elsewhere, join(folder, 'linked'));
        // The link leads into another project.
        if (isProject) await writeFile(join(elsewhere, 'foundry.toml'), '');
        const linked = [join(folder, 'file.chainlog.json'), join(folder, 'linked/a.chainlog.json')];
        const { code, lines } = await check('--update', ...linked);
        assert.deepEqual([code, states(lines)], [2, ['invalid', 'invalid']]);
        for (const { reasons } of lines)
          assert.match(reasons.at(-1), /link to a file outside of its project/);
        assert.equal(await readFile(join(elsewhere, 'a.chainlog.json'), 'utf8'), text);
        const names = ['a.chainlog.json', ...(isProject ? ['foundry.toml'] : [])];
        assert.deepEqual(await readdir(elsewhere), names);
        assert.equal((await check(...linked)).code, 0);
      } finally {
        await removeFolder(elsewhere);
      }
    });

  it('reads a link that it finds in a folder only where it stays in the project', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'chainside-elsewhere-'));
    try {
      await writeFile(join(folder, 'foundry.toml'), '');
      await write('a.chainlog.json', { ...question, expect: { count: 3 } });
      await writeFile(join(elsewhere, 'b.chainlog.json'), JSON.stringify(question));
      await symlink('a.chainlog.json', join(folder, 'inside.chainlog.json'));
      await symlink(join(elsewhere, 'b.chainlog.json'), join(folder, 'outside.chainlog.json'));
      const { code, lines } = await check(folder);
      assert.deepEqual([code, states(lines)], [2, ['ok', 'ok', 'invalid']]);
      assert.match(
        lines[2].reasons[0],
        /outside\.chainlog\.json is a link to a file outside of its project\. It was not read\./,
      );
    } finally {
      await removeFolder(elsewhere);
    }
  });

  it('does not wait for a pipe that nobody writes to', async function () {
    if (process.platform === 'win32') return this.skip();
    const pipe = join(folder, 'pipe.chainlog.json');
    execFileSync('mkfifo', [pipe]);
    const { code, lines } = await check(pipe);
    assert.equal(code, 2);
    assert.match(lines[0].reasons[0], /cannot be read: it is not a regular file/);
    const logs = await runCli(['logs', '--rpc', server.url, '--query', pipe]);
    assert.equal(logs.code, 2);
    assert.match(logs.stdout, /is not a file\. To read from a pipe, use --query -/);
  });

  it('says why a file cannot be read', async function () {
    if (process.platform === 'win32') return this.skip();
    const circle = join(folder, 'circle.chainlog.json');
    await symlink(circle, circle);
    const file = await write('a.chainlog.json', question);
    const { lines } = await check(
      ...[join(folder, 'gone.chainlog.json'), circle, join(file, 'b.chainlog.json')],
      ...[
        join(folder, `${'x'.repeat(300)}.chainlog.json`),
        await write('huge.chain.md', ' '.repeat(3_000_000)),
      ],
    );
    assert.deepEqual(
      lines.map(({ reasons: [reason] }) => /cannot be read: (.*)\.$/.exec(reason)?.[1]),
      [
        'it does not exist (ENOENT)',
        'its links form a circle (ELOOP)',
        'a part of its path is not a folder (ENOTDIR)',
        'its name is too long (ENAMETOOLONG)',
        'it is too large. 1048576 bytes are the most',
      ],
    );
  });

  it('wants files, with names that are not empty, as of a variable that is not set', async () => {
    const none = await check();
    const empty = await check(folder, '');
    for (const { code, lines } of [none, empty]) assert.deepEqual([code, lines[0].error.field], [2, 'file']);
    assert.match(empty.lines[0].error.message, /^The name of a file is empty\./);
  });
});
