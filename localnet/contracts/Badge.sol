// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Burnable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Burnable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// Metadata and picture are made by the contract itself.
contract Badge is ERC721Burnable, Ownable {
    using Strings for uint256;

    constructor() ERC721("Harbor Badge", "BADGE") Ownable(msg.sender) {}

    function mint(address to, uint256 tokenId) external onlyOwner {
        _mint(to, tokenId);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        string memory id = tokenId.toString();
        string memory hue = ((tokenId * 47) % 360).toString();
        string memory picture = string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240">',
            '<rect width="240" height="240" fill="hsl(', hue, ',45%,24%)"/>',
            '<circle cx="120" cy="104" r="62" fill="none" stroke="hsl(', hue, ',70%,72%)" stroke-width="10"/>',
            '<path d="M120 62v84M98 78h44M84 118a36 36 0 0 0 72 0" fill="none" stroke="#fff" stroke-width="10" stroke-linecap="round"/>',
            '<text x="120" y="216" fill="#fff" font-family="sans-serif" font-size="30" text-anchor="middle">#', id, "</text></svg>"
        );
        string memory json = string.concat(
            '{"name":"Harbor Badge #', id,
            '","description":"Drawn by the contract on the local network.","attributes":[{"trait_type":"Berth","value":', id,
            '},{"trait_type":"Hue","value":"', hue, '"}],"image":"data:image/svg+xml;base64,', Base64.encode(bytes(picture)), '"}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(bytes(json)));
    }
}
