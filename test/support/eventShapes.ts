import type { AbiType, AbiValue } from '../../src/core/abi/type.ts';

/** Of the events of tokens, vaults, exchanges, lending, bridges, governance, staking and of one's own contracts. */
export const eventShapes = [
  'Transfer(address indexed from, address indexed to, uint256 value)',
  'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'Approval(address indexed owner, address indexed spender, uint256 value)',
  'Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'URI(string value, uint256 indexed id)',
  'Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)',
  'Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'Deposit(address indexed dst, uint256 wad)',
  'Withdrawal(address indexed src, uint256 wad)',
  'Withdrawn(address indexed who, address to, uint256 amount, uint256 fee)',
  'Paid(uint256 indexed epoch, address indexed member, uint8 reason, string note, uint256 cents)',
  'Paid(address indexed member, string note, uint256 cents, uint8 tier)',
  'Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'Sync(uint112 reserve0, uint112 reserve1)',
  'Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'Collect(address indexed owner, address recipient, uint128 amount0, uint128 amount1)',
  'PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'PairCreated(address indexed token0, address indexed token1, address pair, uint256 length)',
  'Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
  'Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 mode, uint256 rate, uint16 indexed referralCode)',
  'Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)',
  'LiquidationCall(address indexed collateral, address indexed debt, address indexed user, uint256 debtToCover, uint256 liquidated, address liquidator, bool receiveAToken)',
  'FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint256 premium)',
  'ReserveDataUpdated(address indexed reserve, uint256 liquidityRate, uint256 stableRate, uint256 variableRate)',
  'RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'Upgraded(address indexed implementation)',
  'Paused(address account)',
  'Initialized(uint64 version)',
  'ProposalCreated(uint256 id, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 start, uint256 end, string description)',
  'VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
  'DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)',
  'ProposalQueued(uint256 id, uint256 eta)',
  'Staked(address indexed user, uint256 amount, uint256 total, bytes data)',
  'RewardPaid(address indexed user, uint256 reward)',
  'MessageSent(bytes message)',
  'SentMessage(address indexed target, address sender, bytes message, uint256 nonce, uint256 gasLimit)',
  'ERC20DepositInitiated(address indexed l1Token, address indexed l2Token, address indexed from, address to, uint256 amount, bytes extraData)',
  'OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, uint256 price)',
  'Filled(address indexed maker, (address token, uint256 amount, string memo) order, uint256 filled)',
  'UserOperationEvent(bytes32 indexed hash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 cost, uint256 used)',
  'ExecutionSuccess(bytes32 txHash, uint256 payment)',
  'AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
  'NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 cost, uint256 expires)',
  'Invoiced(string number, string customer, uint256 cents, string reason)',
  'Refunded(string reason, address indexed customer, uint256 amount)',
  'LimitsChanged((uint256 daily, uint256 monthly, uint256[] tiers) limits, string reason, address indexed by)',
  'CollateralConfigurationUpdatedForMarket(address indexed market, string reason, uint256 ltv, uint256 threshold)',
  'Noted(string note)',
  'Anything(bytes4 tag, bytes32 id, string text, bool flag, int256 delta)',
] as const;

export const LONG_TEXT = "Löhne, day's work of the second week, as agreed with everyone on site";

/** A value of a type, of the size that is usual for amounts and notes. */
export function createValue(type: AbiType, seed: number): AbiValue {
  switch (type.kind) {
    case 'address':
      return `0x${String(seed % 10).repeat(40)}`;
    case 'uint':
      return type.bits <= 24 ? BigInt(seed % 100) : 1_234_567_891n * BigInt(seed + 1);
    case 'int':
      return type.bits <= 24 ? -BigInt(seed % 100) : -987_654_321n;
    case 'bool':
      return seed % 2 === 0;
    case 'string':
      return LONG_TEXT;
    case 'bytes':
      return `0x${'ab'.repeat(70)}`;
    case 'fixedBytes':
      return `0x${'cd'.repeat(type.size)}`;
    case 'array':
      return Array.from({ length: 4 }, (_, index) => createValue(type.item, seed + index));
    case 'tuple':
      return type.members.map((member, index) => createValue(member.type, seed + index));
    default:
      return 0n;
  }
}
