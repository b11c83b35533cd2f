import assert from 'node:assert/strict';
import { commands, extensions, LanguageModelTextPart, lm, Selection, Uri, window, workspace } from 'vscode';
import { createMcpPrograms, getMcpSecrets } from '../../src/features/agents/agents.ts';
import { createEndpointSecrets, createKeyStore } from '../../src/host/session/secrets.ts';
import { openText } from '../support/host/openText.ts';
import { localnetFromEnv } from '../support/localnetAddresses.ts';
import { failingSecrets } from '../support/memory.ts';
import { activateExtension, selectNetwork, useNetworks, waitUntil } from './support/extension.ts';

const SECRET = 'sk_test_0123456789';

describe('What agents are offered', () => {
  const { anvilUrl, rpcUrl, chain } = localnetFromEnv();
  const usd = chain.contracts.usd.address;
  useNetworks(() => ({
    explorer: { name: 'Explorer', chainId: chain.chainId, rpcUrl, symbol: 'ETH' },
    node: { name: 'Node', chainId: chain.chainId, rpcUrl: anvilUrl, symbol: 'ETH' },
  }));
  before(async () => {
    await activateExtension();
    await selectNetwork('node');
  });

  async function invoke(input: object): Promise<Record<string, unknown>> {
    const result = await lm.invokeTool('chainside_open_query', { input, toolInvocationToken: undefined });
    const [part] = result.content;
    assert.ok(part instanceof LanguageModelTextPart);
    return JSON.parse(part.value);
  }

  it('is a tool that opens a query in a panel, and tells of it without its rows', async () => {
    const told = await invoke({ address: usd, event: 'Transfer' });
    assert.equal(told.opened, true);
    assert.ok(Number(told.rowsRead) > 0);
    assert.deepEqual(told.network, { chainId: 31337, name: 'Node' });
    assert.ok(JSON.stringify(told).length < 1500);
    assert.ok(!JSON.stringify(told).includes(chain.accounts.alice.slice(2).toLowerCase()));
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('says which parameter is wrong, and what it takes', async () => {
    await assert.rejects(
      invoke({ what: 'all' }),
      /what is invalid: it must be one of query, selection, openFile/,
    );
    await assert.rejects(invoke({ adress: usd }), /adress is not a parameter\. Parameters: what, address/);
    await assert.rejects(invoke({ run: 'yes' }), /run is invalid: it must be of type boolean/);
  });

  it('decodes the selection, and says where there is no hex', async () => {
    const document = await openText('call 0xa9059cbb here');
    const editor = await window.showTextDocument(document);
    editor.selection = new Selection(0, 5, 0, 15);
    const told = await invoke({ what: 'selection' });
    const [first] = told.candidates as { signature: string }[];
    assert.equal(first?.signature, 'transfer(address,uint256)');
    editor.selection = new Selection(0, 0, 0, 0);
    await assert.rejects(invoke({ what: 'selection' }), /no hex/);
    await commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('tells of the contracts of the open file, and says where there are none', async () => {
    const folder = workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const file = Uri.joinPath(folder, 'agents', 'Kiosk.sol');
    await workspace.fs.writeFile(file, Buffer.from('contract Kiosk { event Sold(uint indexed item); }\n'));
    await window.showTextDocument(file);
    let told: Record<string, unknown> = {};
    await waitUntil(async () => {
      told = await invoke({ what: 'openFile' }).catch(() => ({}));
      return 'file' in told;
    });
    assert.deepEqual(
      [told.file, told.contracts],
      [{ chainText: 'agents/Kiosk.sol' }, [{ chainText: 'Kiosk' }]],
    );
    assert.match(JSON.stringify(told.answers), /Sold\(uint256 indexed item\)/);
    await window.showTextDocument(await openText('nothing'));
    await assert.rejects(invoke({ what: 'openFile' }), /declares no contract/);
    await commands.executeCommand('workbench.action.closeAllEditors');
    await workspace.fs.delete(Uri.joinPath(folder, 'agents'), { recursive: true });
  });

  it('asks the same as a server and a script do, for other extensions', async () => {
    const api = await activateExtension();
    assert.equal(api.version, 2);
    const answer = await api.ask('query_events', { address: usd, event: 'Transfer' });
    assert.equal(answer.complete, true);
    assert.match(String(answer.count), /^\d+$/);
    const wrong = await api.ask('query_events', { address: 'Nobody' });
    assert.match(JSON.stringify(wrong.error), /No address is called Nobody/);
  });

  it('offers the program that ships, with nothing secret in it before it is started', async () => {
    const extension = extensions.getExtension('chainside.chainside');
    assert.ok(extension);
    const kept = new Map<string, string>();
    const storage = {
      keys: async () => [...kept.keys()],
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => void kept.set(key, value),
      delete: async (key: string) => void kept.delete(key),
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const secrets = createEndpointSecrets(storage);
    const network = {
      ...{ id: 'x', name: 'X', chainId: 5, rpcUrl: 'https://rpc.example/', symbol: 'ETH', decimals: 18 },
      rpcAuth: 'bearer' as const,
    };
    const deps = {
      session: { network, isChosen: true },
      settings: { current: { explorerSource: true, sourcifyConsent: 'ask', signaturesConsent: 'never' } },
      keys: { get: async () => undefined },
      secrets,
      extensionUri: extension.extensionUri,
      globalStorageUri: Uri.joinPath(
        workspace.workspaceFolders?.[0]?.uri ?? extension.extensionUri,
        '.agent-test',
      ),
      version: '1',
    } as unknown as Parameters<typeof createMcpPrograms>[0];
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
    const unchosen = { ...deps, session: { network, isChosen: false } } as unknown as typeof deps;
    assert.deepEqual(await createMcpPrograms(unchosen), []);
    await workspace.fs.delete(deps.globalStorageUri, { recursive: true });
  });

  for (const [how, createStorage] of Object.entries(failingSecrets)) {
    it(`is the same program where the secret storage ${how}`, async () => {
      const extension = extensions.getExtension('chainside.chainside');
      assert.ok(extension);
      const network = {
        id: 'x',
        name: 'X',
        chainId: 5,
        rpcUrl: 'https://rpc.example/',
        symbol: 'E',
        decimals: 18,
      };
      const deps = {
        session: { network: { ...network, dataApiUrl: 'https://data.example' }, isChosen: true },
        settings: { current: { explorerSource: true } },
        ...{ keys: createKeyStore(createStorage()), secrets: createEndpointSecrets(createStorage()) },
        ...{ extensionUri: extension.extensionUri, globalStorageUri: extension.extensionUri, version: '1' },
      } as unknown as Parameters<typeof createMcpPrograms>[0];
      const [program] = await createMcpPrograms(deps);
      assert.ok(program?.args.includes('https://rpc.example/'));
    });
  }
});
