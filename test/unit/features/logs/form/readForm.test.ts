import assert from 'node:assert/strict';
import {
  type Address,
  createContractIndex,
  createTimeSlices,
  emptyForm,
  findFirstBlock,
  getFieldText,
  type Identity,
  isFormField,
  loadStandardEvents,
  logFilterToJson,
  parseLogFilter,
  type QueryForm,
  replaceAddressNames,
  toAbiWord,
  toChecksumAddress,
  withFieldText,
} from '../../../../../src/core/index.ts';
import { rankEvents } from '../../../../../src/features/logs/form/eventSuggestions.ts';
import {
  createDeploymentLookup,
  formatFilter,
  formatIdentity,
  parseForm,
} from '../../../../../src/features/logs/form/readForm.ts';
import { collectEvents, type KnownEvent } from '../../../../../src/host/contracts/knownEvents.ts';
import { createTestClock } from '../../../../support/clocks.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  factsOfDeployments,
} from '../../../../support/projectFacts.ts';
import { l10n } from '../../../../support/stubs.ts';

const IMPLEMENTATION = `0x${'22'.repeat(20)}` as const;

function wordsOf(told: Partial<Identity>, name?: string): string | undefined {
  const identity: Identity = {
    ...{ address: `0x${'11'.repeat(20)}`, kind: 'contract', name: undefined, sources: [] },
    ...{ token: undefined, proxy: undefined, created: undefined },
    ...told,
  };
  return formatIdentity(identity, { l10n, nameOf: () => name, network: 'Beta' });
}

describe('what is at an address, in words', () => {
  it('says of an account that there is no contract on the network', () => {
    assert.equal(wordsOf({ kind: 'account' }), 'No contract at this address on Beta');
    assert.match(wordsOf({ kind: 'delegated' }) ?? '', /EIP-7702/);
    assert.equal(wordsOf({ kind: 'unknown' }), undefined);
  });

  it('names a token by its symbol, else by its standard alone', () => {
    const token = { standard: 'ERC-20', name: 'Harbor', symbol: 'HUSD', decimals: 6, supply: 1n } as const;
    assert.equal(wordsOf({ token }), 'HUSD: ERC-20 token contract');
    assert.equal(
      wordsOf({ token: { ...token, symbol: undefined, name: undefined } }),
      'ERC-20 token contract',
    );
  });

  it('names what a proxy runs by its name here, else by that of its source, else by its address', () => {
    const proxy = (name?: string) => ({
      ...({ type: 'eip1967', left: 0, conflict: [], admin: undefined, beacon: undefined } as const),
      implementations: [{ address: IMPLEMENTATION, ...(name === undefined ? {} : { name }) }],
    });
    assert.equal(wordsOf({ proxy: proxy('Vault') as never }, 'Mine'), 'Proxy for Mine');
    assert.equal(wordsOf({ proxy: proxy('Vault') as never }), 'Proxy for Vault');
    assert.match(wordsOf({ proxy: proxy() as never }) ?? '', /^Proxy for 0x2222/);
    assert.equal(wordsOf({ name: 'Vault' }), 'Contract Vault');
    assert.equal(wordsOf({}), undefined);
  });
});

const TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 value)';
const NFT_TRANSFER = 'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)';
const HUSD: Address = `0x${'aa'.repeat(20)}`;
const VAULT: Address = `0x${'bb'.repeat(20)}`;
const ALICE: Address = `0x${'a1'.repeat(20)}`;

const slices = createTimeSlices(createTestClock());

function known(declared: string, over: Partial<KnownEvent> = {}): KnownEvent {
  const name = declared.slice(0, declared.indexOf('('));
  return { declared, name, contract: 'Token', others: 0, from: 'src/Token.sol', rank: 'own', ...over };
}

async function ranked(typed: string, events: readonly KnownEvent[], most = 50): Promise<readonly string[]> {
  return (await rankEvents(typed, events, { limit: most, slices })).map(({ declared }) => declared);
}

function workspace() {
  const index = createContractIndex();
  for (const [name, ...others] of [
    ['Husd', 'event Minted(uint256 amount)', 'error No()'],
    ['Vault', 'event Hidden(uint256 indexed a) anonymous'],
  ] as const) {
    const abi = [`event ${TRANSFER}`, ...others];
    index.put(`out/${name}.json`, factsOfContracts(contractFacts(name, { source: `src/${name}.sol`, abi })));
  }
  const deployment = (address: Address, contract: string, chainId: string, block: bigint | undefined) =>
    deploymentFacts({ address, contract, chainId, block });
  const deployments = [
    deployment(HUSD, 'Husd', '1', 120n),
    deployment(VAULT, 'Vault', '1', 90n),
    deployment(ALICE, 'Vault', '1', undefined),
    deployment(HUSD, 'Husd', '5', 7n),
  ];
  index.put('broadcast/run-latest.json', factsOfDeployments(...deployments));
  return index;
}

describe('events that are offered', () => {
  it('are found by the beginnings of their words', async () => {
    const events = [
      known('OwnershipTransferred(address a)'),
      known('Outer()'),
      known('ERC20Approval()'),
      known('user_op_event()'),
    ];
    const found = async (typed: string) => (await ranked(typed, events)).map((text) => text.split('(')[0]);
    assert.deepEqual(await found('otr'), ['OwnershipTransferred']);
    assert.deepEqual(await found('owTrans'), ['OwnershipTransferred']);
    assert.deepEqual(await found('uoe'), ['user_op_event']);
    assert.deepEqual(await found('eapp'), ['ERC20Approval']);
    assert.deepEqual(await found('ship'), ['OwnershipTransferred']);
    assert.deepEqual(await found('oer'), []);
  });

  it('are those whose names begin so, then those that have it inside', async () => {
    const events = [
      known('OwnershipTransferred(address indexed a)'),
      known('Treasury(uint256 a, bytes32 n, string s)'),
      known('TransferBatch(uint256[] ids)'),
      known('Transfer(address,address,uint256)'),
      known('Paused()'),
    ];
    assert.deepEqual(await ranked('trans', events), [
      'Transfer(address,address,uint256)',
      'TransferBatch(uint256[] ids)',
      'OwnershipTransferred(address indexed a)',
    ]);
  });

  it('are first those of the contract that is asked for, then the own, then libraries and lists', async () => {
    const events = (['bundled', 'library', 'own', 'asked'] as const).map((standing) =>
      known(
        `Transfer(${standing === 'bundled' ? 'uint256' : 'address'} indexed ${standing}, uint${standing.length * 8} a)`,
        { rank: standing },
      ),
    );
    const names = (await ranked('Transf', events)).map((text) => /indexed (\w+)/.exec(text)?.[1]);
    assert.deepEqual(names, ['asked', 'own', 'library', 'bundled']);
  });

  it('are each layout once, and layouts of one signature apart', async () => {
    const renamed = 'Transfer(address indexed src, address indexed dst, uint256 wad)';
    const events = [known(renamed, { rank: 'bundled' }), known(TRANSFER), known(NFT_TRANSFER)];
    assert.deepEqual(await ranked('Transfer', events), [TRANSFER, NFT_TRANSFER]);
  });

  it('are by their contract too, and by their types behind a parenthesis', async () => {
    const events = [
      known(TRANSFER, { contract: 'Husd' }),
      known(NFT_TRANSFER, { contract: 'Deeds' }),
      known('Paused(address account)'),
    ];
    assert.deepEqual(await ranked('deeds tr', events), [NFT_TRANSFER]);
    assert.deepEqual(await ranked('event Transfer(address,address,', events), [TRANSFER, NFT_TRANSFER]);
    assert.deepEqual(await ranked('Transfer(address indexed from, address indexed to, uint256 v', events), [
      TRANSFER,
    ]);
    assert.deepEqual(await ranked('Transfer(uint', events), []);
  });

  it('are never more than asked for, and none for what nothing is called', async () => {
    const many = Array.from({ length: 200 }, (_, index) => known(`E${index}(uint256 a)`));
    assert.equal((await ranked('E', many)).length, 50);
    assert.equal((await ranked('', many, 3)).length, 3);
    assert.deepEqual(await ranked('zzz', many), []);
  });

  it('are those of all contracts, each declaration once, and of the lists, but no anonymous ones', async () => {
    const index = workspace();
    const events = await collectEvents(index.contracts, await loadStandardEvents(), slices);
    const [transfer] = events.filter(({ declared }) => declared === TRANSFER);
    assert.deepEqual([transfer?.contract, transfer?.others, transfer?.from], ['Husd', 1, 'src/Husd.sol']);
    assert.ok(events.some(({ declared, from }) => declared === NFT_TRANSFER && from === 'ERC-721'));
    assert.ok(!events.some(({ name }) => name === 'Hidden'));
    assert.equal(new Set(events.map(({ declared }) => declared)).size, events.length);
  });
});

describe('names in the form', () => {
  const book: Readonly<Record<string, readonly Address[]>> = {
    Treasury: [ALICE],
    'Cold wallet': [VAULT],
    Twin: [HUSD, VAULT],
  };
  const named = (name: string) => book[name] ?? [];
  const resolved = (typed: Partial<QueryForm>) => replaceAddressNames({ ...emptyForm, ...typed }, named);

  const [alice, vault] = [toChecksumAddress(ALICE), toChecksumAddress(VAULT)];
  for (const [typed, address] of [
    [`Treasury, ${HUSD}; Cold wallet`, `${alice}, ${HUSD}; ${vault}`],
    [`${HUSD} Treasury`, `${HUSD} ${alice}`],
    [`["${HUSD}", "Treasury", "Cold wallet"]`, `["${HUSD}", ${alice}, ${vault}]`],
    ['Treasury Cold wallet', `${alice} ${vault}`],
    ['Cold wallet\nTreasury', `${vault}\n${alice}`],
  ] as const) {
    it(`become addresses, one by one: ${JSON.stringify(typed)}`, () => {
      const { form, unclear } = resolved({ address: typed });
      assert.deepEqual([form.address, unclear], [address, []]);
    });
  }

  it('become addresses in topics that may be one', () => {
    const plain = 'Transfer(address,address,uint256)';
    const { form, unclear } = resolved({ event: plain, topic1: 'Treasury, 5', topic3: 'Treasury' });
    assert.deepEqual([form.topic1, form.topic3], [`${alice}, 5`, 'Treasury']);
    assert.deepEqual(unclear, []);
    assert.equal(resolved({ topic2: 'Treasury' }).form.topic2, alice);
    assert.deepEqual(resolved({ event: plain, topic1: 'Nobody' }).unclear, [
      { field: 'topic1', name: 'Nobody', count: 0 },
    ]);
    const mixed = resolved({ event: 'Named(address,string)', topic1: 'Nobody' });
    assert.deepEqual([mixed.form.topic1, mixed.unclear], ['Nobody', []]);
  });

  it('leave a form without names as it is', () => {
    const form = { ...emptyForm, address: ` ${HUSD},\n0x12 `, args: { to: ALICE } };
    assert.equal(replaceAddressNames(form, named).form, form);
  });

  it('become addresses in parameters of this type alone', () => {
    const event = 'Moved(address indexed to, string indexed title)';
    const { form } = resolved({ event, args: { to: 'Treasury', title: 'Treasury', gone: 'Treasury' } });
    assert.deepEqual(form.args, { to: toChecksumAddress(ALICE), title: 'Treasury', gone: 'Treasury' });
  });

  it('that nothing or more than one is called are told at their field', () => {
    const nobody = (name: string) => ({ field: 'address', name, count: 0 });
    const twin = { field: 'address', name: 'Twin', count: 2, addresses: named('Twin') };
    assert.deepEqual(resolved({ address: 'Nobody, Twin' }).unclear, [nobody('Nobody'), twin]);
    assert.deepEqual(resolved({ address: 'Treasury Nobody' }).unclear, [nobody('Treasury Nobody')]);
  });

  it('are looked up a bounded number of times', () => {
    let looked = 0;
    replaceAddressNames({ ...emptyForm, address: 'a,'.repeat(5000) }, () => {
      looked++;
      return [];
    });
    assert.equal(looked, 100);
  });
});

describe('form read by the host', () => {
  const words = {
    formatError: ({ message }: Error) => message,
    formatAmbiguousName: ({ name }: { name: string }) => `who is ${name}`,
  };
  const read = (typed: Partial<QueryForm>, index = workspace()) =>
    parseForm(
      { ...emptyForm, ...typed },
      {
        findAddressesByName: (name) => (name === 'Husd' ? [HUSD] : []),
        findDeclaredEvents: (topic0) => index.declaredEvents(topic0),
        findDeployment: createDeploymentLookup(index, 1),
        messages: words,
      },
    );

  it('asks from the block of the deployment where no block is typed', () => {
    assert.equal(read({ address: HUSD }).filter?.fromBlock, 120n);
    const { form, filter } = read({ address: 'Husd' });
    assert.deepEqual([form.address, form.fromBlock, filter?.fromBlock], [toChecksumAddress(HUSD), '', 120n]);
    const { transaction } = workspace().deploymentsAt(HUSD, 1)[0] ?? assert.fail();
    const deployments = [{ address: HUSD, block: 120n, transaction }];
    assert.deepEqual(read({ address: HUSD }).filter?.deployments, deployments);
    assert.equal(read({ address: HUSD, fromBlock: '120' }).filter?.deployments, undefined);
    assert.equal(read({ address: HUSD, fromBlock: '3' }).filter?.fromBlock, 3n);
    assert.equal(read({ address: HUSD, fromBlock: 'earliest' }).filter?.fromBlock, 'earliest');
  });

  it('asks from the first of several deployments, and from the first block where one is not known', () => {
    assert.equal(read({ address: `${HUSD} ${VAULT}` }).filter?.fromBlock, 90n);
    assert.equal(read({ address: `${HUSD} ${ALICE}` }).filter?.fromBlock, 'earliest');
    assert.equal(read({ address: '' }).filter?.fromBlock, 'earliest');
    assert.equal(
      findFirstBlock({ ...emptyForm, address: HUSD }, createDeploymentLookup(workspace(), 5))?.block,
      7n,
    );
  });

  it('asks for a range that ends before the deployment as it is typed', () => {
    const { filter, errors } = read({ address: HUSD, toBlock: '100' });
    assert.deepEqual([filter?.fromBlock, filter?.toBlock, errors], ['earliest', 100n, {}]);
  });

  it('has no filter where a name is not known, and says so at its field', () => {
    const { filter, errors } = read({ address: 'Nobody', toBlock: 'x' });
    assert.equal(filter, undefined);
    assert.equal(errors.address, 'who is Nobody');
    assert.ok(errors.toBlock);
  });
});

describe('what is sent', () => {
  it('is the filter as JSON, a line for each topic', () => {
    const filter = { topics: [[toAbiWord(1n), toAbiWord(2n)], null, [toAbiWord(3n)]] };
    for (const query of [filter, { address: [HUSD], fromBlock: 7, toBlock: 'latest' }, {}]) {
      const read = parseLogFilter(query);
      assert.deepEqual(JSON.parse(formatFilter(read)), logFilterToJson(read));
    }
    assert.equal(formatFilter(parseLogFilter(filter)).split('\n').length, 10);
  });
});

describe('fields of the form', () => {
  it('are found by the names that problems have', () => {
    for (const name of ['address', 'topic3', 'args.to']) assert.ok(isFormField(name), name);
    for (const name of ['args', 'toString', 'topic4']) assert.ok(!isFormField(name), name);
  });

  it('are read and written alike, also those of parameters', () => {
    const form = withFieldText(withFieldText(emptyForm, 'args.to', 'x'), 'event', 'y');
    assert.deepEqual(
      [getFieldText(form, 'args.to'), getFieldText(form, 'event'), getFieldText(form, 'args.toString')],
      ['x', 'y', ''],
    );
  });
});
