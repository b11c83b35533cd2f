import assert from 'node:assert/strict';
import { decodedLogToJson } from '../../../../../src/core/abi/logDecoder.ts';
import {
  type AbiItem,
  createImportResolver,
  createLogDecoder,
  formatAbiValue,
  parseAbiItem,
} from '../../../../../src/core/index.ts';
import { createContractIndex } from '../../../../../src/core/project/index/contractIndex.ts';
import { linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { eventOf, logOfEvent } from '../../../../support/eventLogs.ts';
import { parseSource } from '../../../../support/parseSource.ts';
import { pick } from '../../../../support/pick.ts';
import {
  deploymentFacts,
  factsOfContracts,
  fileFacts,
  readFactsOf,
  toAddress,
} from '../../../../support/projectFacts.ts';

const CHANGED = 'event RoleChanged(address indexed who, uint8 indexed role)';
const resolve = createImportResolver({ remappings: [], libs: ['lib'] });

/** Puts the linked facts of all sources into an index. */
function indexOf(sources: Readonly<Record<string, string>>) {
  const parsed = new Map(Object.entries(sources).map(([path, text]) => [path, parseSource(path, text)]));
  const index = createContractIndex();
  for (const path of parsed.keys()) {
    const contracts = linkSource(path, { get: (one) => parsed.get(one), resolve });
    index.put(path, factsOfContracts(...contracts));
  }
  return index;
}

/** The parameters of the item with this hash that have an enum: `1 Payroll.Role: Employee Auditor`. */
function enumsOf(
  index: ReturnType<typeof indexOf>,
  text: string,
  at?: { address: `0x${string}`; chainId: number },
) {
  const item = parseAbiItem(text);
  assert.ok(item);
  const found: readonly { readonly item: AbiItem }[] =
    item.kind === 'event' ? index.lookup.events(item.topic0, at) : index.lookup.errors(item.selector, at);
  return found.flatMap(({ item: { inputs } }) =>
    inputs.flatMap(({ type }, position) =>
      type.kind === 'uint' && type.enumeration
        ? [`${position} ${type.enumeration.name}: ${type.enumeration.members.join(' ')}`]
        : [],
    ),
  );
}

const payroll = `import "./Roles.sol"; contract Payroll is Base { enum Role { Employee, Contractor, /* the */ Auditor }
  event RoleChanged(address indexed who, Role indexed role); error Wrong(Level level, Lib.Kind kind, State state);
  event Many(Role[2][] roles, Grant grant, Age age); struct Grant { address who; Role role; } type Age is uint8; }`;
const roles = `enum Level { Low, High } library Lib { enum Kind { A, B } } contract Base { enum State { Off, On } }`;

/** What Foundry writes for an event with an enum. */
const artifactOf = (name: string, source?: string) =>
  readFactsOf(`out/${name}.sol/${name}.json`, {
    abi: [
      {
        type: 'event',
        name: 'RoleChanged',
        anonymous: false,
        inputs: [
          { name: 'who', type: 'address', indexed: true, internalType: 'address' },
          { name: 'role', type: 'uint8', indexed: true, internalType: 'enum Payroll.Role' },
        ],
      },
    ],
    ...(source !== undefined && { metadata: { settings: { compilationTarget: { [source]: name } } } }),
  });

describe('enums of the project', () => {
  it('are those of the declaration, of imports, inherited contracts and libraries', () => {
    const index = indexOf({ 'src/Payroll.sol': payroll, 'src/Roles.sol': roles });
    assert.deepEqual(enumsOf(index, CHANGED), ['1 Payroll.Role: Employee Contractor Auditor']);
    assert.deepEqual(enumsOf(index, 'error Wrong(uint8 level, uint8 kind, uint8 state)'), [
      '0 Level: Low High',
      '1 Lib.Kind: A B',
      '2 Base.State: Off On',
    ]);
  });

  it('name values in rows, texts and JSON, in arrays and tuples, and no value of other types', () => {
    const index = indexOf({ 'src/Payroll.sol': payroll, 'src/Roles.sol': roles });
    const many = 'event Many(uint8[2][] roles, (address who, uint8 role) grant, uint8 age)';
    const log = logOfEvent(eventOf(many), [[[0n, 7n]], [toAddress('a'), 2n], 1n]);
    const decoded = createLogDecoder({ lookup: index.lookup, chainId: 1 }).decode(log);
    assert.ok('event' in decoded);
    const texts = decoded.event.inputs.map(({ type }, at) => formatAbiValue(type, decoded.values[at] ?? ''));
    assert.deepEqual(texts, ['[[Employee (0), 7]]', `{who: ${toAddress('a')}, role: Auditor (2)}`, '1']);
    const json = decodedLogToJson(decoded);
    assert.ok('args' in json);
    assert.deepEqual(pick(json.args, 'value', 'named'), [
      [[['0', '7']], [['Employee', '7']]],
      [
        { who: toAddress('a'), role: '2' },
        { who: toAddress('a'), role: 'Auditor' },
      ],
      ['1', undefined],
    ]);
    assert.equal(decoded.event.signature, eventOf(many).signature);
  });

  it('are known by name in a compiled ABI', () => {
    const index = indexOf({ 'src/Payroll.sol': payroll, 'src/Roles.sol': roles });
    index.put('abi/Deployed.json', artifactOf('Deployed'));
    const file = 'deployments.json';
    index.put(
      file,
      fileFacts({ deployments: [deploymentFacts({ address: toAddress('d'), contract: 'Deployed' })] }),
    );
    const at = { address: toAddress('d'), chainId: 1 };
    assert.deepEqual(enumsOf(index, CHANGED, at), ['1 Payroll.Role: Employee Contractor Auditor']);
    const [item] = index.abiAt(at)?.items ?? [];
    assert.equal(item?.enums?.find('Payroll.Role')?.members[2], 'Auditor');
  });

  it('leave the number where two of one name have other members', () => {
    const other =
      'contract Payroll { enum Role { Owner, Auditor } event RoleChanged(address indexed who, Role indexed role); }';
    const index = indexOf({ 'a/Payroll.sol': payroll, 'a/Roles.sol': roles, 'b/Payroll.sol': other });
    assert.deepEqual(enumsOf(index, CHANGED), []);
    index.put('abi/Deployed.json', artifactOf('Deployed'));
    const deployed = (contract: string, file: string, digit: string) =>
      index.put(file, fileFacts({ deployments: [deploymentFacts({ address: toAddress(digit), contract })] }));
    deployed('Deployed', 'd.json', 'd');
    assert.deepEqual(enumsOf(index, CHANGED, { address: toAddress('d'), chainId: 1 }), []);
  });

  it('are bits in Vyper', () => {
    const source = `flag Roles:\n    ADMIN\n    MINTER\n    PAUSER\n\nevent Granted:\n    who: indexed(address)\n    roles: Roles\n\n@external\ndef f():\n    log Granted(msg.sender, Roles.ADMIN)\n`;
    const index = indexOf({ 'src/Vault.vy': source });
    const log = logOfEvent(eventOf('event Granted(address indexed who, uint256 roles)'), [
      toAddress('a'),
      5n,
    ]);
    const decoded = createLogDecoder({ lookup: index.lookup, chainId: 1 }).decode(log);
    assert.ok('event' in decoded);
    const type = decoded.event.inputs[1]?.type;
    assert.ok(type);
    assert.deepEqual(
      [5n, 0n, 8n].map((value) => formatAbiValue(type, value)),
      ['ADMIN | PAUSER (5)', '0', '8'],
    );
  });
});
