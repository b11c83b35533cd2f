import assert from 'node:assert/strict';
import {
  createContractIndex,
  createIndexKnowledge,
  emptyForm,
  parseQueryDefinition,
  queryDefinitionToJson,
  resolveQuery,
  toAbiWord,
  toQueryDefinition,
} from '../../../../../src/core/index.ts';
import {
  contractFacts,
  deploymentFacts,
  factsOfContracts,
  fileFacts,
  toAddress,
} from '../../../../support/projectFacts.ts';

const EVENT = 'RoleChanged(address indexed who, uint8 indexed role)';
const ROLE = ['Employee', 'Manager', 'Auditor'];

/** An index of contracts with the event, each deployed at the address of its digit. */
function indexOf(
  contracts: Readonly<
    Record<string, { readonly digit?: string; readonly members?: readonly string[]; readonly event?: string }>
  >,
) {
  const index = createContractIndex();
  for (const [name, { digit, members, event = EVENT }] of Object.entries(contracts)) {
    const item = `event ${event}`;
    const enums = members && { [item]: [{ path: '1', name: `${name}.Role`, members }] };
    index.put(
      `src/${name}.sol`,
      factsOfContracts(contractFacts(name, { abi: [item], ...(enums && { enums }) })),
    );
    if (digit === undefined) continue;
    const deployment = deploymentFacts({ address: toAddress(digit), contract: name });
    index.put(`${name}.json`, fileFacts({ deployments: [deployment] }));
  }
  return index;
}

/** The values of the topic, or the error of the argument. */
function roleOf(index: ReturnType<typeof indexOf>, role: unknown, query: object = {}) {
  const definition = parseQueryDefinition({ chainId: 1, event: EVENT, args: { role }, ...query });
  const { filter, errors } = resolveQuery(definition, createIndexKnowledge(index, 1));
  return (
    filter?.topics[2]?.map((topic) => Number(topic)) ??
    errors?.map(({ details: { field }, message }) => `${field}: ${message}`)
  );
}

const DIFFER = ['args.role: Contracts have different enums for this value. Enter the number.'];
const UNKNOWN = ['args.role: Not an integer, and no enum is known for it. Enter the number.'];

describe('members of enums in queries', () => {
  it('stand for their numbers, with and without the name of the enum', () => {
    const index = indexOf({ Payroll: { members: ROLE } });
    assert.deepEqual(roleOf(index, 'Auditor'), [2]);
    assert.deepEqual(roleOf(index, ['Role.Auditor', 'Payroll.Role.Employee', 1, '0x07']), [2, 0, 1, 7]);
    assert.deepEqual(roleOf(index, 'Manager', { event: 'RoleChanged' }), [1]);
  });

  it('are named by the error of a wrong one', () => {
    const index = indexOf({ Payroll: { members: ROLE } });
    const wrong = 'args.role: Role has no member Audtor. Enter Employee, Manager, Auditor, or a number.';
    assert.deepEqual(roleOf(index, ['Auditor', 'Audtor']), [wrong]);
    const many = indexOf({ Payroll: { members: [...'abcdefghij'] } });
    assert.deepEqual(roleOf(many, 'z'), [
      'args.role: Role has no member z. Enter a, b, c, d, e, f, g, h, …, or a number.',
    ]);
  });

  it('are unknown without an enum, where numbers work', () => {
    const index = indexOf({ Payroll: {} });
    assert.deepEqual(roleOf(index, 'Auditor'), UNKNOWN);
    assert.deepEqual(roleOf(index, 2), [2]);
    assert.deepEqual(roleOf(index, '+2'), [
      'args.role: Not an integer. Enter digits without spaces, or 0x and hex digits.',
    ]);
  });

  it('are those of the contract at the address, and refused where contracts differ', () => {
    const index = indexOf({
      Payroll: { digit: 'a', members: ROLE },
      Club: { digit: 'b', members: ['Guest', 'Auditor'] },
      Plain: { digit: 'c' },
    });
    assert.deepEqual(roleOf(index, 'Auditor', { address: 'Payroll' }), [2]);
    assert.deepEqual(roleOf(index, 'Auditor', { address: 'Club' }), [1]);
    assert.deepEqual(roleOf(index, 'Auditor', { address: 'Plain' }), UNKNOWN);
    for (const query of [{}, { address: ['Payroll', 'Club'] }, { address: ['Payroll', 'Plain'] }]) {
      assert.deepEqual(roleOf(index, 'Auditor', query), DIFFER);
      assert.deepEqual(roleOf(index, '2', query), [2]);
    }
  });

  it('differ also where only names of parameters do, and not by events with other topics', () => {
    const renamed = 'RoleChanged(address indexed who, uint8 indexed kind)';
    const members = ['Guest', 'Auditor'];
    const index = indexOf({ Payroll: { members: ROLE }, Club: { event: renamed, members } });
    assert.deepEqual(roleOf(index, 'Auditor'), DIFFER);
    const unindexed = 'RoleChanged(address who, uint8 indexed role)';
    assert.deepEqual(
      roleOf(indexOf({ Payroll: { members: ROLE }, Club: { event: unindexed, members } }), 'Auditor'),
      [2],
    );
  });

  it('stay in a query that is saved, and become the same filter again', () => {
    const index = indexOf({ Payroll: { digit: 'a', members: ROLE } });
    const knowledge = createIndexKnowledge(index, 1);
    const form = { ...emptyForm, address: toAddress('a'), event: EVENT, args: { role: '2, 0x01, 9' } };
    const saved = queryDefinitionToJson(toQueryDefinition(form, { chainId: 1 }, knowledge));
    assert.deepEqual(saved.args, { role: ['Auditor', '0x01', '9'] });
    assert.deepEqual(resolveQuery(parseQueryDefinition(saved), knowledge).filter?.topics[2], [
      ...[2n, 1n, 9n].map(toAbiWord),
    ]);
  });

  it('of flags are bits, of which several may be joined', () => {
    const event = 'Granted(address indexed who, uint256 indexed roles)';
    const index = createContractIndex();
    const place = { path: '1', name: 'Roles', members: ['ADMIN', 'MINTER', 'PAUSER'], isFlag: true as const };
    const enums = { [`event ${event}`]: [place] };
    index.put('src/Vault.vy', factsOfContracts(contractFacts('Vault', { abi: [`event ${event}`], enums })));
    const args = { roles: ['ADMIN | PAUSER', 'MINTER'] };
    const definition = parseQueryDefinition({ chainId: 1, event, args });
    const { filter } = resolveQuery(definition, createIndexKnowledge(index, 1));
    assert.deepEqual(filter?.topics[2]?.map(Number), [5, 2]);
  });
});
