// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Fails in every way that a call can, and once succeeds.
contract Failures {
    error Unpaid(address by, uint256 missing);

    event Paid(address indexed by, uint256 amount);

    uint256[] private filled;

    function pay(uint256 price) external payable {
        if (msg.value < price) revert Unpaid(msg.sender, price - msg.value);
        emit Paid(msg.sender, msg.value);
    }

    function open(bool really) external pure {
        require(really, "Not open on Sundays");
    }

    function subtract(uint256 amount, uint256 less) external pure returns (uint256) {
        return amount - less;
    }

    function fill() external {
        while (true) filled.push(filled.length);
    }

    function refuse() external pure {
        revert();
    }
}
