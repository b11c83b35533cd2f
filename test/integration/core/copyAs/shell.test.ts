import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { formatComment } from '../../../../src/core/copyAs/copyQuery.ts';
import { type CopyQuery, type CopyResult, copyQueryTargets, type Hex } from '../../../../src/core/index.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { runs } from '../../../support/fullRun.ts';

const hostile = [
  ...Object.values(hostileNames),
  ...Object.values(hostileTexts),
  ...[
    "'; touch /tmp/x; '",
    '$(id)',
    '`id`',
    '\\',
    "\\'",
    '!!',
    '*',
    '~',
    '-rf',
    '{a,b}',
    '#',
    '\n#',
    '*/ --',
    '"',
  ],
].filter((text) => text.length < 5000);
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...hostile));
/** No argument of a program has a zero byte in it, and a lone surrogate has no bytes. */
const argument = anyText.map((text) => text.replaceAll(/\0|\p{Surrogate}/gu, ''));

/** Behind the arguments of each command. */
const END = 'the-end-of-a-command';

/** Runs a script, and gives the arguments that it prints, each ended with a zero byte. */
function printed(script: string, env: NodeJS.ProcessEnv): string[] {
  // What would be run in place of being printed is not found.
  const input = `PATH=/nowhere\n${script}`;
  const { stdout, stderr, status } = spawnSync('bash', ['-eu'], { input, env: { ...process.env, ...env } });
  assert.equal(status, 0, stderr.toString());
  return stdout.toString().split('\0').slice(0, -1);
}

describe('words of a shell', () => {
  it('have comments of which nothing is run, though a shell takes them for commands', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const comment = formatComment(text);
        assert.match(comment, /^[A-Za-z0-9 .,:/_-]{0,160}$/);
      }),
    );
  });
});

describe('commands for other tools', function commands() {
  // Each case starts a shell.
  this.timeout(120_000);

  const address = `0x${'ab'.repeat(20)}` as const;
  /** Hex is never anything else; a generator is held to it all the same. */
  const hex = fc.oneof(
    argument.map((text) => text as Hex),
    fc.constant(address),
  );
  const filter = fc.record({
    addresses: fc.array(hex, { maxLength: 3 }),
    topics: fc.array(fc.option(fc.array(hex, { minLength: 1, maxLength: 3 })), { maxLength: 4 }),
    fromBlock: fc.constantFrom('earliest' as const, 5n),
    toBlock: fc.constantFrom('latest' as const, 2n ** 40n),
  });
  const query = fc.tuple(filter, argument, argument).map(
    ([asked, name, path]): CopyQuery => ({
      filter: asked,
      event: undefined,
      network: {
        name,
        chainId: 1,
        rpcUrl: new URL(encodeURI([...path].slice(0, 9).join('')), 'http://127.0.0.1:1/').href,
      },
    }),
  );

  const targets = copyQueryTargets.filter(({ id }) => /^(?:curl|cast|cryo|sqd|hypersync)$/.test(id));
  it('are one command each, with the query in its arguments as it is', () => {
    const show = ['curl', 'cast', 'cryo']
      .map((program) => `${program}() { printf '%s\\0' "$@"; }\n`)
      .join('');
    fc.assert(
      fc.property(query, (asked) => {
        const handed = targets.map(({ copy }) => copy(asked));
        // One shell for all of them.
        const scripts = handed.map((one) => `${'text' in one ? one.text : ''}\nprintf '%s\\0' ${END}\n`);
        const env = { RPC_URL: 'u', RPC_KEY: 'k', ENVIO_API_TOKEN: 't' };
        const all = printed(show + scripts.join(''), env);
        const { addresses, topics } = asked.filter;
        for (const one of handed) {
          const args = all.splice(0, all.indexOf(END) + 1);
          if (!('text' in one)) {
            assert.equal(one.error, 'tooLong');
            continue;
          }
          const bodies = args
            .filter((_, place) => ['--data-raw', 'eth_getLogs'].includes(args[place - 1] ?? ''))
            .map((arg) => JSON.stringify(JSON.parse(arg)));
          for (const value of [...addresses, ...topics.flatMap((values) => values ?? [])]) {
            const isThere =
              args.includes(value) || bodies.some((body) => body.includes(JSON.stringify(value)));
            assert.ok(isThere, `${value} is not in ${JSON.stringify(args)}`);
          }
        }
        assert.deepEqual(all, []);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are refused where a shell would not take them', () => {
    const addresses = Array.from({ length: 3000 }, () => address);
    const long = { filter: { addresses, topics: [], fromBlock: 0n, toBlock: 1n } as const };
    const network = { name: 'Ethereum', chainId: 1, rpcUrl: 'https://node.example' };
    for (const id of ['curl', 'cast', 'cryo', 'sqd', 'hypersync']) {
      const hand = copyQueryTargets.find((target) => target.id === id)?.copy ?? assert.fail(id);
      assert.deepEqual<CopyResult>(hand({ ...long, network }), { error: 'tooLong' });
    }
  });
});
