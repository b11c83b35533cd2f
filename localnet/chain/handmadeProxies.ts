import type { Hex } from 'ox';
import type { Address } from './transactions.ts';

const slot1967 = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const slotOfBeacon = 'a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const digits = (address: Address) => address.slice(2).toLowerCase();

/** Runtime code of proxies that no compiler writes, as their standards and makers give it. */
export const handmadeProxies = {
  /** EIP-1167. */
  clone: (to: Address) => `0x363d3d373d3d3d363d73${digits(to)}5af43d82803e903d91602b57fd5bf3`,
  /** The shorter form of EIP-1167. */
  shortClone: (to: Address) => `0x3d3d3d3d363d3d37363d73${digits(to)}5af43d3d93803e602a57fd5bf3`,
  /** OpenZeppelin's clone with arguments behind it. */
  cloneWithArguments: (to: Address) =>
    `0x363d3d373d3d3d363d73${digits(to)}5af43d82803e903d91602b57fd5bf3${'c0ffee'.repeat(11)}`,
  /** EIP-1167 behind a receiver of plain coins, which is six bytes long. */
  innerClone: (to: Address) =>
    `0x36600557005b363d3d373d3d3d363d73${digits(to)}5af43d82803e903d91603157fd5bf3`,
  /** ERC-7760, UUPS. */
  uups7760: () => `0x363d3d373d3d363d7f${slot1967}545af43d6000803e6038573d6000fd5b3d6000f3`,
  /** ERC-7760 by a beacon. */
  beacon7760: () =>
    `0x363d3d373d3d363d602036600436635c60da1b60e01b36527f${slotOfBeacon}545afa5036515af43d6000803e604d573d6000fd5b3d6000f3`,
  /** Safe 1.3.0. */
  safe: () =>
    `0x608060405273${'f'.repeat(40)}600054167fa619486e${'0'.repeat(56)}60003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea2646970667358221220d1429297349653a4918076d650332de1a1068c5f3e07c5c82360c277770b955264736f6c63430007060033`,
  /** Safe 1.0.0, without its metadata. */
  firstSafe: () =>
    `0x608060405273${'f'.repeat(40)}600054163660008037600080366000845af43d6000803e6000811415603d573d6000fd5b3d6000f3fe`,
  /** Sequence's wallet: what it runs is kept in the slot with the number of its own address. */
  sequence: () => '0x363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3',
  /** EIP-7702: an account that runs the code at an address. */
  delegated: (to: Address) => `0xef0100${digits(to)}`,
} as const satisfies Record<string, (to: Address) => Hex.Hex>;

/** What makes a contract of runtime code: it returns all that stands behind it. */
export function creationOf(runtime: Hex.Hex): Hex.Hex {
  const bytes = (runtime.length - 2) / 2;
  return `0x61${bytes.toString(16).padStart(4, '0')}80600a3d393df3${runtime.slice(2)}`;
}
