// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Delegating} from "./Delegating.sol";

/// ERC-2535, as far as events go.
contract Market is Delegating {
    enum Action { Add, Replace, Remove }

    struct Cut {
        address facetAddress;
        Action action;
        bytes4[] functionSelectors;
    }

    event DiamondCut(Cut[] _diamondCut, address _init, bytes _calldata);

    mapping(bytes4 selector => address facet) private _facets;

    constructor(Cut[] memory cuts) {
        diamondCut(cuts, address(0), "");
    }

    function diamondCut(Cut[] memory cuts, address init, bytes memory data) public {
        for (uint256 i = 0; i < cuts.length; i++) {
            for (uint256 j = 0; j < cuts[i].functionSelectors.length; j++) {
                _facets[cuts[i].functionSelectors[j]] = cuts[i].facetAddress;
            }
        }
        emit DiamondCut(cuts, init, data);
        if (init == address(0)) return;
        (bool done,) = init.delegatecall(data);
        require(done, "failed");
    }

    function _code() internal view override returns (address) {
        return _facets[msg.sig];
    }
}

contract TradeFacetV1 {
    event Traded(address indexed buyer, address indexed seller, uint256 price);

    function act(address seller, uint256 price) external {
        emit Traded(msg.sender, seller, price);
    }
}

contract TradeFacetV2 {
    event Traded(address indexed buyer, address seller, uint256 indexed price);

    function act(address seller, uint256 price) external {
        emit Traded(msg.sender, seller, price);
    }
}

contract NoteFacet {
    event Noted(address indexed by, address indexed about, uint256 number);

    function note(address about, uint256 number) external {
        emit Noted(msg.sender, about, number);
    }
}

/// Runs once, at a cut.
contract MarketInit {
    event Noted(address indexed by, address about, uint256 indexed number);
    event Opened(address indexed by, uint256 number);

    function open(uint256 number) external {
        emit Opened(msg.sender, number);
    }
}
