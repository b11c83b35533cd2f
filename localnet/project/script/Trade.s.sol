// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Leg, Order, OrderId, Side} from "../src/Orders.sol";
import {Rewards} from "../src/Rewards.sol";
import {BOB, CAROL, DAVE, HUSD, ORDERS, REWARDS, TIDE, TREASURY, VAULT} from "./Addresses.sol";
import {Script} from "./Vm.sol";

/// A day in the harbor: members are paid, place and fill orders, and use the vault.
contract Trade is Script {
    function run(uint256 day) external {
        pay(day);
        OrderId bought = place(BOB, Side.Buy, day, "spring wheat");
        OrderId sold = place(CAROL, Side.Sell, day, "");
        fill(DAVE, bought, 2);
        note(TREASURY, sold, day);
        keep(BOB, 100e18 * day);
        keep(CAROL, 75e18 + day);
    }

    function pay(uint256 day) private sentBy(TREASURY) {
        REWARDS.pay(BOB, Rewards.Reason.Salary, 120_000 + day, unicode"Löhne, day's work");
        REWARDS.pay(CAROL, Rewards.Reason.Bonus, 8_050, "");
    }

    function place(address maker, Side side, uint256 day, string memory memo)
        private
        sentBy(maker)
        returns (OrderId)
    {
        Leg[] memory take = new Leg[](2);
        take[0] = Leg(address(TIDE), 3e18 * day);
        take[1] = Leg(address(HUSD), 12_500_000);
        return ORDERS.place(Order(maker, side, Leg(address(HUSD), 990e6 + day), take, bytes32(day)), memo);
    }

    function fill(address taker, OrderId id, uint256 legs) private sentBy(taker) {
        uint256[] memory amounts = new uint256[](legs);
        for (uint256 i = 0; i < legs; ++i) amounts[i] = (i + 1) * 1e18;
        ORDERS.fill(id, amounts, abi.encodePacked("paid in full", taker));
    }

    function note(address author, OrderId id, uint256 day) private sentBy(author) {
        ORDERS.note(id, unicode"Who takes this? ⚓", -int256(day));
    }

    function keep(address member, uint256 amount) private sentBy(member) {
        VAULT.deposit(TIDE, amount);
        VAULT.withdraw(TIDE, amount / 3);
    }
}
