// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Pays members of the harbor in Harbor Dollar (HUSD).
contract Rewards {
    IERC20 public constant DOLLAR = IERC20(0x5FbDB2315678afecb367f032d93F642f64180aa3);
    address public constant TREASURY = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;

    enum Reason {
        Salary,
        Bonus
    }

    event Paid(address indexed member, Reason indexed reason, uint256 cents, string note);

    error OnlyTreasury(address caller);

    function pay(address member, Reason reason, uint256 cents, string calldata note) external {
        if (msg.sender != TREASURY) revert OnlyTreasury(msg.sender);
        DOLLAR.transfer(member, cents * 10_000);
        emit Paid(member, reason, cents, note);
    }
}
