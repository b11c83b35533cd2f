// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Slot} from "./Delegating.sol";

/// As UUPS contracts of OpenZeppelin 4.1 to 4.4: the new code has run before the upgrade is told of.
abstract contract TellingLate {
    event Upgraded(address indexed implementation);

    function upgradeToAndCall(address implementation, bytes calldata data) external {
        Slot.write(Slot.IMPLEMENTATION, implementation);
        (bool done,) = implementation.delegatecall(data);
        require(done, "failed");
        emit Upgraded(implementation);
    }
}

contract RollingV1 is TellingLate {
    event Rolled(address indexed by, address indexed to, uint256 count);

    function act(address to, uint256 count) external {
        emit Rolled(msg.sender, to, count);
    }
}

contract RollingV2 is TellingLate {
    event Rolled(address indexed by, address to, uint256 indexed count);

    function act(address to, uint256 count) external {
        emit Rolled(msg.sender, to, count);
    }
}
