// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Größe, 数, 🐟: positions count bytes, not characters.
error Outside(uint256 code);

library Checks {
    error TooMuch(uint256 amount);

    function limit(uint256 amount) internal pure returns (uint256) {
        if (amount > 10) revert TooMuch(amount); // @internalLibrary
        return amount;
    }

    function limitFar(uint256 amount) external pure {
        require(amount < 10, "far too much"); // @externalLibrary
    }
}

abstract contract Base {
    modifier onlyBig(uint256 size) {
        require(size > 100, "too small"); // @modifier
        _;
    }

    function inherited(uint256 size) public pure virtual returns (uint256) {
        if (size == 0) {
            revert Outside(size); // @inherited @inheritedBySuper
        }
        return size;
    }

    function halve(uint256 size) internal pure returns (uint256) {
        require(size % 2 == 0); // @internalBare
        return size / 2;
    }
}
