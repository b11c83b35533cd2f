import { type Anvil, startAnvil } from '../../localnet/chain/anvil.ts';
import { creationOf, handmadeProxies } from '../../localnet/chain/handmadeProxies.ts';
import { createNodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { sendCall } from '../../localnet/chain/transactions.ts';
import { hashText, toSelector } from '../../src/core/eth/keccak.ts';
import type { Address, Hex } from '../../src/core/index.ts';
import { compile, getArtifactPath, toFoundryArtifact } from './codeProject.ts';

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n';
const KEEPER = hashText('keeper of the ledger');

/** The parts of a ledger, and its next version: equal selectors and topics with other names. */
const LEDGER = `${HEAD}contract Pay {
    error TooMuch(uint256 amount, uint256 most);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Paid(address indexed by, uint256 amount);
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint256 public limit;

    function decimals() external pure returns (uint8) { return 0; }
    function legacy() external pure returns (uint256) { return 7; }
    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }
    function pay(uint256 amount) external { if (amount > 5) revert TooMuch(amount, 5); emit Paid(msg.sender, amount); }
    function quote(uint256 amount) external pure returns (uint256 price) { if (amount > 5) revert TooMuch(amount, 5); price = amount; }
}

contract Rights {
    bytes32 private constant PAYER = keccak256(abi.encodePacked("PAYER_ROLE"));
    bytes32 private constant KEEPER = ${KEEPER};
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    mapping(bytes32 => mapping(address => bool)) private _members;
    uint256 private _spare;
    mapping(bytes32 => mapping(address => bool)) public hasRole;

    function grant(address account) external {
        hasRole[PAYER][account] = true;
        emit RoleGranted(PAYER, account, msg.sender);
        hasRole[KEEPER][account] = true;
        emit RoleGranted(KEEPER, account, msg.sender);
    }
    function fee() external pure returns (uint256) { return 50; }
}

contract Ledger is Pay, Rights {}
`;
const LEDGER_V2 = `${HEAD}import {Rights} from "./Ledger.sol";

contract PayV2 {
    error TooMuch(uint256 asked, uint256 allowed);
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Paid(address indexed payer, uint256 value);
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint256 public limit;

    function decimals() external pure returns (uint8) { return 0; }
    function paused() external pure returns (bool isPaused) { return true; }
    function pay(uint256 value) external { if (value > 9) revert TooMuch(value, 9); emit Paid(msg.sender, value); }
    function quote(uint256 value) external pure returns (uint256 cost) { if (value > 9) revert TooMuch(value, 9); cost = 2 * value; }
}

/// A facet with functions that the diamond does not take from it.
contract PayFacetV2 is PayV2 {
    function fee() external pure returns (bool wrong) { return false; }
    function unused() external pure returns (uint256) { return 1; }
}

contract LedgerV2 is PayV2, Rights {}
`;
/** First in the index, and never deployed: what is taken by name or selector alone comes from here. */
const AARDVARK = `${HEAD}contract Aardvark {
    bytes32 private constant WRONG_PAYER = keccak256("PAYER_ROLE");
    bytes32 private constant WRONG_KEEPER = keccak256("keeper of the ledger");
    error TooMuch(uint256 x, uint256 y);
    event Paid(address indexed who, uint256 sum);
    function pay(uint256 sum) external { if (sum > 1) revert TooMuch(sum, 1); emit Paid(msg.sender, sum); }
    function quote(uint256 sum) external pure returns (int256) { return int256(sum); }
    function roles() external pure returns (bytes32, bytes32) { return (WRONG_PAYER, WRONG_KEEPER); }
}
`;
const PROXIES = `${HEAD}abstract contract Delegating {
    function _delegate(address to) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

abstract contract Slot is Delegating {
    event Upgraded(address indexed implementation);
    bytes32 internal constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    function _set(address code) internal {
        assembly { sstore(SLOT, code) }
        emit Upgraded(code);
    }
    fallback() external payable {
        address to;
        assembly { to := sload(SLOT) }
        _delegate(to);
    }
}

contract Transparent is Slot {
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    constructor(address code) {
        assembly { sstore(ADMIN, caller()) }
        _set(code);
    }
    function upgradeTo(address code) external { _set(code); }
}

/// As UUPS has it: only the implementation would have the upgrade. Here any caller of the selector may.
contract Uups is Slot {
    constructor(address code) { _set(code); }
    function proxyUpgrade(address code) external { _set(code); }
}

contract Beacon {
    event Upgraded(address indexed implementation);
    address public implementation;
    constructor(address code) { upgradeTo(code); }
    function upgradeTo(address code) public { implementation = code; emit Upgraded(code); }
}

contract BeaconProxy is Delegating {
    event BeaconUpgraded(address indexed beacon);
    bytes32 private constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
    constructor(address beacon) {
        assembly { sstore(SLOT, beacon) }
        emit BeaconUpgraded(beacon);
    }
    fallback() external payable {
        address beacon;
        assembly { beacon := sload(SLOT) }
        _delegate(Beacon(beacon).implementation());
    }
}

/// EIP-2535.
contract Diamond is Delegating {
    struct FacetCut { address facetAddress; uint8 action; bytes4[] functionSelectors; }
    struct Facet { address facetAddress; bytes4[] functionSelectors; }
    struct Store { address[] facets; mapping(bytes4 => address) facetOf; bytes4[] selectors; }
    event DiamondCut(FacetCut[] _diamondCut, address _init, bytes _calldata);

    constructor(FacetCut[] memory cuts) { diamondCut(cuts); }

    function diamondCut(FacetCut[] memory cuts) public {
        Store storage store = _store();
        for (uint256 i; i < cuts.length; i++)
            for (uint256 j; j < cuts[i].functionSelectors.length; j++) {
                bytes4 selector = cuts[i].functionSelectors[j];
                if (cuts[i].action == 0) store.selectors.push(selector);
                store.facetOf[selector] = cuts[i].facetAddress;
            }
        emit DiamondCut(cuts, address(0), "");
    }
    function facetAddress(bytes4 selector) external view returns (address) { return _store().facetOf[selector]; }
    function facetAddresses() public view returns (address[] memory found) {
        Store storage store = _store();
        address[] memory all = new address[](store.selectors.length);
        uint256 count;
        for (uint256 i; i < all.length; i++) {
            address facet = store.facetOf[store.selectors[i]];
            bool isNew = facet != address(0);
            for (uint256 j; j < count; j++) if (all[j] == facet) isNew = false;
            if (isNew) all[count++] = facet;
        }
        found = new address[](count);
        for (uint256 i; i < count; i++) found[i] = all[i];
    }
    function facets() external view returns (Facet[] memory found) {
        Store storage store = _store();
        address[] memory addresses = facetAddresses();
        found = new Facet[](addresses.length);
        for (uint256 i; i < addresses.length; i++) {
            bytes4[] memory own = new bytes4[](store.selectors.length);
            uint256 count;
            for (uint256 j; j < own.length; j++)
                if (store.facetOf[store.selectors[j]] == addresses[i]) own[count++] = store.selectors[j];
            found[i] = Facet(addresses[i], new bytes4[](count));
            for (uint256 j; j < count; j++) found[i].functionSelectors[j] = own[j];
        }
    }
    fallback() external payable {
        address to = _store().facetOf[msg.sig];
        require(to != address(0), "no such function");
        _delegate(to);
    }
    function _store() private pure returns (Store storage store) {
        bytes32 slot = keccak256("diamond of the tests");
        assembly { store.slot := slot }
    }
}
`;

const SOURCES = {
  'src/Aardvark.sol': AARDVARK,
  'src/Ledger.sol': LEDGER,
  'src/LedgerV2.sol': LEDGER_V2,
  'src/Proxies.sol': PROXIES,
};

export const PROXY_KINDS = ['Transparent', 'Uups', 'BeaconProxy', 'Clone', 'Diamond'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];

/** A chain with a project: each kind of proxy runs a ledger, and those that can be upgraded then run its next version. */
export interface ProxyKindsProject {
  readonly url: string;
  readonly addresses: Readonly<Record<string, Address>>;
  /** The block before the upgrades, and the last one. */
  readonly created: number;
  readonly upgraded: number;
  readonly member: Address;
  /** Writes the files as Foundry would after `forge script --broadcast`. The clone is in none of them. */
  writeProject(write: (path: string, text: string) => Promise<void>): Promise<void>;
  call(to: Address, data: Hex, block?: number): Promise<Hex>;
  slot(at: Address, slot: number): Promise<Hex>;
  stop(): Promise<void>;
}

/** The functions of the diamond, by their facets. */
const PAY = [
  'totalSupply()',
  'balanceOf(address)',
  'limit()',
  'decimals()',
  'pay(uint256)',
  'quote(uint256)',
];
const PAY_ONLY_V1 = ['legacy()', 'mint(address,uint256)'];
const RIGHTS = ['hasRole(bytes32,address)', 'grant(address)', 'fee()'];

export const word = (value: Address | bigint | number): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
export const encodeCall = (signature: string, ...args: readonly (Address | bigint | number)[]): Hex =>
  `${toSelector(signature)}${args.map(word).join('')}`;

export async function startProxyKinds(): Promise<ProxyKindsProject> {
  const compiled = compile(SOURCES);
  const anvil: Anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000 });
  const node = createNodeRpc(anvil.url);
  await node.call('evm_setAutomine', [true]);
  const [deployer, member] = (await node.call('eth_accounts', [])) as [Address, Address];
  const records: { readonly sent: object; readonly receipt: object }[] = [];
  const addresses: Record<string, Address> = {};

  async function send(data: Hex, to?: Address) {
    const [, params] = sendCall({ from: deployer, data, gas: 9_000_000n, ...(to && { to }) });
    const receipt = (await node.call('eth_sendTransactionSync', params)) as {
      readonly blockNumber: Hex;
      readonly contractAddress: Address | null;
      readonly status: Hex;
      readonly transactionHash: Hex;
    };
    if (receipt.status !== '0x1') throw new Error(`The transaction ${receipt.transactionHash} failed.`);
    return receipt;
  }
  async function deploy(name: string, args = ''): Promise<Address> {
    const found = Object.values(compiled.contracts).find((byName) => byName[name])?.[name];
    const receipt = await send(`0x${found?.evm.bytecode.object}${args}`);
    const address = receipt.contractAddress?.toLowerCase() as Address;
    addresses[name] = address;
    const hash = receipt.transactionHash;
    const sent = { hash, transactionType: 'CREATE', contractName: name, contractAddress: address };
    const { blockNumber, status } = receipt;
    records.push({
      sent,
      receipt: { status, transactionHash: hash, contractAddress: address, blockNumber },
    });
    return address;
  }
  const cuts = (
    ...list: readonly (readonly [facet: Address, action: number, functions: readonly string[]])[]
  ) => {
    const encoded = list.map(([facet, action, functions]) => {
      const selectors = functions.map((text) => toSelector(text).slice(2).padEnd(64, '0')).join('');
      return `${word(facet)}${word(action)}${word(96)}${word(functions.length)}${selectors}`;
    });
    let offset = 32 * list.length;
    const offsets = encoded.map((text) => {
      const at = word(offset);
      offset += text.length / 2;
      return at;
    });
    return `${word(32)}${word(list.length)}${offsets.join('')}${encoded.join('')}`;
  };

  const ledger = await deploy('Ledger');
  const second = await deploy('LedgerV2');
  const [pay, rights, payV2] = [await deploy('Pay'), await deploy('Rights'), await deploy('PayFacetV2')];
  await deploy('Transparent', word(ledger));
  await deploy('Uups', word(ledger));
  const beacon = await deploy('Beacon', word(ledger));
  await deploy('BeaconProxy', word(beacon));
  const clone = (await send(creationOf(handmadeProxies.clone(ledger)))).contractAddress as Address;
  addresses.Clone = clone.toLowerCase() as Address;
  await deploy('Diamond', cuts([pay, 0, [...PAY, ...PAY_ONLY_V1]], [rights, 0, RIGHTS]));
  const proxies = PROXY_KINDS.map((kind) => addresses[kind] as Address);
  for (const proxy of proxies) {
    await send(encodeCall('mint(address,uint256)', member, 1000 + proxies.indexOf(proxy)), proxy);
    await send(encodeCall('grant(address)', member), proxy);
    await send(encodeCall('pay(uint256)', 3), proxy);
  }
  const created = Number(await node.call('eth_blockNumber', []));
  await send(encodeCall('upgradeTo(address)', second), addresses.Transparent);
  await send(encodeCall('proxyUpgrade(address)', second), addresses.Uups);
  await send(encodeCall('upgradeTo(address)', second), beacon);
  const diamondCut = '(address,uint8,bytes4[])[]';
  const none = `0x${'0'.repeat(40)}` as const;
  await send(
    `${toSelector(`diamondCut(${diamondCut})`)}${cuts([payV2, 1, PAY], [payV2, 0, ['paused()']], [none, 2, PAY_ONLY_V1])}`,
    addresses.Diamond,
  );
  for (const proxy of proxies) await send(encodeCall('pay(uint256)', 4), proxy);

  const sequence = JSON.stringify({
    transactions: records.map(({ sent }) => sent),
    receipts: records.map(({ receipt }) => receipt),
    ...{
      libraries: [],
      pending: [],
      returns: {},
      timestamp: 1_790_000_000_000,
      chain: 31337,
      commit: 'abc1234',
    },
  });
  const artifacts = Object.entries(compiled.contracts).flatMap(([source, byName]) =>
    Object.entries(byName).map(([name, contract]) => [
      getArtifactPath(source, name),
      JSON.stringify({ ...toFoundryArtifact(contract, 0), storageLayout: contract.storageLayout }),
    ]),
  );
  const files: Readonly<Record<string, string>> = {
    ...SOURCES,
    ...Object.fromEntries(artifacts),
    'foundry.toml': '[profile.default]\nsrc = "src"\nout = "out"\n',
    'broadcast/Deploy.s.sol/31337/run-latest.json': sequence,
  };
  const tag = (block?: number) => (block === undefined ? 'latest' : `0x${block.toString(16)}`);
  return {
    url: anvil.url,
    async writeProject(write) {
      for (const [path, text] of Object.entries(files)) await write(path, text);
    },
    ...{ addresses, created, member: member.toLowerCase() as Address },
    upgraded: Number(await node.call('eth_blockNumber', [])),
    call: async (to, data, block) => (await node.call('eth_call', [{ to, data }, tag(block)])) as Hex,
    slot: async (at, slot) =>
      (await node.call('eth_getStorageAt', [at, `0x${slot.toString(16)}`, 'latest'])) as Hex,
    stop: () => anvil.stop(),
  };
}
