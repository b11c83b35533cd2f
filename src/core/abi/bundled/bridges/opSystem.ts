/** SystemConfig and SuperchainConfig of OP: https://github.com/ethereum-optimism/optimism. */
export const opSystem = {
  name: 'OP system',
  items: `
event ConfigUpdate(uint256 indexed version, uint8 indexed updateType, bytes data)
event ConfigUpdate(uint8 indexed updateType, bytes data)
event Paused(string identifier)
event Unpaused()
event GasPayingTokenSet(address indexed token, uint8 indexed decimals, bytes32 name, bytes32 symbol)
function setBatcherHash(bytes32 _batcherHash)
function setEIP1559Params(uint32 _denominator, uint32 _elasticity)
function setGasConfig(uint256 _overhead, uint256 _scalar)
function setGasConfigEcotone(uint32 _basefeeScalar, uint32 _blobbasefeeScalar)
function setGasLimit(uint64 _gasLimit)
function setUnsafeBlockSigner(address _unsafeBlockSigner)
function pause(string _identifier)
function setRecommended(uint256 _recommended)
function setRequired(uint256 _required)
function setL1BlockValues(uint64 _number, uint64 _timestamp, uint256 _basefee, bytes32 _hash, uint64 _sequenceNumber, bytes32 _batcherHash, uint256 _l1FeeOverhead, uint256 _l1FeeScalar)
function setL1BlockValuesEcotone()
`,
};
