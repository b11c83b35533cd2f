import assert from 'node:assert/strict';
import { parseAbiItem } from '../../../../../src/core/abi/item.ts';
import type { Hex } from '../../../../../src/core/eth/hex.ts';
import { createContractIndex } from '../../../../../src/core/project/index/contractIndex.ts';
import type { AddressCheck } from '../../../../../src/core/project/index/deploymentTable.ts';
import type { DeploymentFacts } from '../../../../../src/core/project/readers/facts.ts';
import { pick } from '../../../../support/pick.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
  fileFacts,
  hash,
  readFactsOf,
  toAddress,
} from '../../../../support/projectFacts.ts';

const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const unnamed = 'event Transfer(address indexed, address indexed, uint256)';
const ofNft = 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';
const paid = 'event Paid(uint256 amount)';
const refused = 'error Refused(address who)';
const pay = 'function pay(uint256 amount)';
const secret = 'event Secret(uint256 amount) anonymous';

function topicOf(text: string) {
  const item = parseAbiItem(text);
  assert.ok(item?.kind === 'event');
  return item.topic0;
}

/** Has a file tell one contract. */
const put = (
  index: ReturnType<typeof createContractIndex>,
  path: string,
  name: string,
  facts: Parameters<typeof contractFacts>[1] = {},
  place?: Parameters<typeof index.put>[2],
) => index.put(path, factsOfContracts(contractFacts(name, facts)), place);

describe('The index of contracts', () => {
  it('takes artifact and source for one contract, with the ABI of the one and the lines of the other', () => {
    const index = createContractIndex();
    put(index, 'out/Token.sol/Token.json', 'Token', { source: 'src/Token.sol', abi: [pay, paid] });
    put(index, 'src/Token.sol', 'Token', { source: 'src/Token.sol', line: 3, abi: [paid], itemLines: [5] });
    assert.deepEqual(index.contracts, [
      {
        ...{ name: 'Token', project: '', source: 'src/Token.sol', line: 3, isOwn: true },
        ...{ artifact: 'out/Token.sol/Token.json', abi: [pay, paid], itemLines: [undefined, 5] },
      },
    ]);
    index.put('out/Token.sol/Token.json', undefined);
    assert.deepEqual(pick(index.contracts, 'artifact', 'abi', 'itemLines'), [[undefined, [paid], [5]]]);
    index.put('src/Token.sol', undefined);
    assert.deepEqual(index.contracts, []);
  });

  it('takes the functions of a library from its source, as compilers write few of them', () => {
    const index = createContractIndex();
    const [compiled, error] = ['function note((uint256 n) a) view', 'error Low()'];
    const written = ['function note(struct L.N(uint256 n) a) view', 'function set(storage L.S s)'];
    const old = 'function old() view';
    put(index, 'out/L.json', 'L', { source: 'src/L.sol', abi: [compiled, old, error] });
    put(index, 'src/L.sol', 'L', {
      ...{ source: 'src/L.sol', line: 1, abi: [...written, 'error Other()'], itemLines: [2, 3, 4] },
      isLibrary: true,
    });
    assert.deepEqual(pick(index.contracts, 'abi', 'itemLines'), [
      [
        [old, error, ...written],
        [undefined, undefined, 2, 3],
      ],
    ]);
  });

  it('tells contracts of one name apart by source and project, and orders them', () => {
    const index = createContractIndex();
    const place = (project: string) => ({ project, libs: [] });
    put(index, 'b/out/T.json', 'T', { source: 'src/T.sol' }, place('b'));
    put(index, 'a/out/T.json', 'T', { source: 'src/T.sol' }, place('a'));
    put(index, 'a/out/A.json', 'A', { source: 'src/T.sol' }, place('a'));
    put(index, 'abis/T.json', 'T');
    const paths = index.contracts.map(({ name, source, artifact }) => `${name} ${source ?? artifact}`);
    assert.deepEqual(paths, ['A a/src/T.sol', 'T a/src/T.sol', 'T abis/T.json', 'T b/src/T.sol']);
    assert.deepEqual(pick(index.contractNamed('T'), 'project'), ['a', '', 'b']);
    assert.deepEqual(index.contractNamed('None'), []);
  });

  it('goes by where a source lies, and takes one that is not there for unknown', () => {
    const index = createContractIndex();
    const resolveSource = (source: string) => (source === '@oz/T.sol' ? 'node_modules/@oz/T.sol' : undefined);
    const place = { project: '', libs: [], resolveSource };
    put(index, 'out/T.json', 'T', { source: '@oz/T.sol' }, place);
    put(index, 'out/U.json', 'U', { source: 'gone/U.sol' }, place);
    assert.deepEqual(pick(index.contracts, 'source', 'isOwn'), [
      ['node_modules/@oz/T.sol', false],
      [undefined, true],
    ]);
  });

  it('has what only deployments of a contract have, and without a build what only its source has', () => {
    const index = createContractIndex();
    const abiOf = () => index.contracts.map(({ abi, artifact }) => [...abi, artifact]);
    const [old, now] = ['deployments/goerli/Token.json', 'deployments/sepolia/Token.json'];
    const token = (...abi: readonly string[]) => contractFacts('Token', { source: 'src/Token.sol', abi });
    const deployed = (chainId: string, ...abi: readonly string[]) =>
      fileFacts({
        contracts: [token(...abi)],
        deployments: [deploymentFacts({ chainId, contract: 'Token' })],
      });
    index.put(old, deployed('5', paid));
    index.put(now, deployed('11155111', paid, transfer));
    index.put('src/Token.sol', factsOfContracts(token(refused, pay)));
    assert.deepEqual(abiOf(), [[paid, transfer, refused, old]]);
    const label = { address: toAddress('a'), name: 'Token', chainId: undefined };
    index.put(now, fileFacts({ contracts: [token(paid, transfer)], labels: [label] }));
    assert.deepEqual(abiOf(), [[paid, transfer, refused, old]]);
    index.put('out/Token.sol/Token.json', factsOfContracts(token(transfer, pay)));
    assert.deepEqual(abiOf(), [[transfer, pay, paid, 'out/Token.sol/Token.json']]);
  });

  it('takes a contract out of so many files only, but always out of its source', () => {
    const index = createContractIndex();
    const token = contractFacts('Token', { source: 'src/Token.sol', abi: [paid] });
    for (let file = 0; file < 5_000; file++) index.put(`out/${file}.json`, factsOfContracts(token));
    index.put('src/Token.sol', factsOfContracts({ ...token, line: 3 }));
    assert.deepEqual(pick(index.contracts, 'line'), [3]);
    for (let file = 0; file < 200; file++) index.put(`out/${file}.json`, undefined);
    assert.deepEqual(pick(index.contracts, 'artifact'), [undefined]);
  });

  it('finds items by hash: own contracts before libraries, each form of an item once', () => {
    const index = createContractIndex();
    const place = { project: '', libs: ['lib'] };
    put(index, 'out/Lib.json', 'ALib', { source: 'lib/x/L.sol', abi: [unnamed, refused] }, place);
    put(index, 'out/Own.json', 'Own', { source: 'src/O.sol', abi: [transfer, pay] }, place);
    put(index, 'out/Nft.json', 'Nft', { source: 'src/N.sol', abi: [ofNft] }, place);
    const found = index.lookup.events(topicOf(transfer));
    assert.deepEqual(
      found.map(({ item, origin }) => [item.inputs[2]?.indexed, item.inputs[2]?.name, origin]),
      [
        [true, 'tokenId', { trust: 'workspace', from: 'src/N.sol', contract: 'Nft', line: undefined }],
        [false, 'value', { trust: 'workspace', from: 'src/O.sol', contract: 'Own', line: undefined }],
      ],
    );
    const selectorOf = (text: string) => {
      const item = parseAbiItem(text);
      assert.ok(item && item.kind !== 'event');
      return item.selector;
    };
    assert.deepEqual(
      index.lookup.errors(selectorOf(refused)).map(({ origin }) => origin.contract),
      ['ALib'],
    );
    assert.deepEqual(
      index.lookup.functions(selectorOf(pay)).map(({ item }) => item.signature),
      ['pay(uint256)'],
    );
    assert.deepEqual(index.lookup.functions(selectorOf(refused)), []);
    index.put('out/Own.json', undefined);
    assert.deepEqual(
      index.lookup.events(topicOf(transfer)).map(({ origin }) => origin.contract),
      ['Nft', 'ALib'],
    );
  });

  it('gives the line of an item where a source shows it, and anonymous events without a hash', () => {
    const index = createContractIndex();
    const lines = { source: 'src/T.sol', line: 1, abi: [paid, secret], itemLines: [2, 3] };
    put(index, 'src/A.sol', 'A', { source: 'src/A.sol', abi: [paid] });
    put(index, 'src/T.sol', 'T', lines);
    assert.deepEqual(
      pick([...index.lookup.events(topicOf(paid)), ...index.lookup.events(undefined)], 'origin'),
      [2, 3].map((line) => ({ trust: 'workspace', from: 'src/T.sol', contract: 'T', line })),
    );
  });

  it('trusts most what is deployed where the hash was met, on that chain alone', () => {
    const index = createContractIndex();
    put(index, 'out/A.json', 'A', { source: 'src/A.sol', abi: [transfer] });
    put(index, 'out/B.json', 'B', { source: 'src/B.sol', abi: [ofNft, transfer] });
    index.put('run.json', factsOfDeployments(deploymentFacts({ contract: 'B', chainId: '10' })));
    const trusted = (chainId: number, address = toAddress('a')) =>
      index.lookup
        .events(topicOf(transfer), { address, chainId })
        .map(({ origin }) => `${origin.trust} ${origin.contract}`);
    assert.deepEqual(trusted(10), ['deployment B', 'deployment B']);
    assert.deepEqual(trusted(1), ['workspace A', 'workspace B']);
    assert.deepEqual(trusted(10, toAddress('b')), ['workspace A', 'workspace B']);
  });

  it('does not guess which of several contracts is deployed, unless they are alike or one is nearest', () => {
    const index = createContractIndex();
    const contractOf = () => {
      const [found] = index.deploymentsAt(toAddress('a'), 1);
      assert.ok(found);
      return index.contractOf(found)?.source;
    };
    index.put('run/T.json', factsOfDeployments(deploymentFacts({ contract: 'T' })));
    assert.equal(contractOf(), undefined);
    put(index, 'out/1.json', 'T', { source: 'src/1.sol', abi: [paid] });
    assert.equal(contractOf(), 'src/1.sol');
    put(index, 'out/2.json', 'T', { source: 'src/2.sol', abi: [pay] });
    assert.equal(contractOf(), undefined);
    put(index, 'out/2.json', 'T', { source: 'src/2.sol', abi: [paid] });
    assert.equal(contractOf(), 'src/1.sol');
    put(index, 'run/artifacts/T.json', 'T', { source: 'src/3.sol', abi: [pay] });
    assert.equal(contractOf(), 'src/3.sol');
  });

  it('tells the ABI of what is deployed at an address: none of a contract that it knows by name alone', () => {
    const index = createContractIndex();
    const abi = () => index.abiAt({ address: toAddress('a'), chainId: 1 });
    assert.equal(abi(), undefined);
    index.put('run/T.json', factsOfDeployments(deploymentFacts({})));
    assert.equal(abi(), undefined);
    index.put('run/T.json', factsOfDeployments(deploymentFacts({ contract: 'T' })));
    assert.deepEqual(abi(), { id: 'run/T.json T', items: undefined });
    put(index, 'out/T.json', 'T', { source: 'src/T.sol', abi: [paid, pay] });
    const origin = { trust: 'deployment', from: 'src/T.sol', contract: 'T', line: undefined } as const;
    const items = [paid, pay].map((text) => ({ text, origin }));
    assert.deepEqual(abi(), { id: 'src/T.sol T', items });
    assert.equal(index.abiAt({ address: toAddress('a'), chainId: 2 }), undefined);
  });

  it('joins what files tell of one deployment; the latest of several counts', () => {
    const index = createContractIndex();
    index.put('old.json', factsOfDeployments(deploymentFacts({ contract: 'Old', block: 5n, commit: 'aa' })));
    index.put(
      'map.json',
      factsOfDeployments(
        deploymentFacts({ contract: 'T' }),
        deploymentFacts({ chainId: '9', contract: 'T' }),
      ),
    );
    index.put('run.json', factsOfDeployments(deploymentFacts({ block: 7n, transaction: '0x12' })));
    const joined = {
      ...deploymentFacts({ contract: 'T', block: 7n, transaction: '0x12' }),
      file: 'run.json',
      isRepeated: true,
    };
    assert.deepEqual(index.deploymentsAt(toAddress('a'), 1), [joined]);
    assert.deepEqual(pick(index.deploymentsAt(toAddress('a')), 'chainId'), ['1', '9']);
    assert.equal(index.deployments.length, 2);
    index.put('run.json', undefined);
    assert.deepEqual(pick(index.deploymentsAt(toAddress('a'), 1), 'contract', 'block'), [['Old', 5n]]);
    for (const path of ['old.json', 'map.json']) index.put(path, undefined);
    assert.deepEqual([index.deployments, index.deploymentsAt(toAddress('a'))], [[], []]);
  });

  it('takes the newest run where a chain was started anew, and lists the older record', () => {
    const index = createContractIndex();
    const record = (contract: string, block: bigint, time: number) =>
      factsOfDeployments({ ...deploymentFacts({ contract, block }), time });
    index.put('run-1.json', record('Token', 9n, 1_000));
    index.put('run-2.json', record('Vault', 2n, 2_000));
    index.put('run-latest.json', record('Vault', 2n, 2_000));
    assert.deepEqual(pick(index.deployments, 'contract', 'state'), [['Vault', undefined]]);
    assert.deepEqual(pick(index.deploymentRecords, 'contract', 'state'), [
      ['Vault', undefined],
      ['Token', 'older'],
    ]);
  });

  it('names what the chain confirms, and nothing that it contradicts', () => {
    const index = createContractIndex();
    put(index, 'out/T.json', 'T', { source: 'src/T.sol', abi: [paid] });
    put(index, 'out/V.json', 'V', { source: 'src/V.sol', abi: [pay] });
    const record = (contract: string, transaction: Hex) =>
      factsOfDeployments(deploymentFacts({ contract, transaction }));
    index.put('a.json', record('T', '0x01'));
    index.put('b.json', record('V', '0x02'));
    const settle = (check: AddressCheck) => index.settleDeployments(1, new Map([[toAddress('a'), check]]));
    const found = () => pick(index.deployments, 'contract', 'state', 'transaction');
    settle({ state: 'current', record: { contract: 'V', transaction: '0x02' } });
    assert.deepEqual(found(), [['V', 'current', '0x02']]);
    assert.deepEqual(pick(index.deploymentRecords, 'contract', 'state'), [
      ['V', 'current'],
      ['T', 'replaced'],
    ]);
    const code = { name: 'T', path: 'src/T.sol' };
    settle({ state: 'current', code, name: 'T' });
    assert.deepEqual(found(), [['T', 'current', undefined]]);
    settle({ state: 'undecided', name: 'T / V' });
    assert.deepEqual(found(), [['T / V', 'undecided', undefined]]);
    assert.deepEqual(index.deployments.map(index.contractOf), [undefined]);
    for (const state of ['missing', 'replaced'] as const) {
      settle({ state });
      assert.deepEqual([found(), index.deploymentsAt(toAddress('a'), 1)], [[], []]);
      assert.deepEqual(pick(index.deploymentRecords, 'state'), [state, state]);
    }
    index.settleDeployments(1, new Map([[toAddress('b'), { state: 'current', code }]]));
    assert.deepEqual(pick(index.deployments, 'contract', 'file'), [
      ['T / V', 'a.json'],
      ['T', 'src/T.sol'],
    ]);
    index.settleDeployments(1, new Map());
    assert.deepEqual(pick(index.deployments, 'contract', 'state'), [['T / V', 'undecided']]);
    assert.equal(index.counts.deployments, 1);
  });

  it('does not guess which tool was the last at an address if one of them writes no time', () => {
    const index = createContractIndex();
    const write = (file: string, contract: string, more: Partial<DeploymentFacts>) =>
      index.put(file, factsOfDeployments(deploymentFacts({ contract, ...more })));
    write('broadcast/D.s.sol/1/run-1.json', 'Token', { transaction: '0x01', block: 3n, time: 1_000 });
    write('deployments/localhost/Vault.json', 'Vault', { transaction: '0x02', block: 9n });
    const found = () => pick(index.deployments, 'contract', 'state', 'block', 'transaction');
    assert.deepEqual(found(), [['Token / Vault', 'undecided', undefined, undefined]]);
    const record = { contract: 'Token', transaction: '0x01' } as const;
    index.settleDeployments(1, new Map([[toAddress('a'), { state: 'current', record, block: 7n }]]));
    assert.deepEqual(found(), [['Token', 'current', 7n, '0x01']]);
    assert.deepEqual(pick(index.deployments, 'confirmedBlock'), [7n]);
    // A list of addresses, and the second name of a proxy, contradict nothing.
    index.settleDeployments(1, new Map());
    write('deployments/localhost/Vault.json', 'Vault', {});
    write('deployments/localhost/Token_Proxy.json', 'Token_Proxy', { transaction: '0x01', block: 3n });
    assert.deepEqual(found(), [['Token', undefined, 3n, '0x01']]);
    assert.deepEqual(pick(index.deploymentRecords, 'contract'), ['Token', 'Vault']);
  });

  it('keeps labels by file, and counts its changes', () => {
    const index = createContractIndex();
    const label = { address: toAddress('a'), name: 'Treasury', chainId: undefined };
    const before = index.version;
    index.put('b/foundry.toml', fileFacts({ labels: [label] }));
    index.put('a/foundry.toml', fileFacts({ labels: [label] }));
    assert.deepEqual(index.labels, [
      { ...label, file: 'a/foundry.toml' },
      { ...label, file: 'b/foundry.toml' },
    ]);
    index.put('a/foundry.toml', fileFacts({}));
    assert.equal(index.labels.length, 1);
    assert.ok(index.version > before);
  });

  it('is prepared bit by bit', () => {
    const index = createContractIndex();
    put(index, 'out/A.json', 'A', { abi: [paid, pay, 'no item'] });
    assert.equal(
      index.prepare(() => true),
      false,
    );
    assert.equal(
      index.prepare(() => false),
      true,
    );
    assert.equal(index.lookup.events(topicOf(paid)).length, 1);
  });
});

describe('The contract of the project that is meant', () => {
  it('knows by what name an address book calls a contract of the project', () => {
    const index = createContractIndex();
    const source = (name: string, abi: readonly string[]) =>
      factsOfContracts(
        contractFacts(name, { source: `src/${name}.sol`, line: 1, abi, itemLines: abi.map(() => 2) }),
      );
    index.put('src/AccountingOracle.sol', source('AccountingOracle', [paid]));
    index.put('src/AMM.sol', source('AMM', [transfer]));
    index.put('src/VaultProxy.sol', source('VaultProxy', [pay]));
    index.put('src/Vault.sol', source('Vault', [paid]));
    put(
      index,
      'lib/dep/src/Rate.sol',
      'Rate',
      { source: 'lib/dep/src/Rate.sol', abi: [paid] },
      { project: '', libs: ['lib'] },
    );
    const of = (name: string) => {
      index.put('deployed.json', factsOfDeployments(deploymentFacts({ contract: name })));
      const [known] = index.deployments;
      return known && index.contractOf(known)?.name;
    };
    for (const [name, expected] of [
      ['accountingOracle', 'AccountingOracle'],
      ['accounting_oracle', 'AccountingOracle'],
      ['ACCOUNTING_ORACLE_ADDRESS', 'AccountingOracle'],
      ['accountingOracle_Implementation', 'AccountingOracle'],
      ['AccountingOracleProxy', 'AccountingOracle'],
      ['amm', 'AMM'],
      ['vaultProxy', 'VaultProxy'],
      ['vaultImpl', 'Vault'],
      ['oracle', undefined],
      ['proxy', undefined],
      ['rate', undefined],
    ] as const) {
      assert.equal(of(name), expected, name);
    }
    index.put('src/Amm.sol', source('Amm', [pay]));
    assert.equal(of('aMm'), undefined);
    index.put('src/Amm.sol', undefined);
    assert.equal(of('aMm'), 'AMM');
    index.put('src/AMM.sol', undefined);
    assert.equal(of('aMm'), undefined);
  });

  describe('of which files name no source', () => {
    const abiOf = (...abi: string[]) => factsOfContracts(contractFacts('Token', { abi }));
    const declared = factsOfContracts(
      contractFacts('Token', {
        source: 'src/Token.sol',
        line: 3,
        abi: [paid, transfer],
        itemLines: [5, 6],
      }),
    );
    const shown = (index: ReturnType<typeof createContractIndex>) =>
      index.contracts.map(({ source, artifact, abi, itemLines }) => ({ source, artifact, abi, itemLines }));

    it('takes them for the one that the project declares, also after it', () => {
      const index = createContractIndex();
      index.put('abis/Token.json', abiOf(transfer, paid, pay));
      assert.deepEqual(shown(index), [
        {
          source: undefined,
          artifact: 'abis/Token.json',
          abi: [transfer, paid, pay],
          itemLines: [],
        },
      ]);
      index.put('src/Token.sol', declared);
      assert.deepEqual(shown(index), [
        {
          ...{ source: 'src/Token.sol', artifact: 'abis/Token.json' },
          ...{ abi: [transfer, paid, pay], itemLines: [6, 5, undefined] },
        },
      ]);
      index.put('src/Token.sol', undefined);
      assert.equal(index.contracts[0]?.source, undefined);
    });

    it('leads from an older deployment to the declaration, and adds what only that has', () => {
      const index = createContractIndex();
      const there = deploymentFacts({ contract: 'Token' });
      const before = contractFacts('Token', {
        abi: [paid, transfer, unnamed],
      });
      put(index, 'out/Token.json', 'Token', { source: 'src/Token.sol', abi: [paid, transfer] });
      index.put('src/Token.sol', declared);
      index.put('deployments/1.json', fileFacts({ contracts: [before], deployments: [there] }));
      const [known] = index.deployments;
      const found = known && index.contractOf(known);
      assert.deepEqual([found?.source, found?.artifact], ['src/Token.sol', 'out/Token.json']);
      assert.deepEqual(found?.abi, [paid, transfer, unnamed]);
      assert.equal(found, index.contracts[0]);
    });

    it('keeps apart what has other items, and what one of several may be', () => {
      const index = createContractIndex();
      index.put('src/Token.sol', declared);
      index.put('abis/Token.json', abiOf(paid, refused, secret));
      assert.equal(index.contracts.length, 2);
      index.put('abis/Token.json', abiOf(paid));
      assert.equal(index.contracts.length, 1);
      const mock = { source: 'test/Token.sol', line: 1, abi: [paid], itemLines: [2] };
      put(index, 'test/Token.sol', 'Token', mock);
      assert.equal(index.contracts.length, 3);
    });

    it('knows the contract of a deployment by its file, where others of the name are not the same', () => {
      const index = createContractIndex();
      index.put('src/Token.sol', declared);
      index.put('abis/Token.json', abiOf(refused, secret));
      const there = deploymentFacts({ contract: 'Token' });
      const before = contractFacts('Token', {
        abi: [paid, transfer, unnamed],
      });
      index.put('deployments/1.json', fileFacts({ contracts: [before], deployments: [there] }));
      assert.equal(index.contracts.length, 2);
      const [known] = index.deployments;
      assert.equal(known && index.contractOf(known)?.source, 'src/Token.sol');
    });

    it('takes two deployments of a project for one contract, and not those of two projects', () => {
      const index = createContractIndex();
      for (const path of ['a/1/Token.json', 'a/10/Token.json', 'b/1/Token.json']) {
        index.put(path, abiOf(paid), { project: path.slice(0, 1), libs: [] });
      }
      assert.deepEqual(pick(index.contracts, 'artifact'), ['a/1/Token.json', 'b/1/Token.json']);
    });
  });
});

describe('The contract that a person chose for an address', () => {
  const LABELS = '.chainside/labels.json';
  const entry = (contract: unknown, chainId: unknown = 1) => ({
    ...{ address: toAddress('a'), contract, chainId },
  });
  const label = (index: ReturnType<typeof createContractIndex>, path: string, ...labels: object[]) =>
    index.put(path, readFactsOf(LABELS, { labels }));
  const list = (index: ReturnType<typeof createContractIndex>) =>
    index.deployments.map((one) => [one.contract, one.block, index.contractOf(one)?.source]);

  it('comes before the records of tools, by its path if several have the name', () => {
    const index = createContractIndex();
    put(index, 'src/Token.sol', 'Token', { source: 'src/Token.sol', abi: [paid] });
    put(index, 'test/Token.sol', 'Token', { source: 'test/Token.sol', abi: [refused] });
    index.put('run.json', factsOfDeployments(deploymentFacts({ contract: 'Vault', time: 9, block: 3n })));
    const choose = (...labels: object[]) => {
      label(index, LABELS, ...labels);
      return list(index);
    };
    assert.deepEqual(choose(entry('test/Token.sol:Token')), [['Token', 3n, 'test/Token.sol']]);
    assert.deepEqual(choose(entry('Token')), [['Token', 3n, undefined]]);
    assert.deepEqual(choose(entry('src/Token.sol:Token'), entry('Vault')), [['Token', 3n, 'src/Token.sol']]);
    // No contract has this path, and one with a similar name is not meant.
    assert.deepEqual(choose(entry('lib/Token.sol:Token')), [['Token', 3n, undefined]]);
    assert.deepEqual(choose(entry('TokenProxy')), [['TokenProxy', 3n, undefined]]);
  });

  it('is read from an entry with a name and a chain only', () => {
    const index = createContractIndex();
    put(index, 'src/Token.sol', 'Token', { source: 'src/Token.sol', abi: [paid] });
    const wrong = [toAddress('b'), '', 7, null, ['Token'], 'src/Token.sol:', 'x'.repeat(513)].map((one) =>
      entry(one),
    );
    const chains = ['1', 0, -1, 1.5, null].map((chainId) => entry('Token', chainId));
    label(index, LABELS, ...wrong, ...chains, { ...entry('Token'), address: '0x12' }, entry('Token', 10));
    assert.deepEqual(
      index.deployments.map(({ chainId, contract }) => [chainId, contract]),
      [['10', 'Token']],
    );
  });

  it('is one of the folder of the file, where projects have contracts with one path', () => {
    const index = createContractIndex();
    for (const project of ['a', 'b/c']) {
      const source = 'src/Token.sol';
      put(index, `${project}/${source}`, 'Token', { source, abi: [paid] }, { project, libs: [] });
    }
    for (const [path, contract, source] of [
      ['a/.chainside/labels.json', 'Token', 'a/src/Token.sol'],
      ['b/.chainside/labels.json', 'src/Token.sol:Token', 'b/c/src/Token.sol'],
      ['b/.chainside/labels.json', 'c/src/Token.sol:Token', 'b/c/src/Token.sol'],
      [LABELS, 'a/src/Token.sol:Token', 'a/src/Token.sol'],
    ] as const) {
      label(index, path, entry(contract));
      assert.deepEqual(list(index), [['Token', undefined, source]], `${path} ${contract}`);
      index.put(path, undefined);
    }
  });

  it('is one record with a tool’s of this contract, and others are older or replaced', () => {
    const index = createContractIndex();
    put(index, 'src/Token.sol', 'Token', { source: 'src/Token.sol', abi: [paid] });
    label(index, LABELS, entry('Token'));
    const states = () => index.deploymentRecords.map(({ contract, state }) => `${contract} ${state ?? ''}`);
    const settle = (check: AddressCheck) => {
      index.settleDeployments(1, new Map([[toAddress('a'), check]]));
      return states();
    };
    const run = (contract: string) =>
      deploymentFacts({ contract, time: 9, block: 3n, transaction: hash(contract === 'Token' ? '1' : '2') });
    index.put('run.json', factsOfDeployments(run('Token'), run('Vault')));
    assert.deepEqual(states(), ['Token ', 'Vault older']);
    const chosen = { contract: 'Token', transaction: undefined };
    assert.deepEqual(settle({ state: 'unconfirmed', record: chosen }), [
      'Token unconfirmed',
      'Vault replaced',
    ]);
    const { contract, transaction } = run('Token');
    assert.deepEqual(settle({ state: 'current', record: { contract, transaction } }), [
      'Token current',
      'Vault replaced',
    ]);
    index.put('run.json', undefined);
    const code = { name: 'Vault', path: 'src/Vault.sol' };
    assert.deepEqual(settle({ state: 'current', code, name: 'Vault' }), ['Vault current', 'Token replaced']);
    index.settleDeployments(1, new Map());
    label(index, LABELS);
    assert.deepEqual(states(), []);
  });
});
