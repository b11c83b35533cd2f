/** Universal Router: https://github.com/Uniswap/universal-router. */
export const universalRouter = {
  name: 'Uniswap Universal Router',
  items: `
error ExecutionFailed(uint256 commandIndex, bytes message)
error ETHNotAccepted()
error TransactionDeadlinePassed()
error InvalidEthSender()
error InvalidCommandType(uint256 commandType)
error BalanceTooLow()
error V2TooLittleReceived()
error V2TooMuchRequested()
error V2InvalidPath()
error V2TooLittleReceivedPerHop(uint256 hopIndex, uint256 minPrice, uint256 price)
error V2InvalidHopPriceLength()
error V3InvalidSwap()
error V3TooLittleReceived()
error V3TooMuchRequested()
error V3InvalidAmountOut()
error V3InvalidCaller()
error V3TooLittleReceivedPerHop(uint256 hopIndex, uint256 minPrice, uint256 price)
error V3TooMuchRequestedPerHop(uint256 hopIndex, uint256 minPrice, uint256 price)
error V3HopPriceAndPathLengthMismatch()
error InsufficientToken()
error InsufficientETH()
error InvalidPortion()
error InvalidAction(bytes4 action)
error OnlyMintAllowed()
error NotAuthorizedForToken(uint256 tokenId)
function execute(bytes commands, bytes[] inputs, uint256 deadline)
function executeSigned(bytes commands, bytes[] inputs, bytes32 intent, bytes32 data, bool verifySender, bytes32 nonce, bytes signature, uint256 deadline)
function execute(bytes commands, bytes[] inputs)
`,
};
