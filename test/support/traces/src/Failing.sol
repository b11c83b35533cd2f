// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Base, Checks, Outside} from "./Checks.sol";

/// Fails in every way. The line of each failure ends with its name.
contract Failing is Base {
    enum Kind {
        One,
        Two
    }

    error Unpaid(address by, uint256 missing);

    event Opened(uint256 indexed id);

    uint256 public immutable limit;
    uint256[] private filled;
    function() internal pure returns (uint256) private neverSet;

    constructor(uint256 limit_) {
        require(limit_ != 7, "seven is out"); // @constructor
        limit = limit_;
    }

    function customError(uint256 price) external payable {
        if (msg.value < price) revert Unpaid(msg.sender, price - msg.value); // @customError
        emit Opened(price);
    }

    function requireText(uint256 size) external pure {
        require(size > 1, "not one"); // @requireText
        require(size > 2, "not two");
    }

    function requireError(uint256 size) external view {
        require(size > limit, Unpaid(msg.sender, size)); // @requireError
    }

    function threeBare(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        require(a > 0); // @bareFirst
        require(b > 0); // @bareSecond
        require( // @bareThird
            c > 0
        );
        return a + b + c;
    }

    function bareRevert(uint256 a) external pure returns (uint256) {
        if (a == 1) {
            revert(); // @bareRevertFirst
        } else if (a == 2) {
            a++;
        } else {
            revert(); // @bareRevertElse
        }
        if (a == 4) return a;
        else revert(); // @bareRevertLast
    }

    function sameTail(uint256 a) external pure returns (uint256) {
        if (a < 10) a = 1;
        else revert Outside(1); // @sameTailFirst
        return a;
    }

    function otherTail(uint256 a) external pure returns (uint256) {
        if (a < 20) a = 2;
        else revert Outside(1); // @sameTailSecond
        return a;
    }

    function twinOne(uint256 a) external pure returns (uint256) {
        require(a > 5, "twin"); // @twinOne
        return a - 5;
    }

    function twinTwo(uint256 a) external pure returns (uint256) {
        require(a > 5, "twin"); // @twinTwo
        return a - 5;
    }

    function asserted(uint256 a) external pure {
        assert(a > 3); // @assert
    }

    function subtract(uint256 a, uint256 b) external pure returns (uint256) {
        uint256 sum = a + b;
        return sum - (b + 100); // @overflow
    }

    function divide(uint256 a, uint256 b) external pure returns (uint256) {
        return a / b; // @divide
    }

    function toEnum(uint256 a) external pure returns (Kind) {
        return Kind(a); // @enum
    }

    function pop() external {
        filled.pop(); // @pop
    }

    function at(uint256 index) external view returns (uint256) {
        return filled[index]; // @index
    }

    function allocate(uint256 length) external pure returns (uint256) {
        uint256[] memory many = new uint256[](length); // @allocate
        return many.length;
    }

    function callUnset() external view returns (uint256) {
        return neverSet(); // @unsetFunction
    }

    function fill() external {
        while (true) {
            filled.push(filled.length); // @outOfGas
        }
    }

    function big(uint256 size) external pure onlyBig(size) returns (uint256) {
        return size;
    }

    function inherited(uint256 size) public pure override returns (uint256) {
        return super.inherited(size);
    }

    function half(uint256 size) external pure returns (uint256) {
        return halve(halve(size));
    }

    function useLibrary(uint256 amount) external pure returns (uint256) {
        return Checks.limit(amount) + 1;
    }

    function useFarLibrary(uint256 amount) external pure {
        Checks.limitFar(amount);
    }

    function inLoop(uint256[] calldata values) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < values.length; i++) {
            if (values[i] == 3) continue;
            require(values[i] < 5, "five"); // @inLoop
            sum += values[i];
        }
    }

    function inAssembly(uint256 a) external pure {
        assembly {
            if gt(a, 5) {
                revert(0, 0) // @assembly
            }
        }
    }
}
