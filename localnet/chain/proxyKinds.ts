import { AbiParameters, ContractAddress, Hash, Hex } from 'ox';
import * as z from 'zod/mini';
import { compileContracts } from './compile.ts';
import { creationOf, handmadeProxies } from './handmadeProxies.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { type Address, createSend, quantity } from './transactions.ts';

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
const gas = 6_000_000n;

export type ProxyKinds = Awaited<ReturnType<typeof deployProxyKinds>>;

/**
 * Puts a proxy of every kind on a running node, and what looks like one and is none: from an account of its own, in new
 * blocks at the head.
 *
 * @returns addresses in lower case.
 */
export async function deployProxyKinds(node: NodeRpc) {
  const [demo, proxies] = await Promise.all([compileContracts(), compileContracts('proxies')]);
  const bytecodes = { ...demo, ...proxies };
  await node.call('anvil_impersonateAccount', [deployer]);
  await node.call('anvil_setBalance', [deployer, quantity(10n ** 20n)]);
  const send = createSend(node);
  let nonce = BigInt(z.string().parse(await node.call('eth_getTransactionCount', [deployer, 'latest'])));

  async function deploy(data: Hex.Hex): Promise<Address> {
    const hash = await send({ from: deployer, data, gas });
    const address = ContractAddress.fromCreate({ from: deployer, nonce: nonce++ });
    await mined(node, hash);
    return address.toLowerCase() as Address;
  }
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
  await node.call('anvil_setCode', [gone, '0x']);
  const beacon = await contract('ProxyBeacon', 'address implementation', [logic]);
  const registry = await contract('ProxyRegistry');
  const named = 'OVM_L1CrossDomainMessenger';
  await mined(node, await send({ from: deployer, to: registry, data: setAddressCall(named, logic), gas }));
  nonce++;

  const uups7760 = await runtime(handmadeProxies.uups7760());
  await store(uups7760, slots.implementation, logic);
  const beacon7760 = await runtime(handmadeProxies.beacon7760());
  await store(beacon7760, slots.beacon, beacon);
  const safe = await runtime(handmadeProxies.safe());
  await store(safe, slots.first, logic);
  const firstSafe = await runtime(handmadeProxies.firstSafe());
  await store(firstSafe, slots.first, logic);

  const sequence = await runtime(handmadeProxies.sequence());
  await store(sequence, sequence, logic);

  const fourth = await slotsProxy([slots.implementation, logic]);
  const third = await slotsProxy([slots.implementation, fourth]);
  const second = await slotsProxy([slots.implementation, third]);
  const chain = await slotsProxy([slots.implementation, second]);
  const loop = await slotsProxy([slots.implementation, logic]);
  const loopBack = await slotsProxy([slots.implementation, loop]);
  await store(loop, slots.implementation, loopBack);

  const delegated: Address = Hex.slice(Hash.keccak256(Hex.fromString('chainside delegated')), 12);
  await node.call('anvil_setCode', [delegated, handmadeProxies.delegated(logic)]);

  const asset = await contract('Token', 'string name, string symbol, uint8 decimals, uint256 supply', [
    ...['Harbor Dollar', 'HUSD', 6, 10n ** 15n],
  ]);
  const facets: readonly Address[] = [logic, secondLogic];
  return {
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
}

/** Waits for a transaction, which is mined here unless the node does so itself. */
async function mined(node: NodeRpc, hash: Hex.Hex): Promise<void> {
  let receipt = await node.call('eth_getTransactionReceipt', [hash]);
  if (receipt === null) {
    await node.call('evm_mine', []);
    receipt = await node.call('eth_getTransactionReceipt', [hash]);
  }
  const { status } = z.object({ status: z.string() }).parse(receipt);
  if (status !== quantity(1)) throw new Error(`failed: ${hash}`);
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
