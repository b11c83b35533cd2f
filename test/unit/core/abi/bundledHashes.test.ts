import assert from 'node:assert/strict';
import type { Hex } from '../../../../src/core/eth/hex.ts';
import { getStandardLookup } from '../../../../src/core/standards/lookup.ts';

/** As block explorers show them. */
const topics: readonly (readonly [Hex, string, list: string])[] = [
  [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    'Transfer(address,address,uint256)',
    'ERC-20',
  ],
  [
    '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
    'Approval(address,address,uint256)',
    'ERC-20',
  ],
  [
    '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
    'ApprovalForAll(address,address,bool)',
    'ERC-721',
  ],
  [
    '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
    'TransferSingle(address,address,address,uint256,uint256)',
    'ERC-1155',
  ],
  [
    '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
    'TransferBatch(address,address,address,uint256[],uint256[])',
    'ERC-1155',
  ],
  ['0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b', 'URI(string,uint256)', 'ERC-1155'],
  [
    '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7',
    'Deposit(address,address,uint256,uint256)',
    'ERC-4626',
  ],
  [
    '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
    'OwnershipTransferred(address,address)',
    'Ownable',
  ],
  [
    '0xf6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b',
    'RoleRevoked(bytes32,address,address)',
    'AccessControl',
  ],
  ['0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258', 'Paused(address)', 'Pausable'],
  ['0x5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa', 'Unpaused(address)', 'Pausable'],
  [
    '0x7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f',
    'AdminChanged(address,address)',
    'ERC-1967',
  ],
  [
    '0x7f26b83ff96e1f2b6a682f133852f6798a09c465da95921460cefb3847402498',
    'Initialized(uint8)',
    'Initializable',
  ],
  [
    '0xc7f505b2f371ae2175ee4913f4499e1f2633a7b5936321eed1cdaeb6115181d2',
    'Initialized(uint64)',
    'Initializable',
  ],
  ['0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c', 'Deposit(address,uint256)', 'WETH9'],
  [
    '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
    'Withdrawal(address,uint256)',
    'WETH9',
  ],
  [
    '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
    'PairCreated(address,address,address,uint256)',
    'Uniswap v2',
  ],
  [
    '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
    'Swap(address,uint256,uint256,uint256,uint256,address)',
    'Uniswap v2',
  ],
  [
    '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1',
    'Sync(uint112,uint112)',
    'Uniswap v2',
  ],
  [
    '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
    'PoolCreated(address,address,uint24,int24,address)',
    'Uniswap v3',
  ],
  [
    '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
    'Swap(address,address,int256,int256,uint160,uint128,int24)',
    'Uniswap v3',
  ],
  [
    '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f',
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
    'Uniswap v4',
  ],
  [
    '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438',
    'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
    'Uniswap v4',
  ],
  [
    '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f',
    'UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)',
    'ERC-4337 v0.6',
  ],
  [
    '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e',
    'ExecutionSuccess(bytes32,uint256)',
    'Safe',
  ],
  [
    '0x6895c13664aa4f67288b25d7a21d7aaa34916e355fb9b6fae0a139a9085becb8',
    'ExecutionFromModuleSuccess(address)',
    'Safe',
  ],
  [
    '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32',
    'TransactionDeposited(address,address,uint256,bytes)',
    'OP portal',
  ],
  [
    '0x02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054',
    'MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)',
    'OP portal',
  ],
  [
    '0xcb0f7ffd78f9aee47a248fae8db181db6eee833039123e026dcbff529522e52a',
    'SentMessage(address,address,bytes,uint256,uint256)',
    'OP messengers',
  ],
  [
    '0x4641df4a962071e12719d8c8c8e5ac7fc4d97b927346a3d7a335b1f7517e133c',
    'RelayedMessage(bytes32)',
    'OP messengers',
  ],
  [
    '0xff64905f73a67fb594e0f940a8075a860db489ad991e032f48c81123eb52d60b',
    'InboxMessageDelivered(uint256,bytes)',
    'Arbitrum bridge',
  ],
  [
    '0x5e3c1311ea442664e8b1611bfabef659120ea7a0a2cfc0667700bebc69cbffe1',
    'MessageDelivered(uint256,bytes32,address,uint8,address,bytes32,uint256,uint64)',
    'Arbitrum bridge',
  ],
  [
    '0x3e7aafa77dbf186b7fd488006beff893744caa3c4f6f299e8a709fa2087374fc',
    'L2ToL1Tx(address,address,uint256,uint256,uint256,uint256,uint256,uint256,bytes)',
    'Arbitrum precompiles',
  ],
  [
    '0x5ccd009502509cf28762c67858994d85b163bb6e451f5e9df7c5e18c9c2e123e',
    'RedeemScheduled(bytes32,bytes32,uint64,uint64,address,uint256,uint256)',
    'Arbitrum precompiles',
  ],
  [
    '0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f',
    'IncreaseLiquidity(uint256,uint128,uint256,uint256)',
    'Uniswap v3 periphery',
  ],
  [
    '0x26f6a048ee9138f2c0ce266f322cb99228e8d619ae2bff30c67f8dcf9d2377b4',
    'DecreaseLiquidity(uint256,uint128,uint256,uint256)',
    'Uniswap v3 periphery',
  ],
  [
    '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
    'Permit(address,address,address,uint160,uint48,uint48)',
    'Permit2',
  ],
  [
    '0xd51a9c61267aa6196961883ecf5ff2da6619c37dac0fa92122513fb32c032d2d',
    'AccountDeployed(bytes32,address,address,address)',
    'ERC-4337 v0.6',
  ],
  [
    '0x4cf4410cc57040e44862ef0f45f3dd5a5e02db8eb8add648d4b0e236f1d07dca',
    'CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)',
    'TimelockController',
  ],
  [
    '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d',
    'RoleGranted(bytes32,address,address)',
    'AccessControl',
  ],
  [
    '0x7d84a6263ae0d98d3329bd7b46bb4e8d6f98cd35a7adb45c274c8b7fd5ebd5e0',
    'ProposalCreated(uint256,address,address[],uint256[],string[],bytes[],uint256,uint256,string)',
    'Governor',
  ],
  [
    '0xb8e138887d0aa13bab447e82de9d5c1777041ecd21ca36ba824ff1e6c07ddda4',
    'VoteCast(address,uint256,uint8,uint256,string)',
    'Governor',
  ],
  ['0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b', 'Upgraded(address)', 'ERC-1967'],
  [
    '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972',
    'BeforeExecution()',
    'ERC-4337 v0.6',
  ],
  [
    '0x35d79ab81f2b2017e19afb5c5571778877782d7a8786f5907f93b0f4702f4f23',
    'ETHDepositInitiated(address,address,uint256,bytes)',
    'OP bridges',
  ],
  [
    '0x75e41bc35ff1bf14d81d1d2f649c0084a0f974f9289c803ec9898eeec4c8d0b8',
    'ChangedMasterCopy(address)',
    'Safe 1.3',
  ],
];

const errors: readonly (readonly [Hex, string])[] = [
  ['0x118cdaa7', 'OwnableUnauthorizedAccount(address)'],
  ['0xe2517d3f', 'AccessControlUnauthorizedAccount(address,bytes32)'],
  ['0xe450d38c', 'ERC20InsufficientBalance(address,uint256,uint256)'],
  ['0xfb8f41b2', 'ERC20InsufficientAllowance(address,uint256,uint256)'],
  ['0xd93c0665', 'EnforcedPause()'],
  ['0xf92ee8a9', 'InvalidInitialization()'],
  ['0x5274afe7', 'SafeERC20FailedOperation(address)'],
  ['0x9996b315', 'AddressEmptyCode(address)'],
  ['0x220266b6', 'FailedOp(uint256,string)'],
  ['0x65c8fd4d', 'FailedOpWithRevert(uint256,string,bytes)'],
];

const functions: readonly (readonly [Hex, string])[] = [
  ['0x01ffc9a7', 'supportsInterface(bytes4)'],
  ['0xa9059cbb', 'transfer(address,uint256)'],
  ['0x095ea7b3', 'approve(address,uint256)'],
  ['0x23b872dd', 'transferFrom(address,address,uint256)'],
  ['0x70a08231', 'balanceOf(address)'],
  ['0xd505accf', 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'],
  ['0xac9650d8', 'multicall(bytes[])'],
  ['0x82ad56cb', 'aggregate3((address,bool,bytes)[])'],
  ['0x38ed1739', 'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)'],
  ['0x414bf389', 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))'],
  ['0x3593564c', 'execute(bytes,bytes[],uint256)'],
  [
    '0x6a761202',
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  ],
  [
    '0x1fad948c',
    'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
  ],
  ['0x765e827f', 'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)'],
];

describe('bundled lists: hashes that everyone knows', () => {
  const lookup = getStandardLookup();

  for (const [topic0, signature, list] of topics) {
    it(`topic0 of ${signature}`, () => {
      const [first] = lookup.events(topic0);
      assert.deepEqual([first?.item.signature, first?.origin.from], [signature, list]);
    });
  }

  it('selectors of errors', () => {
    const found = errors.map(([selector]) => [selector, lookup.errors(selector)[0]?.item.signature]);
    assert.deepEqual(found, errors);
  });

  it('selectors of functions', () => {
    const found = functions.map(([selector]) => [selector, lookup.functions(selector)[0]?.item.signature]);
    assert.deepEqual(found, functions);
  });
});
