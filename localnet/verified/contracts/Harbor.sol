// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Berths} from "./Berths.sol";

/// What ships do. Its second release indexes another parameter of the same event.
contract Harbor is Berths {
    /// Which parameters are indexed, no hash of the event tells.
    event Docked(address indexed ship, uint256 indexed berth, uint256 fee, string cargo);

    error BerthTaken(uint256 berth);

    function dock(uint256 berth, uint256 fee, string calldata cargo) external {
        if (berth == 0) revert BerthTaken(berth);
        _take(berth);
        emit Docked(msg.sender, berth, fee, cargo);
    }
}
