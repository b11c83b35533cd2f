// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Archive} from "./Archive.sol";

type OrderId is bytes32;

enum Side {
    Buy,
    Sell
}

struct Leg {
    address token;
    uint256 amount;
}

struct Order {
    address maker;
    Side side;
    Leg give;
    Leg[] take;
    bytes32 salt;
}

/// Keeps what the members of the harbor offer each other.
contract Orders {
    /// Of `memo` the chain has the hash alone.
    event OrderPlaced(OrderId indexed id, string indexed memo, Order order);
    event OrderFilled(OrderId indexed id, address indexed taker, Side side, uint256[] amounts, bytes data);
    event OrderNoted(OrderId indexed id, address indexed author, string text, int256 mood, bool open);
    event ArchiveOpened(Archive indexed archive);

    error UnknownOrder(OrderId id);
    error WrongAmounts(OrderId id, uint256 wanted, uint256[] given);

    mapping(OrderId id => Order order) private _orders;
    Archive public archive;

    function openArchive() external {
        archive = new Archive();
        emit ArchiveOpened(archive);
    }

    function place(Order calldata order, string calldata memo) external returns (OrderId id) {
        id = OrderId.wrap(keccak256(abi.encode(order)));
        Order storage kept = _orders[id];
        kept.maker = order.maker;
        kept.side = order.side;
        kept.give = order.give;
        kept.salt = order.salt;
        delete kept.take;
        for (uint256 i = 0; i < order.take.length; ++i) kept.take.push(order.take[i]);
        emit OrderPlaced(id, memo, order);
    }

    function fill(OrderId id, uint256[] calldata amounts, bytes calldata data) external {
        Order storage order = _orders[id];
        if (order.maker == address(0)) revert UnknownOrder(id);
        if (order.take.length != amounts.length) revert WrongAmounts(id, order.take.length, amounts);
        emit OrderFilled(id, msg.sender, order.side, amounts, data);
        if (address(archive) != address(0)) archive.keep(id, amounts.length);
        delete _orders[id];
    }

    function note(OrderId id, string calldata text, int256 mood) external {
        emit OrderNoted(id, msg.sender, text, mood, _orders[id].maker != address(0));
    }
}
