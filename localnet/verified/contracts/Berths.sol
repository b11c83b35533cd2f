// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Berths {
    /// The only parameter that tells which one is meant: an amount that no address has.
    event BerthPaid(uint256 berth, uint256 indexed amount);

    uint256 public taken;

    function _take(uint256 berth) internal {
        taken += 1;
        emit BerthPaid(berth, type(uint256).max - berth);
    }
}
