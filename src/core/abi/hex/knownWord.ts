import { keccak256 } from 'ox/Hash';
import type { Hex } from '../../values/hex.ts';
import { signatureHash } from '../signatureHash.ts';

/** Constants of contracts that everybody uses, of which only the hash is met. */
const hashed: readonly string[] = [
  // Roles of AccessControl, as OpenZeppelin's presets, its governance and most projects name them.
  ...['ADMIN_ROLE', 'MINTER_ROLE', 'BURNER_ROLE', 'PAUSER_ROLE', 'UNPAUSER_ROLE', 'UPGRADER_ROLE'],
  ...['OPERATOR_ROLE', 'MANAGER_ROLE', 'GOVERNOR_ROLE', 'GUARDIAN_ROLE', 'KEEPER_ROLE', 'RELAYER_ROLE'],
  ...['TIMELOCK_ADMIN_ROLE', 'PROPOSER_ROLE', 'EXECUTOR_ROLE', 'CANCELLER_ROLE', 'SNAPSHOT_ROLE'],
  ...['BRIDGE_ROLE', 'ORACLE_ROLE', 'TREASURER_ROLE', 'WITHDRAWER_ROLE', 'DEPOSITOR_ROLE', 'FREEZER_ROLE'],
  // EIP-712: https://eips.ethereum.org/EIPS/eip-712 and https://eips.ethereum.org/EIPS/eip-2612
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
  'EIP712Domain(string name,uint256 chainId,address verifyingContract)',
  'EIP712Domain(uint256 chainId,address verifyingContract)',
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  // https://eips.ethereum.org/EIPS/eip-3156
  'ERC3156FlashBorrower.onFlashLoan',
  // Slots of storage: https://eips.ethereum.org/EIPS/eip-1822, https://eips.ethereum.org/EIPS/eip-2535, and the proxies
  // of OpenZeppelin before ERC-1967.
  ...['PROXIABLE', 'diamond.standard.diamond.storage'],
  ...['org.zeppelinos.proxy.implementation', 'org.zeppelinos.proxy.admin'],
];

/**
 * Namespaces of storage, in their form of https://eips.ethereum.org/EIPS/eip-7201: those of OpenZeppelin's contracts.
 */
const namespaces: readonly string[] = [
  ...['Initializable', 'Ownable', 'Ownable2Step', 'AccessControl', 'AccessControlDefaultAdminRules'],
  ...['AccessControlEnumerable', 'AccessManaged', 'AccessManager', 'Pausable', 'ReentrancyGuard', 'EIP712'],
  ...[
    'Nonces',
    'ERC20',
    'ERC20Capped',
    'ERC20Votes',
    'ERC20Wrapper',
    'ERC4626',
    'ERC721',
    'ERC721Enumerable',
  ],
  ...['ERC721URIStorage', 'ERC1155', 'ERC1155Supply', 'ERC1155URIStorage', 'ERC2981', 'Votes', 'Governor'],
  ...['TimelockController', 'VestingWallet'],
].map((name) => `openzeppelin.storage.${name}`);

/** Slots of storage that are a hash less one: https://eips.ethereum.org/EIPS/eip-1967 */
const slots: readonly string[] = [
  ...[
    'eip1967.proxy.implementation',
    'eip1967.proxy.admin',
    'eip1967.proxy.beacon',
    'eip1967.proxy.rollback',
  ],
];

let known: ReadonlyMap<Hex, string> | undefined;

/**
 * What a word is the hash of, as Solidity writes it: a role of AccessControl, a type of EIP-712, a slot of a proxy or
 * of a namespace; undefined where it is none that is known. The hashes are made when first asked for.
 *
 * @param word 32 bytes in lower case.
 * @example
 * knownWord('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6') // 'keccak256("MINTER_ROLE")'
 */
export function knownWord(word: Hex): string | undefined {
  known ??= new Map([
    ...hashed.map((text) => [signatureHash(text), `keccak256("${text}")`] as const),
    ...slots.map((text) => [slotOf(text), `keccak256("${text}") - 1`] as const),
    ...namespaces.map((text) => [namespaceOf(text), `erc7201("${text}")`] as const),
  ]);
  return known.get(word);
}

function slotOf(text: string): Hex {
  return `0x${(BigInt(signatureHash(text)) - 1n).toString(16).padStart(64, '0')}`;
}

/** The hash of the slot, with a zero as its last byte. */
function namespaceOf(text: string): Hex {
  return `0x${keccak256(slotOf(text)).slice(2, -2)}00`;
}
