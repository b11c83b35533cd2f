import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import { projectRoot } from '../../../../scripts/support/paths.ts';
import { createError } from '../../../../src/core/base/errors.ts';
import { createMessage, emptyForm, foreign } from '../../../../src/core/index.ts';
import { createMcpPrograms, getMcpSecrets } from '../../../../src/features/agents/agents.ts';
import { describeQuery, throwToModel } from '../../../../src/features/agents/openQueryTool.ts';
import { createEndpointSecrets, createKeyStore } from '../../../../src/host/session/secrets.ts';
import { createMarkdown } from '../../../../src/host/ui/markdown.ts';
import { createWorkspaceFolder } from '../../../support/host/workspaceFolder.ts';
import { failingSecrets, memorySecrets } from '../../../support/memory.ts';

const SECRET = 'sk_test_0123456789';
const network = {
  ...{ id: 'x', name: 'X', chainId: 5, rpcUrl: 'https://rpc.example/', symbol: 'ETH', decimals: 18 },
};

describe('The program that agents are offered', () => {
  let globalStorageUri: Uri;
  before(async () => {
    globalStorageUri = await createWorkspaceFolder('.agent-test');
  });
  after(() => workspace.fs.delete(globalStorageUri, { recursive: true }));

  const depsWith = (given: object) =>
    ({
      settings: { current: { explorerSource: true, sourcifyConsent: 'ask', signaturesConsent: 'never' } },
      ...{ extensionUri: Uri.file(projectRoot), globalStorageUri, version: '1', ...given },
    }) as unknown as Parameters<typeof createMcpPrograms>[0];

  it('is the one that ships, with nothing secret in it before it is started', async () => {
    const secrets = createEndpointSecrets(memorySecrets());
    const session = { network: { ...network, rpcAuth: 'bearer' }, isChosen: true };
    const deps = depsWith({ session, secrets, keys: { get: async () => undefined } });
    const [before] = await createMcpPrograms(deps);
    await assert.rejects(getMcpSecrets(before?.args ?? [], deps), /requires an API key/);
    await secrets.set(network.rpcUrl, SECRET);
    const [program, ...others] = await createMcpPrograms(deps);
    assert.deepEqual(others, []);
    assert.equal(program?.command, process.execPath);
    assert.match(String(program?.args[0]), /dist.mcp\.cjs$/);
    assert.ok(!JSON.stringify(program).includes(SECRET));
    assert.deepEqual(await getMcpSecrets(program?.args ?? [], deps), { CHAINSIDE_RPC_KEY: SECRET });
    // Of another network by now: its secret is not for the endpoint of this program.
    await assert.rejects(getMcpSecrets(['--rpc', 'https://other.example/'], deps), /have changed/);
    assert.deepEqual(
      await createMcpPrograms({ ...deps, session: { ...session, isChosen: false } as never }),
      [],
    );
  });

  it('sends the data API key where a setting says, else where it was found', async () => {
    const placeOf = async (keyIn: string, place: string) => {
      const deps = depsWith({
        session: { network: { ...network, dataApiUrl: 'https://data.example' }, isChosen: true },
        ...{ keys: { get: async () => ({ key: SECRET, place }) }, settings: { current: { keyIn } } },
      });
      const args = (await createMcpPrograms(deps))[0]?.args ?? [];
      return args[args.indexOf('--key-in') + 1];
    };
    assert.deepEqual(
      [await placeOf('auto', 'header'), await placeOf('auto', 'query'), await placeOf('header', 'query')],
      ['auto', 'query', 'header'],
    );
    assert.equal(await placeOf('query', 'header'), 'query');
  });

  for (const [how, createStorage] of Object.entries(failingSecrets)) {
    it(`is the same where the secret storage ${how}`, async () => {
      const deps = depsWith({
        session: { network: { ...network, dataApiUrl: 'https://data.example' }, isChosen: true },
        ...{ keys: createKeyStore(createStorage()), secrets: createEndpointSecrets(createStorage()) },
      });
      const [program] = await createMcpPrograms(deps);
      assert.ok(program?.args.includes('https://rpc.example/'));
    });
  }
});

describe('An error for a model', () => {
  it('has texts of others as data only', () => {
    const error = createError('rpc', createMessage('It refused {0}: {1}', foreign('a b'), foreign('c d')), {
      ...{ serverMessage: 'c d', names: ['e f'] },
    });
    assert.throws(() => throwToModel(error), {
      message:
        'It refused “…”: “…” (see serverSaid) {"serverSaid":{"chainText":"c d"},"names":[{"chainText":"e f"}]}',
    });
    assert.throws(() => throwToModel(new TypeError('x y')), { message: 'An internal error in Chainside.' });
  });
});

describe('The confirmation of a query of an agent', () => {
  const filter = { addresses: Array.from({ length: 4 }, (_, at) => `0x${`${at + 1}`.repeat(40)}` as const) };
  const range = { fromBlock: 1n, toBlock: 2n };

  it('names all that would be sent: every address, and the values of arguments', () => {
    const to = ['0xsecret', ...Array.from({ length: 48 }, (_, at) => `value${at}`)];
    const form = { ...emptyForm, event: 'Paid(address indexed to)', args: { to: to.join(', '), by: ' ' } };
    const { value } = createMarkdown(describeQuery(form, { ...filter, ...range }));
    for (const text of [...to, 'Paid', '`to`', ...filter.addresses]) assert.ok(value.includes(text), text);
    assert.doesNotMatch(value, /`by`|more/);
  });

  it('is plain text', () => {
    const args = { '[a](command:x)\n\n- b`': '"`**x** [y](https://evil.example)\u202e"' };
    const { value } = createMarkdown(describeQuery({ ...emptyForm, args }, { ...filter, ...range }));
    assert.doesNotMatch(value.replaceAll(/`[^`\n]*`/g, ''), /command:|https:|\*\*|\u202e|\n- b/);
  });
});
