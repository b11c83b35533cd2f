// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Hands every call on to other code, which runs as if it stood here.
abstract contract Delegating {
    function _code() internal virtual returns (address);

    function _delegate(address code) internal {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    fallback() external payable {
        _delegate(_code());
    }
}

library Slot {
    /// EIP-1967.
    bytes32 internal constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 internal constant BEACON = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    function read(bytes32 slot) internal view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function write(bytes32 slot, address value) internal {
        assembly {
            sstore(slot, value)
        }
    }
}

/// Sends several calls in one transaction.
contract Several {
    function run(address[] calldata targets, bytes[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = targets[i].call(calls[i]);
            require(done, "failed");
        }
    }
}
