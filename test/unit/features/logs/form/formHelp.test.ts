import assert from 'node:assert/strict';
import {
  type Address,
  type AddressCheck,
  emptyForm,
  type QueryForm,
  toChecksumAddress,
} from '../../../../../src/core/index.ts';
import type { ContractFacts, DeploymentFacts } from '../../../../../src/core/project/readers/facts.ts';
import type { FormHelp } from '../../../../../src/features/logs/form/formHelp.ts';
import { logsRequests } from '../../../../../src/features/logs/protocol/protocol.ts';
import { useAddressView } from '../../../../support/host/addressView.ts';
import { openFormHelp } from '../../../../support/host/openPanel.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import { address, contractFacts, deploymentFacts } from '../../../../support/projectFacts.ts';

const VAULT: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const OTHER: Address = `0x${'22'.repeat(20)}`;
const ON_A_DEVELOPMENT_CHAIN: Address = `0x${'33'.repeat(20)}`;
const PAID = 'Paid(address indexed by, uint256 amount)';

describe('help with the query form', () => {
  let opened: ReturnType<typeof openFormHelp>;
  let help: FormHelp;

  useNetworks(() => ({
    here: { name: 'Here', chainId: 77, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
    there: { name: 'There', chainId: 5, rpcUrl: 'http://127.0.0.1:1', symbol: 'ETH' },
  }));
  const view = useAddressView('here');

  beforeEach(async () => {
    await view.book.ready;
    const meaning = {
      createdAt: () => undefined,
      identityAt: () => undefined,
      prefetchCreations: async () => false,
      verifiedOn: async () => [],
    };
    opened = openFormHelp(view, meaning);
    help = opened.help;
    declare('Vault', `event ${PAID}`);
    const deployment = (chainId: string, address: Address, block: bigint) =>
      deploymentFacts({ contract: 'Vault', chainId, address, block });
    view.contracts.put('broadcast/run-latest.json', {
      deployments: [
        deployment('77', VAULT, 12_345n),
        deployment('5', OTHER, 7n),
        deployment('31337', ON_A_DEVELOPMENT_CHAIN, 1n),
      ],
    });
  });
  afterEach(() => opened.dispose());

  function declare(name: string, item: string, enums: ContractFacts['enums'] = {}): void {
    const source = `src/${name}.sol`;
    view.contracts.put(source, { contracts: [contractFacts(name, { source, line: 3, abi: [item], enums })] });
  }
  // What the view sends is validated first.
  const factsOf = (typed: Partial<QueryForm>) =>
    help.getFacts(logsRequests.factsOf.params.parse({ ...emptyForm, ...typed }));
  const events = (text: string, address = '') =>
    help.completeEvents(logsRequests.completeEvents.params.parse({ text, address }), {
      signal: new AbortController().signal,
    });

  it('offers events with contract and file, those of the address first, and a bounded number', async () => {
    const [first] = await events('Pai', VAULT);
    assert.deepEqual(first, {
      value: PAID,
      label: PAID,
      detail: 'Vault · src/Vault.sol · at this address',
    });
    assert.equal((await events('Pai'))[0]?.detail, 'Vault · src/Vault.sol');
    const details = (await events('Transfer')).map(({ detail }) => detail);
    assert.ok(details.includes('ERC-20') && details.includes('ERC-721'), details.join());
    assert.equal((await events('')).length, 50);
  });

  it('takes members of enums, offers them and says which members numbers are', () => {
    const event = 'RoleChanged(address indexed who, uint8 indexed role)';
    const members = ['Employee', 'Manager', 'Auditor'];
    declare('Payroll', `event ${event}`, {
      [`event ${event}`]: [{ path: '1', name: 'Payroll.Role', members }],
    });
    const withRole = (role: string) => ({ ...emptyForm, event, args: { role } });
    const { form, errors } = help.resolve(withRole('Role.Auditor, 0'));
    assert.deepEqual([form.args.role, errors], ['2, 0', {}]);
    assert.deepEqual(help.resolve(withRole('Audtor')).errors, {
      'args.role': 'Role has no member Audtor. Enter Employee, Manager, Auditor, or a number.',
    });
    const facts = factsOf(withRole('2, 9'));
    assert.equal(facts.names['args.role'], 'Auditor, 9');
    assert.deepEqual(
      facts.members['args.role']?.map(({ value, detail }) => `${value} ${detail}`),
      ['Employee 0', 'Manager 1', 'Auditor 2'],
    );
  });

  it('offers events of a file as soon as the index has it', async () => {
    assert.deepEqual(await events('OrderGivenBack'), []);
    declare('Shop', 'event OrderGivenBack(uint256 indexed order)');
    assert.deepEqual(
      (await events('OrderGivenBack')).map(({ detail }) => detail),
      ['Shop · src/Shop.sol'],
    );
    assert.ok(opened.told.changes > 0);
  });

  it('tells the first block, the name and what is sent', async () => {
    const facts = await factsOf({ address: VAULT, event: PAID, args: { by: VAULT } });
    assert.deepEqual(facts.firstBlock, { block: '12,345', why: 'Deployment block of Vault' });
    assert.deepEqual(facts.names, { address: 'Vault', 'args.by': 'Vault' });
    assert.equal(facts.elsewhere, undefined);
    const sent: unknown = JSON.parse(facts.sent ?? '');
    assert.deepEqual(sent, {
      address: [VAULT],
      topics: [
        ['0x737c69225d647e5994eab1a6c301bf6d9232beb2759ae1e27a8966b4732bc489'],
        [`0x${'0'.repeat(24)}${VAULT.slice(2)}`],
      ],
      fromBlock: '0x3039',
      toBlock: 'latest',
    });
    assert.equal((await factsOf({ address: '0x12' })).sent, undefined);
  });

  it('does not say which node a development chain is on, while several projects may have one', async () => {
    const facts = await factsOf({ address: ON_A_DEVELOPMENT_CHAIN });
    assert.equal(facts.elsewhere?.message, 'Deployed on chain 31337, not on Here');
    assert.equal(facts.elsewhere?.button, 'Switch to chain 31337');
  });

  it('knows the chain that the panel asks, whichever is active', async () => {
    const { network } = opened;
    network.pin();
    await view.book.setLabel(OTHER, 'Mine');
    await selectNetwork('there');
    await waitUntil(() => view.session.network.chainId === 5);
    assert.equal(network.other?.name, 'There');
    const facts = await factsOf({ address: VAULT });
    assert.deepEqual([facts.firstBlock?.block, facts.names.address], ['12,345', 'Vault']);
    assert.equal((await factsOf({ address: OTHER })).names.address, 'Mine');
    assert.deepEqual(factsOf({ address: OTHER }).elsewhere, {
      message: 'Deployed on There, not on Here',
      button: 'Switch to There',
      chainId: 5,
    });
    const before = help.version;
    network.move();
    assert.ok(help.version > before);
    assert.equal((await factsOf({ address: OTHER })).firstBlock?.block, '7');
  });

  it('puts addresses in the place of names, and says which it does not know', async () => {
    const typed = { ...emptyForm, address: 'vault', event: PAID, args: { by: 'Nobody' } };
    const resolved = help.resolve(logsRequests.resolve.params.parse(typed));
    assert.equal(resolved.form.address, toChecksumAddress(VAULT));
    assert.match(resolved.errors['args.by'] ?? '', /^No address is called Nobody\. Enter 0x/);
    assert.deepEqual(help.completeAddresses('BLS12'), []);
    assert.deepEqual(
      help.completeAddresses('').map(({ label }) => label),
      ['Vault', 'Zero address'],
    );
    assert.deepEqual(help.completeAddresses('vaul'), [
      {
        value: toChecksumAddress(VAULT),
        label: 'Vault',
        detail: `${toChecksumAddress(VAULT)} · block 12,345 · deployment in broadcast/run-latest.json`,
      },
    ]);
  });

  describe('of a name of several addresses', () => {
    const [old, young, other] = [address('a'), address('b'), address('c')];
    const resolve = (typed: string) => help.resolve({ ...emptyForm, address: typed });
    const deploy = (...deployments: readonly Partial<DeploymentFacts>[]) =>
      view.contracts.put('broadcast/D.s.sol/77/run-latest.json', {
        deployments: deployments.map((one) =>
          deploymentFacts({ contract: 'Token', chainId: '77', block: 3n, ...one }),
        ),
      });

    it('takes the newest deployment, says which, and takes another that is picked', () => {
      deploy({ address: old, time: 1000 }, { address: young, time: 2000 });
      for (const typed of ['Token', 'token', toChecksumAddress(young)]) {
        assert.deepEqual(resolve(typed).errors, {});
        assert.equal(resolve(typed).form.address, toChecksumAddress(young));
        assert.equal(factsOf({ address: typed }).names.address, 'Token 0xbBbB…BBbB, newest of 2 deployments');
      }
      for (const typed of ['Token@0xaa', 'Token@0xaaaaaa']) {
        assert.equal(resolve(typed).form.address, toChecksumAddress(old));
        assert.equal(factsOf({ address: typed }).names.address, 'Token@0xaaaaaa');
      }
      const both = `${old}, ${young}`;
      assert.equal(
        factsOf({ address: both }).names.address,
        'Token@0xaaaaaa, Token 0xbBbB…BBbB, newest of 2 deployments',
      );
      const { nameOf } = help.getKnownAddresses({ ...emptyForm, address: both });
      assert.deepEqual([old, young].map(nameOf), ['Token@0xaaaaaa', 'Token']);
      const argument = { event: PAID, args: { by: 'Token' } };
      assert.equal(help.resolve({ ...emptyForm, ...argument }).form.args.by, toChecksumAddress(young));
    });

    it('asks where no time says which is newest, and where a label has the name too', async () => {
      deploy({ address: old }, { address: young });
      assert.equal(
        resolve('Token').errors.address,
        '2 addresses are called Token. Choose one of them, or enter Token@0xaaaaaa.',
      );
      deploy({ address: old, time: 1000 }, { address: young, time: 2000 });
      assert.deepEqual(resolve('Token').errors, {});
      await view.book.setLabel(other, 'Token');
      assert.match(resolve('Token').errors.address ?? '', /^3 addresses are called Token\./);
      assert.equal(factsOf({ address: other }).names.address, 'Token@0xcccccc');
    });

    it('means what the chain confirms, and the proxy of an implementation', () => {
      declare('Token', `event ${PAID}`);
      deploy({ address: old, time: 1000 }, { address: young, time: 2000 });
      const record = { contract: 'Token', transaction: undefined };
      const current = { state: 'current' as const, record };
      const settle = (...checks: readonly (readonly [Address, AddressCheck])[]) =>
        view.contracts.settle(77, new Map(checks));
      settle([old, current], [young, { state: 'replaced' }]);
      assert.equal(resolve('Token').form.address, toChecksumAddress(old));
      assert.equal(factsOf({ address: 'Token' }).names.address, 'Token');

      deploy({ address: old }, { address: other, contract: 'Shell' }, { address: young, contract: 'Shell' });
      const runs = [{ implementation: old, contract: { name: 'Token', path: 'src/Token.sol' } }];
      const shell = { state: 'current' as const, record: { ...record, contract: 'Shell' } };
      settle([old, current], [other, { ...shell, runs }], [young, shell]);
      assert.equal(resolve('Token').form.address, toChecksumAddress(other));
      assert.deepEqual(
        help.completeAddresses('Token').map(({ value }) => value),
        [toChecksumAddress(other)],
      );
      settle([old, current], [other, { ...shell, runs }], [young, { ...shell, runs }]);
      assert.equal(
        resolve('Token').errors.address,
        '2 addresses are called Token. Choose one of them, or enter Token@0xbbbbbb.',
      );
    });
  });

  it('takes nothing of another shape', () => {
    const { completeEvents, factsOf: facts, switchToChain } = logsRequests;
    assert.equal(completeEvents.params.safeParse({ text: 'x'.repeat(20_001), address: '' }).success, false);
    assert.equal(facts.params.safeParse({ ...emptyForm, args: { to: 5 } }).success, false);
    const args = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`a${index}`, '']));
    assert.equal(facts.params.safeParse({ ...emptyForm, args }).success, false);
    assert.equal(switchToChain.params.safeParse(0).success, false);
  });
});
