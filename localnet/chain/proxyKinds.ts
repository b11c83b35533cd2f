import { AbiParameters, Hash, Hex } from 'ox';
import { compileContracts } from './compile.ts';
import { creationOf, handmadeProxies } from './handmadeProxies.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { createOutbox } from './outbox.ts';
import { type Address, quantity } from './transactions.ts';

/** Where proxies keep addresses: hashes of names, as EIP-1967, OpenZeppelin before it and EIP-1822 have them. */
const slots = {
  implementation: slotBelow('eip1967.proxy.implementation'),
  beacon: slotBelow('eip1967.proxy.beacon'),
  admin: slotBelow('eip1967.proxy.admin'),
  openZeppelin: slotOf('org.zeppelinos.proxy.implementation'),
  eip1822: slotOf('PROXIABLE'),
  first: quantity(0),
  /** As some have it who did not subtract. */
  unsubtracted: slotOf('eip1967.proxy.implementation'),
} as const;

const selectors = {
  implementation: '0x5c60da1b',
  getImplementation: '0xaaf10f42',
  comptroller: '0xbb82aa5e',
  masterCopy: '0xa619486e',
  version: '0x54fd4d50',
} as const;

/** Has coins by decree, so that what it deploys changes nobody's balance. */
const deployer: Address = Hex.slice(Hash.keccak256(Hex.fromString('chainside proxies')), 12);

export type ProxyKinds = Awaited<ReturnType<typeof deployProxyKinds>>;

/**
 * Puts a proxy of every kind on a running node, and what looks like one and is none: from an account of its own, in two
 * new blocks at the head. What is written past a contract's code is written once that is there.
 *
 * @returns addresses in lower case.
 */
export async function deployProxyKinds(node: NodeRpc) {
  const [demo, proxies] = await Promise.all([compileContracts(), compileContracts('proxies')]);
  const bytecodes = { ...demo, ...proxies };
  const outbox = await createOutbox<void>(node, { from: deployer, gas: 6_000_000n });
  const deploy = (data: Hex.Hex) => outbox.send({ data });
  const runtime = (code: Hex.Hex) => deploy(creationOf(code));
  const contract = (name: string, types = '', values: readonly unknown[] = []) => {
    const bytecode = bytecodes[name];
    if (!bytecode) throw new Error(`${name} was not compiled`);
    if (types === '') return deploy(bytecode);
    return deploy(Hex.concat(bytecode, AbiParameters.encode(AbiParameters.from(types), values as never)));
  };
  const slotsProxy = (...entries: readonly (readonly [slot: Hex.Hex, value: Address])[]) =>
    contract('SlotsProxy', 'bytes32[] slots, address[] values', [
      entries.map(([slot]) => Hex.padLeft(slot, 32)),
      entries.map(([, value]) => value),
    ]);
  const store = (at: Address, slot: Hex.Hex, value: Address) =>
    node.call('anvil_setStorageAt', [at, Hex.padLeft(slot, 32), Hex.padLeft(value, 32)]);
  const getter = (selector: Hex.Hex, to: Address) =>
    contract('GetterProxy', 'bytes4 getter, address target', [selector, to]);

  const logic = await contract('ProxyLogic', 'uint256 version', [1n]);
  const secondLogic = await contract('ProxyLogic', 'uint256 version', [2n]);
  const gone = await contract('ProxyLogic', 'uint256 version', [3n]);
  const beacon = await contract('ProxyBeacon', 'address implementation', [logic]);
  const registry = await contract('ProxyRegistry');
  const named = 'OVM_L1CrossDomainMessenger';
  await outbox.send({ to: registry, data: setAddressCall(named, logic) });

  const uups7760 = await runtime(handmadeProxies.uups7760());
  const beacon7760 = await runtime(handmadeProxies.beacon7760());
  const safe = await runtime(handmadeProxies.safe());
  const firstSafe = await runtime(handmadeProxies.firstSafe());
  const sequence = await runtime(handmadeProxies.sequence());

  const fourth = await slotsProxy([slots.implementation, logic]);
  const third = await slotsProxy([slots.implementation, fourth]);
  const second = await slotsProxy([slots.implementation, third]);
  const chain = await slotsProxy([slots.implementation, second]);
  const loop = await slotsProxy([slots.implementation, logic]);
  const loopBack = await slotsProxy([slots.implementation, loop]);

  await outbox.mine();
  await node.call('anvil_setCode', [gone, '0x']);
  await store(uups7760, slots.implementation, logic);
  await store(beacon7760, slots.beacon, beacon);
  await store(safe, slots.first, logic);
  await store(firstSafe, slots.first, logic);
  await store(sequence, sequence, logic);
  await store(loop, slots.implementation, loopBack);

  // One for each deployment: a second deployment must not change what the account of the first runs.
  const delegated: Address = Hex.slice(Hash.keccak256(Hex.fromString(`chainside delegated ${logic}`)), 12);
  await node.call('anvil_setCode', [delegated, handmadeProxies.delegated(logic)]);

  const asset = await contract('Token', 'string name, string symbol, uint8 decimals, uint256 supply', [
    ...['Harbor Dollar', 'HUSD', 6, 10n ** 15n],
  ]);
  const facets: readonly Address[] = [logic, secondLogic];
  const kinds = {
    ...{ deployer, logic, secondLogic, gone, beacon, registry, delegated, asset },
    clone: await runtime(handmadeProxies.clone(logic)),
    shortClone: await runtime(handmadeProxies.shortClone(logic)),
    cloneWithArguments: await runtime(handmadeProxies.cloneWithArguments(logic)),
    innerClone: await runtime(handmadeProxies.innerClone(logic)),
    ...{ uups7760, beacon7760, safe, firstSafe, sequence },
    eip1967: await slotsProxy([slots.implementation, logic], [slots.admin, deployer]),
    eip1967Beacon: await contract('ProxyOfBeacon', 'address beacon', [beacon]),
    unsubtracted: await slotsProxy([slots.unsubtracted, logic]),
    openZeppelin: await slotsProxy([slots.openZeppelin, logic]),
    eip1822: await slotsProxy([slots.eip1822, logic]),
    diamond: await contract('ProxyDiamond', 'address[] facets, bytes4[] selectors', [
      facets,
      [selectors.version],
    ]),
    implementationGetter: await getter(selectors.implementation, logic),
    getImplementationGetter: await getter(selectors.getImplementation, logic),
    comptroller: await getter(selectors.comptroller, logic),
    masterCopyGetter: await getter(selectors.masterCopy, logic),
    resolved: await contract('ResolvedProxy', 'address registry, string name', [registry, named]),
    /** `implementation()` names another than the slot. */
    lying: await contract('LyingProxy', 'bytes32[] slots, address[] values, address lie', [
      [slots.implementation],
      [logic],
      secondLogic,
    ]),
    /** Two standards' slots, filled otherwise. */
    conflicted: await slotsProxy([slots.implementation, logic], [slots.eip1822, secondLogic]),
    /** Its implementation has no code any more. */
    orphaned: await slotsProxy([slots.implementation, gone]),
    ...{ chain, second, third, fourth, loop, loopBack },
    vault: await contract('HarborVault', 'address asset', [asset]),
  } as const;
  await outbox.mine();
  return kinds;
}

function setAddressCall(name: string, to: Address): Hex.Hex {
  const selector = Hex.slice(Hash.keccak256(Hex.fromString('setAddress(string,address)')), 0, 4);
  const types = AbiParameters.from('string name, address to');
  return Hex.concat(selector, AbiParameters.encode(types, [name, to]));
}

function slotOf(name: string): Hex.Hex {
  return Hash.keccak256(Hex.fromString(name));
}

function slotBelow(name: string): Hex.Hex {
  return Hex.fromNumber(Hex.toBigInt(slotOf(name)) - 1n, { size: 32 });
}
