// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// Holds tokens of the members, behind a proxy.
contract Vault is Initializable, UUPSUpgradeable {
    using SafeERC20 for IERC20;

    event Deposited(address indexed account, IERC20 indexed token, uint256 amount);
    event Withdrawn(address indexed account, IERC20 indexed token, uint256 amount);

    error OnlyKeeper(address caller);
    error TooMuch(IERC20 token, uint256 wanted, uint256 held);

    address public keeper;
    mapping(address account => mapping(IERC20 token => uint256 amount)) public held;

    function initialize(address keeper_) external initializer {
        keeper = keeper_;
    }

    function deposit(IERC20 token, uint256 amount) external {
        token.safeTransferFrom(msg.sender, address(this), amount);
        held[msg.sender][token] += amount;
        emit Deposited(msg.sender, token, amount);
    }

    function withdraw(IERC20 token, uint256 amount) external {
        uint256 balance = held[msg.sender][token];
        if (amount > balance) revert TooMuch(token, amount, balance);
        held[msg.sender][token] = balance - amount;
        token.safeTransfer(msg.sender, amount);
        emit Withdrawn(msg.sender, token, amount);
    }

    function _authorizeUpgrade(address) internal view override {
        if (msg.sender != keeper) revert OnlyKeeper(msg.sender);
    }
}
