import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveEndpoint } from '../../src/core/index.ts';
import { runCli } from './support/cli.ts';
import { type Behaviour, CONTRACT, useHostileServer } from './support/hostileServer.ts';

const SECRET = 'Zx81-nBq0Lr5tYw93KdPmVa72';

/** Repeats the path of a request, with the secret in it, in its name and in every error. */
const echo: Behaviour = ({ method, url }) => {
  const forms = [
    url,
    encodeURIComponent(url),
    url.replaceAll('Z', '%5A'),
    Buffer.from(url).toString('base64'),
  ];
  const words = forms.join(' ');
  return method === 'web3_clientVersion'
    ? { result: `geth${words}/v1.16` }
    : { error: { code: -32000, message: words, data: { path: decodeURIComponent(url) } } };
};

/** Where the secret is for the command line. */
const places: Readonly<Record<string, (origin: string) => readonly string[]>> = {
  'a variable in the URL': (origin) => [`${origin}/v2/\${env:CHAINSIDE_ATTACK_KEY}`],
  'a variable that is the whole path': (origin) => [`${origin}/\${env:CHAINSIDE_ATTACK_PATH}`],
  'a key in the URL': (origin) => [`${origin}/v2/${SECRET}`],
  'a key of its own': (origin) => [`${origin}/v2/\${key}`, '--rpc-key-env', 'CHAINSIDE_ATTACK_KEY'],
};

describe('servers that repeat a secret', () => {
  const server = useHostileServer();

  for (const [place, rpcOf] of Object.entries(places)) {
    it(`do not bring ${place} into a text`, async () => {
      server().behaviour = echo;
      const rpc = ['--rpc', ...rpcOf(server().url)];
      const env = { CHAINSIDE_ATTACK_KEY: SECRET, CHAINSIDE_ATTACK_PATH: `v2/${SECRET}/x?a=${SECRET}` };
      for (const args of [
        ['ask', 'get_network'],
        ['logs', '--query', '-'],
      ]) {
        const input = JSON.stringify({ address: CONTRACT });
        const { output, words } = await runCli([...args, ...rpc], { input, env });
        const said = `${output}\n${words}`;
        const forms = [SECRET, SECRET.slice(0, 14), SECRET.toLowerCase(), btoa(`v2/${SECRET}`).slice(4, 28)];
        for (const form of forms)
          assert.ok(!said.includes(form) && !decode(said).includes(form), said.slice(0, 2000));
      }
    });
  }
});

function decode(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

describe('endpoints of a foundry.toml that mean harm', () => {
  it('never have a variable choose where a request goes, or hide one that is sent', () => {
    const written = fc.constantFrom(
      ...[
        'https://',
        'http:/',
        'evil.example',
        '.',
        '/',
        '//',
        '\\',
        '@',
        ':',
        '?',
        '#',
        '\t',
        '%2f',
        '443',
        ' ',
      ],
      ...['$', '{', '}', '${', 'v2', '[::1]', '\u200b', 'a'.repeat(300)],
    );
    const variable = fc
      .tuple(fc.constantFrom('', ' ', '\t', ' '.repeat(200)), fc.constantFrom('A_TOKEN', 'B_TOKEN'))
      .map(([space, name]) => `\${${space}${name}${space}}`);
    const template = fc.array(fc.oneof(written, variable, fc.constant('$A_TOKEN')), { maxLength: 12 });
    fc.assert(
      fc.property(template, fc.boolean(), (parts, begins) => {
        const text = `${begins ? 'https://evil.example' : ''}${parts.join('')}`;
        const secret = (value: string) => (name: string) => `${name[0]}${value}`;
        const [one, two] = [secret('ecret-value-1'), secret('ecret-value-2')].map((of) =>
          resolveEndpoint(text, of),
        );
        assert.deepEqual(one, two, 'What is shown depends on the value.');
        if (!one || !('url' in one)) return;
        assert.doesNotMatch(one.url, /ecret-value/);
        assert.doesNotMatch(new URL(one.url).origin, /env:|_TOKEN/i);
        const named = [...one.url.matchAll(/\$\{env:(\w+)\}/g)].map(([, name]) => name);
        assert.deepEqual([...one.variables], [...new Set(named)]);
      }),
      { numRuns: 3000 },
    );
  });
});
