// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Delegating, Slot} from "./Delegating.sol";

/// As proxies were before EIP-1967: the address stands in the data, and the constructor says nothing.
contract OldLedgerProxy is Delegating {
    event Upgraded(address implementation);

    constructor(address implementation) {
        Slot.write(Slot.IMPLEMENTATION, implementation);
    }

    function upgradeTo(address implementation) external {
        Slot.write(Slot.IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
    }

    function _code() internal view override returns (address) {
        return Slot.read(Slot.IMPLEMENTATION);
    }
}

contract LedgerV1 {
    event Posted(address indexed account, bytes32 indexed entry, uint256 amount);

    function act(address account, uint256 amount) external {
        emit Posted(account, bytes32(amount), amount);
    }
}

contract LedgerV2 {
    event Posted(address indexed account, bytes32 entry, uint256 indexed amount);

    function act(address account, uint256 amount) external {
        emit Posted(account, bytes32(amount + 1), amount);
    }
}

contract LedgerV3 {
    event Posted(address account, bytes32 indexed entry, uint256 indexed amount);

    function act(address account, uint256 amount) external {
        emit Posted(account, bytes32(amount + 1), amount);
    }
}
