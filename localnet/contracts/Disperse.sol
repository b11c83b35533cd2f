// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// Sends one token to many receivers in one transaction, out of the caller's allowance.
contract Disperse {
    using SafeERC20 for IERC20;

    function disperse(IERC20 token, address[] calldata receivers, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < receivers.length; ++i) {
            token.safeTransferFrom(msg.sender, receivers[i], amounts[i]);
        }
    }
}
