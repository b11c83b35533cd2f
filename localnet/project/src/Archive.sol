// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderId} from "./Orders.sol";

/// What is left of the orders that are done.
contract Archive {
    event Kept(uint64 indexed place, OrderId indexed id, uint256 legs);

    error OnlyOrders(address caller);

    address private immutable _orders = msg.sender;
    uint64 public size;

    function keep(OrderId id, uint256 legs) external {
        if (msg.sender != _orders) revert OnlyOrders(msg.sender);
        size += 1;
        emit Kept(size, id, legs);
    }
}
