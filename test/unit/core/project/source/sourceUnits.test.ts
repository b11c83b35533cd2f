import assert from 'node:assert/strict';
import { linkSource } from '../../../../../src/core/project/source/linkSource.ts';
import { parseSource } from '../../../../support/parseSource.ts';

/** The units of the items of a contract: `Deposited 1: PBL`. */
function unitsIn(source: string, name = 'Vault'): readonly string[] {
  const facts = parseSource('Vault.sol', source);
  const contracts = linkSource('Vault.sol', { get: () => facts, resolve: () => [] });
  const { enums = {} } = contracts.find((one) => one.name === name) ?? assert.fail(name);
  return Object.entries(enums).flatMap(([text, places]) => {
    const [, item = ''] = /^\w+ (\w+)/.exec(text) ?? [];
    return places.flatMap(({ path, unit }) => (unit === undefined ? [] : [`${item} ${path}: ${unit}`]));
  });
}

describe('Units in doc comments', () => {
  it('are those of @custom:unit, by parameter or for the only value', () => {
    const source = `
      /// @custom:unit gwei
      contract Vault {
        /// @notice Someone deposited.
        /// @custom:unit amount PBL
        /// @custom:unit fee percent of 10000
        event Deposited(address indexed from, uint256 amount, uint256 fee);
        event Other(uint256 amount);
        /**
         * @custom:unit given Token */
        error TooMuch(uint256 given);
        /// @custom:unit PBL
        uint256 public totalAssets;
        /** @custom:unit 6 decimals */
        mapping(address => uint256) public shares;
        struct Order {
          address to;
          /// @custom:unit ether
          uint256 value;
          uint256 nonce;
        }
        Order public last;
        /// @custom:unit amount PBL
        /// @custom:unit minted 18 decimals
        function deposit(uint256 amount, Order calldata order) external returns (uint256 minted) {
          /// @custom:unit amount gwei
          emit Deposited(msg.sender, amount, 1);
        }
        /// @custom:unit PBL
        function quote(uint256 amount) external view returns (uint256) { return amount; }
      }`;
    assert.deepEqual(unitsIn(source), [
      'Deposited 1: PBL',
      'Deposited 2: percent of 10000',
      'TooMuch 0: Token',
      'totalAssets returns.0: PBL',
      'shares returns.0: 6 decimals',
      'last returns.1: ether',
      'deposit 0: PBL',
      'deposit 1.1: ether',
      'deposit returns.0: 18 decimals',
      'quote returns.0: PBL',
    ]);
  });

  it('are none in prose, in ordinary comments, of an event without a name, or of several values', () => {
    const source = `contract Vault {
      /// @notice The amount is in PBL, @dev in wei
      /// @custom:units amount PBL
      event Paid(uint256 amount);
      // @custom:unit amount PBL
      event Ordinary(uint256 amount);
      /* @custom:unit amount PBL */
      event Block(uint256 amount);
      /// @custom:unit PBL
      event Nameless(uint256 amount);
      /// @custom:unit amount in the smallest unit == 1e18
      event Prose(uint256 amount);
      /// @custom:unit PBL
      function two() external view returns (uint256, uint256) { return (1, 2); }
      /// @custom:unit amount PBL
      uint256 private hidden;
      event After(uint256 amount);
    }`;
    assert.deepEqual(unitsIn(source), []);
  });

  it('are inherited by contracts, and by functions that override another', () => {
    const source = `
      interface IVault {
        /// @custom:unit amount PBL
        event Deposited(uint256 amount);
        /// @custom:unit PBL
        function total() external view returns (uint256);
        /// @custom:unit PBL
        function limit() external view returns (uint256);
      }
      contract Vault is IVault {
        function total() external view returns (uint256) { return 1; }
        /// @custom:unit ether
        function limit() external view returns (uint256) { return 1; }
      }`;
    assert.deepEqual(unitsIn(source).toSorted(), [
      'Deposited 0: PBL',
      'limit returns.0: ether',
      'total returns.0: PBL',
    ]);
  });

  it('are found in linear time in long comments', () => {
    const tag = '@custom:unit '.repeat(1000);
    assert.deepEqual(
      unitsIn(`contract Vault { /** ${tag} */ event E(uint256 a); ${`/// ${tag}\n`.repeat(50)} }`),
      [],
    );
  });
});
