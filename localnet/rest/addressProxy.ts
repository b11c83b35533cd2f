import { AbiParameters, Hash, Hex } from 'ox';
import type { RestCall } from './restCall.ts';

/** What an explorer finds out about a proxy: first by the form of its code, else by what it stores and answers. */
export type FoundProxy = { readonly type: string; readonly implementations: readonly Hex.Hex[] };

type Ask = RestCall['ask'];

const clones: readonly (readonly [type: string, form: RegExp])[] = [
  ['eip1167', /^0x363d3d373d3d3d363d73(.{40})5af43d82803e903d91602b57fd5bf3$/],
  ['eip1167', /^0x3d3d3d3d363d3d37363d73(.{40})5af43d3d93803e602a57fd5bf3$/],
  ['eip7702', /^0xef0100(.{40})$/],
  ['clone_with_immutable_arguments', /^0x363d3d373d3d3d363d73(.{40})5af43d82803e903d91602b57fd5bf3.+$/],
  ['minimal_proxy', /^0x.{0,100}363d3d373d3d3d363d73(.{40})5af43d82803e903d9160..57fd5bf3.{0,100}$/],
];
/** How code begins that keeps its implementation in the slot of EIP-1967, or its beacon in the other (ERC-7760). */
const handmade = /^0x363d3d373d3d363d(?:7f360894|6020)/;
const safe = /^0x608060405273f{40}600054/;

const slots: readonly (readonly [type: string, slot: Hex.Hex])[] = [
  ['eip1967', below('eip1967.proxy.implementation')],
  ['eip1967_oz', Hash.keccak256(Hex.fromString('org.zeppelinos.proxy.implementation'))],
  ['eip1822', Hash.keccak256(Hex.fromString('PROXIABLE'))],
];
const beaconSlot = below('eip1967.proxy.beacon');
const getters: readonly (readonly [type: string, name: string])[] = [
  ['basic_implementation', 'implementation()'],
  ['basic_get_implementation', 'getImplementation()'],
  ['comptroller', 'comptrollerImplementation()'],
  ['master_copy', 'masterCopy()'],
];

/** The proxy at an address with this code; undefined for what is none. */
export async function findProxy(ask: Ask, address: Hex.Hex, code: Hex.Hex): Promise<FoundProxy | undefined> {
  for (const [type, form] of clones) {
    const to = form.exec(code)?.[1];
    if (to) return { type, implementations: [`0x${to}`] };
  }
  const stored = async (slot: Hex.Hex) => asAddress(await ask('eth_getStorageAt', [address, slot, 'latest']));
  if (safe.test(code)) return one('master_copy', await stored('0x0'));
  for (const [type, slot] of slots) {
    const found = await stored(slot);
    if (found) return one(handmade.test(code) ? 'erc7760' : type, found);
  }
  const beacon = await stored(beaconSlot);
  if (beacon) {
    const type = handmade.test(code) ? 'erc7760' : 'eip1967_beacon';
    return one(type, asAddress(await called(ask, beacon, 'implementation()')));
  }
  const facets = await facetsOf(ask, address);
  if (facets.length > 0) return { type: 'eip2535', implementations: facets };
  for (const [type, getter] of getters) {
    const found = asAddress(await called(ask, address, getter));
    if (found) return one(type, found);
  }
  return undefined;
}

function one(type: string, implementation: Hex.Hex | undefined): FoundProxy | undefined {
  return implementation && { type, implementations: [implementation] };
}

async function facetsOf(ask: Ask, address: Hex.Hex): Promise<readonly Hex.Hex[]> {
  const data = await called(ask, address, 'facetAddresses()');
  try {
    const [facets] = AbiParameters.decode(AbiParameters.from('address[]'), data as Hex.Hex);
    return facets.slice(0, 100).map((facet) => facet.toLowerCase() as Hex.Hex);
  } catch {
    return [];
  }
}

function called(ask: Ask, to: Hex.Hex, signature: string): Promise<unknown> {
  const data = Hex.slice(Hash.keccak256(Hex.fromString(signature)), 0, 4);
  return ask('eth_call', [{ to, data }, 'latest']);
}

function asAddress(word: unknown): Hex.Hex | undefined {
  const digits = /^0x0{24}([0-9a-f]{40})$/.exec(typeof word === 'string' ? word : '')?.[1];
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`;
}

function below(name: string): Hex.Hex {
  return Hex.fromNumber(Hex.toBigInt(Hash.keccak256(Hex.fromString(name))) - 1n, { size: 32 });
}
