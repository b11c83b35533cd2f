import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeAbiParameters, encodeErrorResult, parseAbi } from 'viem';
import { removeFolder } from '../../../scripts/support/script.ts';
import { createRow } from '../../support/fakeFetch.ts';
import { isFullRun } from '../../support/fullRun.ts';
import { type LoopbackServer, startRpcServer } from '../../support/loopbackServer.ts';
import { runCli } from '../../support/runCli.ts';

/** What acts on a terminal, in CI and in Markdown, in every text of a server, a chain and a project. */
const CANARY =
  'canary ##[error]a ##vso[task.b]c [d](command:e) `f` <g> \u202e\u001b[2J\u0007\r\n::error::h\n##[i]j';
const TOKEN = `0x${'b'.repeat(40)}` as const;
const HASH = `0x${'ab'.repeat(32)}` as const;
const TEXT = encodeAbiParameters([{ type: 'string' }], [CANARY]);
const FAILURE = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [CANARY] });
const QUERY = { chainId: 31337, address: TOKEN, fromBlock: 0, toBlock: 10, expect: { count: 4 } };

describe('a canary in every text of others, on the command line', () => {
  let folder: string;
  let server: LoopbackServer;
  let isRefused = false;

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'chainside-canary-')));
    const name = process.platform === 'win32' ? 'canary' : CANARY.replaceAll('/', '');
    const abi = [{ type: 'event', name: 'Said', inputs: [{ name: 'words', type: 'string' }] }];
    const files: Readonly<Record<string, string>> = {
      'foundry.toml': `[profile.default]\n[labels]\n"${TOKEN}" = ${JSON.stringify(CANARY)}\n`,
      '.chainside/labels.json': JSON.stringify({ labels: [{ address: TOKEN, name: CANARY }] }),
      [`src/${name}.sol`]: 'contract Speaker { event Said(string words); }',
      [`src/${name}/a.sol`]: 'contract Dup { event A(); }',
      [`src/${name}/b.sol`]: 'contract Dup { event A(); }',
      'deployments/localhost/.chainId': '31337',
      [`deployments/localhost/${name}.json`]: JSON.stringify({ address: TOKEN, abi }),
      [`queries/${name}.chainlog.json`]: JSON.stringify({ title: CANARY, ...QUERY }),
      'queries/field.chainlog.json': JSON.stringify({ ...QUERY, [CANARY]: 1 }),
      'queries/event.chainlog.json': JSON.stringify({ ...QUERY, event: CANARY }),
      'queries/read.chainlog.json': JSON.stringify({
        ...{ chainId: 31337, read: { address: TOKEN, function: 'say()(string)' }, expect: { value: CANARY } },
      }),
      'queries/page.chain.md': `# ${CANARY}\n\n\`\`\`chainlog\n${JSON.stringify(QUERY)}\n\`\`\`\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const logs = [createRow(1, 0, { address: TOKEN, topics: [`0x${'cc'.repeat(32)}`], data: TEXT })];
    server = await startRpcServer(({ id, method }) => {
      const results: Readonly<Record<string, unknown>> = {
        ...{ eth_chainId: '0x7a69', eth_blockNumber: '0x10', web3_clientVersion: `Geth/${CANARY}/v1` },
        ...{ eth_getLogs: logs, eth_call: TEXT, eth_getCode: '0x6001', eth_getBalance: '0x1' },
      };
      const known = isRefused && method !== 'eth_chainId' ? undefined : results[method];
      const error =
        method === 'eth_call'
          ? { code: 3, message: CANARY, data: FAILURE }
          : { code: -32000, message: CANARY, data: CANARY };
      return { jsonrpc: '2.0', id, ...(known === undefined ? { error } : { result: known }) };
    });
  });
  after(async () => {
    await server.close();
    await removeFolder(folder);
  });

  const commands = (): readonly (readonly string[])[] => [
    ['block'],
    ['block', '--at', '2026-01-01'],
    ['balance', TOKEN],
    ['tokens', TOKEN],
    ['tokens', TOKEN, '--token', TOKEN],
    ['transfers', TOKEN],
    ['identify', TOKEN],
    ['logs', '--to', '10'],
    ['logs', '--to', '10', '--decode', folder],
    ['logs', '--to', '10', '--group-by', 'address', '--decode', folder],
    ['contracts', folder],
    ['decode', TEXT, '--dir', folder],
    ['decode', FAILURE],
    ['read', TOKEN, 'say()(string)'],
    ['read', TOKEN, 'nothing', '--dir', folder],
    ['state', 'holders', TOKEN],
    ['state', 'roles', TOKEN, '--dir', folder],
    ['code', TOKEN, '--dir', folder],
    ['code', TOKEN, '--dir', folder, '--contract', 'Dup'],
    ['code', TOKEN, '--dir', folder, '--contract', 'Dub'],
    ['transaction', HASH, '--dir', folder],
    ['transaction', HASH, '--trace', '--dir', folder],
    ...['text', 'json', 'github', 'junit', 'sarif'].map((format) => ['check', '--format', format, folder]),
    ...['query_events', 'get_address', 'resolve_contract', 'get_state', 'compare_code', 'read_contract'].map(
      (tool) => ['ask', tool, JSON.stringify(inputOf(tool)), '--dir', folder],
    ),
  ];

  const inputOf = (tool: string): object =>
    ({
      query_events: { address: TOKEN, mode: 'rows' },
      get_state: { kind: 'holders', address: TOKEN },
      read_contract: { contract: TOKEN, function: 'say()(string)' },
      resolve_contract: { contract: TOKEN },
    })[tool] ?? { address: TOKEN };

  for (const refuses of [false, true]) {
    it(`acts on no terminal and in no CI, where the server ${refuses ? 'refuses' : 'answers'}`, async () => {
      isRefused = refuses;
      let seen = 0;
      for (const [place, command] of commands().entries()) {
        const asks = !['contracts', 'decode'].includes(command[0] ?? '');
        const each = [false, true].filter(
          (isTerminal) => isFullRun || isTerminal === (place % 2 === 1) || refuses,
        );
        for (const isTerminal of each) {
          const args = [command[0] ?? '', ...(asks ? ['--rpc', server.url] : []), ...command.slice(1)];
          const { stdout, stderr } = await runCli(args, { isTerminal, env: { GITHUB_WORKSPACE: folder } });
          const printed = `${stdout}\n${stderr}`.replaceAll(OWN_SEQUENCES, '');
          const what = `${command.join(' ')}: ${JSON.stringify(printed)}`;
          assert.doesNotMatch(printed, /(?!\n)[\p{Cc}\u202e\u2028\u2029]/u, what);
          assert.doesNotMatch(printed, /##[\w.-]*\[/, what);
          const lines = printed.split('\n').filter((line) => /^\s*::/.test(line));
          assert.deepEqual(
            lines.filter((line) => !/^::(?:error|warning|notice) (?:file|title)=/.test(line)),
            [],
            what,
          );
          if (printed.includes('canary')) seen++;
        }
      }
      assert.ok(seen > commands().length / 3, `${seen} outputs have the canary`);
    });
  }
});

/** What Chainside itself writes to a terminal: the line of progress, and colors. */
const ESCAPE = String.fromCharCode(27);
const OWN_SEQUENCES = new RegExp(`\\r?${ESCAPE}\\[(?:K|\\d{1,2}m)`, 'g');
