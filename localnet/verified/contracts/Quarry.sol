// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A diamond that knows its facets and sends every call to the first.
contract Quarry {
    event DiamondCut(address[] facets);

    /// Facets write to the first slots.
    uint256[50] private _ofFacets;
    address[] private _facets;

    constructor(address[] memory facets) {
        _facets = facets;
        emit DiamondCut(facets);
    }

    function facetAddresses() external view returns (address[] memory) {
        return _facets;
    }

    fallback() external {
        address to = _facets[0];
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
