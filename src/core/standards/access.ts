/** AccessControl with enumeration and default admin rules of @openzeppelin/contracts 5. */
export const accessControl = {
  name: 'AccessControl',
  items: `
event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
event DefaultAdminDelayChangeCanceled()
event DefaultAdminDelayChangeScheduled(uint48 newDelay, uint48 effectSchedule)
event DefaultAdminTransferCanceled()
event DefaultAdminTransferScheduled(address indexed newAdmin, uint48 acceptSchedule)
error AccessControlBadConfirmation()
error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
error AccessControlEnforcedDefaultAdminDelay(uint48 schedule)
error AccessControlEnforcedDefaultAdminRules()
error AccessControlInvalidDefaultAdmin(address defaultAdmin)
function getRoleAdmin(bytes32 role) view returns (bytes32)
function grantRole(bytes32 role, address account)
function hasRole(bytes32 role, address account) view returns (bool)
function renounceRole(bytes32 role, address callerConfirmation)
function revokeRole(bytes32 role, address account)
function DEFAULT_ADMIN_ROLE() view returns (bytes32)
function getRoleMember(bytes32 role, uint256 index) view returns (address)
function getRoleMemberCount(bytes32 role) view returns (uint256)
function acceptDefaultAdminTransfer()
function beginDefaultAdminTransfer(address newAdmin)
function cancelDefaultAdminTransfer()
function changeDefaultAdminDelay(uint48 newDelay)
function defaultAdmin() view returns (address)
function defaultAdminDelay() view returns (uint48)
function defaultAdminDelayIncreaseWait() view returns (uint48)
function pendingDefaultAdmin() view returns (address newAdmin, uint48 acceptSchedule)
function pendingDefaultAdminDelay() view returns (uint48 newDelay, uint48 effectSchedule)
function rollbackDefaultAdminDelay()
`,
};

/** AccessManager of @openzeppelin/contracts 5. */
export const accessManager = {
  name: 'AccessManager',
  items: `
event OperationCanceled(bytes32 indexed operationId, uint32 indexed nonce)
event OperationExecuted(bytes32 indexed operationId, uint32 indexed nonce)
event OperationScheduled(bytes32 indexed operationId, uint32 indexed nonce, uint48 schedule, address caller, address target, bytes data)
event RoleAdminChanged(uint64 indexed roleId, uint64 indexed admin)
event RoleGrantDelayChanged(uint64 indexed roleId, uint32 delay, uint48 since)
event RoleGranted(uint64 indexed roleId, address indexed account, uint32 delay, uint48 since, bool newMember)
event RoleGuardianChanged(uint64 indexed roleId, uint64 indexed guardian)
event RoleLabel(uint64 indexed roleId, string label)
event RoleRevoked(uint64 indexed roleId, address indexed account)
event TargetAdminDelayUpdated(address indexed target, uint32 delay, uint48 since)
event TargetClosed(address indexed target, bool closed)
event TargetFunctionRoleUpdated(address indexed target, bytes4 selector, uint64 indexed roleId)
event AuthorityUpdated(address authority)
error AccessManagerAlreadyScheduled(bytes32 operationId)
error AccessManagerBadConfirmation()
error AccessManagerExpired(bytes32 operationId)
error AccessManagerInvalidInitialAdmin(address initialAdmin)
error AccessManagerLockedFunction(bytes4 selector)
error AccessManagerLockedRole(uint64 roleId)
error AccessManagerNotReady(bytes32 operationId)
error AccessManagerNotScheduled(bytes32 operationId)
error AccessManagerUnauthorizedAccount(address msgsender, uint64 roleId)
error AccessManagerUnauthorizedCall(address caller, address target, bytes4 selector)
error AccessManagerUnauthorizedCancel(address msgsender, address caller, address target, bytes4 selector)
error AccessManagerUnauthorizedConsume(address target)
error AccessManagedInvalidAuthority(address authority)
error AccessManagedRequiredDelay(address caller, uint32 delay)
error AccessManagedUnauthorized(address caller)
function canCall(address caller, address target, bytes4 selector) view returns (bool allowed, uint32 delay)
function cancel(address caller, address target, bytes data) returns (uint32)
function consumeScheduledOp(address caller, bytes data)
function execute(address target, bytes data) returns (uint32)
function expiration() view returns (uint32)
function getAccess(uint64 roleId, address account) view returns (uint48 since, uint32 currentDelay, uint32 pendingDelay, uint48 effect)
function getNonce(bytes32 id) view returns (uint32)
function getRoleAdmin(uint64 roleId) view returns (uint64)
function getRoleGrantDelay(uint64 roleId) view returns (uint32)
function getRoleGuardian(uint64 roleId) view returns (uint64)
function getSchedule(bytes32 id) view returns (uint48)
function getTargetAdminDelay(address target) view returns (uint32)
function getTargetFunctionRole(address target, bytes4 selector) view returns (uint64)
function grantRole(uint64 roleId, address account, uint32 executionDelay)
function hasRole(uint64 roleId, address account) view returns (bool isMember, uint32 executionDelay)
function hashOperation(address caller, address target, bytes data) view returns (bytes32)
function isTargetClosed(address target) view returns (bool)
function labelRole(uint64 roleId, string label)
function minSetback() view returns (uint32)
function renounceRole(uint64 roleId, address callerConfirmation)
function revokeRole(uint64 roleId, address account)
function schedule(address target, bytes data, uint48 when) returns (bytes32 operationId, uint32 nonce)
function setGrantDelay(uint64 roleId, uint32 newDelay)
function setRoleAdmin(uint64 roleId, uint64 admin)
function setRoleGuardian(uint64 roleId, uint64 guardian)
function setTargetAdminDelay(address target, uint32 newDelay)
function setTargetClosed(address target, bool closed)
function setTargetFunctionRole(address target, bytes4[] selectors, uint64 roleId)
function updateAuthority(address target, address newAuthority)
function authority() view returns (address)
function isConsumingScheduledOp() view returns (bytes4)
function setAuthority(address)
function ADMIN_ROLE() view returns (uint64)
function PUBLIC_ROLE() view returns (uint64)
`,
};

/** ERC-173 with Ownable and Ownable2Step of @openzeppelin/contracts 5: https://eips.ethereum.org/EIPS/eip-173. */
export const ownable = {
  name: 'Ownable',
  items: `
event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
error OwnableInvalidOwner(address owner)
error OwnableUnauthorizedAccount(address account)
function owner() view returns (address)
function renounceOwnership()
function transferOwnership(address newOwner)
function acceptOwnership()
function pendingOwner() view returns (address)
`,
};

/** Pausable of @openzeppelin/contracts 5. */
export const pausable = {
  name: 'Pausable',
  items: `
event Paused(address account)
event Unpaused(address account)
error EnforcedPause()
error ExpectedPause()
function paused() view returns (bool)
function pause()
function unpause()
`,
};

/** ReentrancyGuard of @openzeppelin/contracts 5. */
export const reentrancyGuard = {
  name: 'ReentrancyGuard',
  items: `
error ReentrancyGuardReentrantCall()
`,
};
