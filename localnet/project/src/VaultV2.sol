// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";

/// The second version: `Deposited` has the same topic as before with another layout, and deposits can be locked.
contract VaultV2 is Initializable, UUPSUpgradeable {
    using SafeERC20 for IERC20;

    struct Lock {
        uint64 until;
        string reason;
    }

    event Deposited(address indexed account, IERC20 token, uint256 indexed amount);
    event Withdrawn(address indexed account, IERC20 indexed token, uint256 amount);
    event Locked(address indexed account, Lock lock);

    error OnlyKeeper(address caller);
    error TooMuch(IERC20 token, uint256 wanted, uint256 held);
    error StillLocked(address account, Lock lock);

    address public keeper;
    mapping(address account => mapping(IERC20 token => uint256 amount)) public held;
    mapping(address account => Lock lock) private _locks;

    function deposit(IERC20 token, uint256 amount) external {
        token.safeTransferFrom(msg.sender, address(this), amount);
        held[msg.sender][token] += amount;
        emit Deposited(msg.sender, token, amount);
    }

    function lock(uint64 until, string calldata reason) external {
        _locks[msg.sender] = Lock(until, reason);
        emit Locked(msg.sender, _locks[msg.sender]);
    }

    function withdraw(IERC20 token, uint256 amount) external {
        Lock storage locked = _locks[msg.sender];
        if (block.timestamp < locked.until) revert StillLocked(msg.sender, locked);
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
