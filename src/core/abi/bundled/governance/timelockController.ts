/** TimelockController of @openzeppelin/contracts 4 and 5. */
export const timelockController = {
  name: 'TimelockController',
  items: `
event CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)
event CallSalt(bytes32 indexed id, bytes32 salt)
event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)
event Cancelled(bytes32 indexed id)
event MinDelayChange(uint256 oldDuration, uint256 newDuration)
error TimelockInsufficientDelay(uint256 delay, uint256 minDelay)
error TimelockInvalidOperationLength(uint256 targets, uint256 payloads, uint256 values)
error TimelockUnauthorizedCaller(address caller)
error TimelockUnexecutedPredecessor(bytes32 predecessorId)
error TimelockUnexpectedOperationState(bytes32 operationId, bytes32 expectedStates)
function CANCELLER_ROLE() returns (bytes32)
function EXECUTOR_ROLE() returns (bytes32)
function PROPOSER_ROLE() returns (bytes32)
function cancel(bytes32 id)
function execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt)
function executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt)
function getMinDelay() returns (uint256)
function getOperationState(bytes32 id) returns (uint8)
function getTimestamp(bytes32 id) returns (uint256)
function hashOperation(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt) returns (bytes32)
function hashOperationBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) returns (bytes32)
function isOperation(bytes32 id) returns (bool)
function isOperationDone(bytes32 id) returns (bool)
function isOperationPending(bytes32 id) returns (bool)
function isOperationReady(bytes32 id) returns (bool)
function schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)
function scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)
function updateDelay(uint256 newDelay)
`,
};
