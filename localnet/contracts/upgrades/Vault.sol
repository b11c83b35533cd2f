// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Delegating, Slot} from "./Delegating.sol";

/// EIP-1967; its code upgrades itself (ERC-1822).
contract VaultProxy is Delegating {
    event Upgraded(address indexed implementation);

    constructor(address implementation) {
        Slot.write(Slot.IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
    }

    function _code() internal view override returns (address) {
        return Slot.read(Slot.IMPLEMENTATION);
    }
}

abstract contract SelfUpgrading {
    event Upgraded(address indexed implementation);

    function proxiableUUID() external pure returns (bytes32) {
        return Slot.IMPLEMENTATION;
    }

    function upgradeToAndCall(address implementation, bytes calldata data) external {
        Slot.write(Slot.IMPLEMENTATION, implementation);
        emit Upgraded(implementation);
        if (data.length == 0) return;
        (bool done,) = implementation.delegatecall(data);
        require(done, "failed");
    }
}

contract VaultV1 is SelfUpgrading {
    event Deposited(address indexed account, address indexed token, uint256 amount);
    event Rated(uint256 rate);
    event Moved(address indexed from, address indexed to);

    function act(address token, uint256 amount) external {
        emit Deposited(msg.sender, token, amount);
        emit Rated(amount);
        emit Moved(msg.sender, token);
    }
}

/// Indexes other arguments, as many as before; a rate may be below zero.
contract VaultV2 is SelfUpgrading {
    event Deposited(address indexed account, address token, uint256 indexed amount);
    event Rated(int256 rate);
    event Moved(address indexed from, address indexed to);

    function act(address token, uint256 amount) external {
        emit Deposited(msg.sender, token, amount);
        emit Rated(-int256(amount));
        emit Moved(msg.sender, token);
    }
}

/// Indexes others again, and names what moved the other way round.
contract VaultV3 is SelfUpgrading {
    event Deposited(address account, address indexed token, uint256 indexed amount);
    event Rated(int256 indexed rate);
    event Moved(address indexed to, address indexed from);

    function act(address token, uint256 amount) external {
        emit Deposited(msg.sender, token, amount);
        emit Rated(-int256(amount));
        emit Moved(token, msg.sender);
    }
}
