import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import {
  AppError,
  createContractIndex,
  formatShortAddress,
  parseAbiItem,
  toChecksumAddress,
} from '../../../../../src/core/index.ts';
import { useAsDeployment } from '../../../../../src/features/addresses/commands/useAsDeployment.ts';
import { editLabelsFile } from '../../../../../src/host/names/labelsFile.ts';
import { useDialogs } from '../../../../support/host/dialogs.ts';
import { contractFacts, fileFacts, readFactsOf, toAddress } from '../../../../support/projectFacts.ts';

const LABELS = '.chainside/labels.json';
const AT = toAddress('a');
const total = 'function total() view returns (uint256)';
const pause = 'function pause()';
const selector = (text: string) => {
  const item = parseAbiItem(text);
  return item?.kind === 'function' ? item.selector.slice(2) : assert.fail(text);
};

describe('Use as a Deployment of…', () => {
  const user = useDialogs();

  /** The chain has `code` at the address, and the project `contracts`. */
  function open({ code = '0x', contracts = ['Token', 'Vault'] as readonly string[] } = {}) {
    const root = workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const index = createContractIndex();
    for (const name of contracts) {
      const [own = '', folder = 'src'] = name.split(' ');
      const source = `${folder}/${own}.sol`;
      const abi = own === 'Vault' ? [total, pause] : [total];
      index.put(source, fileFacts({ contracts: [contractFacts(own, { source, abi })] }));
    }
    const texts = new Map<string, string>();
    const put = (path: string, text: string) => {
      texts.set(path, text);
      index.put(path, readFactsOf(LABELS, text));
    };
    let requests = 0;
    const node: { code: string | AppError } = { code };
    const getCode = async () => {
      requests++;
      if (typeof node.code !== 'string') throw node.code;
      return node.code;
    };
    const client = { getBlockNumber: async () => 1n, getCode, fetchImplementations: async () => [] };
    const network = { name: 'Here', chainId: 77 };
    const team = {
      async write({ uri }: { uri: Uri }, change: Parameters<typeof editLabelsFile>[1]) {
        const path = [uri.path.slice(root.path.length + 1), LABELS].filter(Boolean).join('/');
        put(path, editLabelsFile(texts.get(path) ?? '', change) ?? assert.fail());
        return true;
      },
    };
    const names = {
      team,
      contracts: { index: async () => index, uriOf: (path: string) => Uri.joinPath(root, path) },
    };
    const session = { network, connection: { client, network, signal: new AbortController().signal } };
    const deps = { session, settings: { networks: [] }, active: { names } } as unknown as Parameters<
      typeof useAsDeployment
    >[0];
    return {
      node,
      use: (chainId = 77) => useAsDeployment(deps, AT, chainId),
      put,
      /** What the entries say after the address. */
      labels: (path = LABELS) =>
        JSON.parse(texts.get(path) ?? '{"labels":[]}').labels.map((one: object) =>
          Object.values(one).slice(1),
        ),
      requests: () => requests,
      listed: () => user.lists.at(-1)?.labels,
    };
  }

  it('offers first what has the functions of the code, and writes and removes the entry', async () => {
    const here = open({ code: `0x63${selector(total)}63${selector(pause)}` });
    user.picks = ['Vault', 'Token', 'Not a Deployment of Token'];
    await here.use();
    assert.deepEqual(here.listed(), ['Vault', 'Token']);
    assert.deepEqual(here.labels(), [['Vault', 77]]);
    await here.use();
    assert.deepEqual(here.listed(), ['Not a Deployment of Vault', 'Vault', 'Token']);
    assert.deepEqual(here.labels(), [['Token', 77]]);
    await here.use();
    assert.deepEqual(here.labels(), []);
    await here.use();
    assert.deepEqual(here.listed(), ['Vault', 'Token']);
  });

  it('writes the path of one of several contracts of a name', async () => {
    const here = open({ code: '0x00', contracts: ['Token', 'Token test'] });
    user.picks = [(items) => items.find(({ description }) => description === 'test/Token.sol')];
    await here.use();
    assert.deepEqual(here.labels(), [['test/Token.sol:Token', 77]]);
    user.picks = ['Not a Deployment of Token'];
    await here.use();
    assert.deepEqual(here.labels(), []);
  });

  it('takes the entry from the file of a project in the folder', async () => {
    const here = open({ code: '0x00' });
    const path = `pkg/${LABELS}`;
    const entry = JSON.stringify({ labels: [{ address: AT, contract: 'Vault', chainId: 77 }] });
    here.put(path, entry);
    user.picks = ['Not a Deployment of Vault', 'Token'];
    await here.use();
    assert.deepEqual([here.labels(path), here.labels()], [[], []]);
    here.put(path, entry);
    await here.use();
    assert.deepEqual([here.labels(path), here.labels()], [[], [['Token', 77]]]);
  });

  it('writes the chain of the row, and asks the node of no other chain', async () => {
    const here = open();
    user.picks = ['Token'];
    await here.use(10);
    assert.deepEqual([here.labels(), here.requests()], [[['Token', 10]], 0]);
  });

  it('offers only to remove the entry where there is no code', async () => {
    const here = open();
    await here.use();
    assert.deepEqual(user.told, [
      `There is no contract at ${formatShortAddress(toChecksumAddress(AT))} on Here.`,
    ]);
    here.node.code = new AppError('network', 'No response.');
    user.picks = ['Token', 'Not a Deployment of Token'];
    await here.use();
    assert.deepEqual(here.labels(), [['Token', 77]]);
    here.node.code = '0x';
    await here.use();
    assert.deepEqual([here.listed(), here.labels()], [['Not a Deployment of Token'], []]);
  });

  it('says that the project has no contracts', async () => {
    await open({ code: '0x00', contracts: [] }).use();
    assert.deepEqual(user.told, [
      'The project has no contracts. Open a folder with contracts, or build them.',
    ]);
  });
});
