/** How to make a contract. */
interface Random {
  /** An integer from 0 to below `count`. */
  next(count: number): number;
}

/** The same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed * 7919;
  return {
    next(count) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (state >> 8) % count;
    },
  };
}

const TEXTS = ['same', 'other'];

function makeCondition({ next }: Random): string {
  const forms = [`a > ${next(4)}`, `b > ${next(4)}`, 'a != b', `a + ${next(3)} > b`, `b < ${2 + next(4)}`];
  return forms[next(forms.length)] ?? 'true';
}

/** One statement, on lines of its own. Many fail in the same way, as the optimizer merges those. */
function makeStatement(random: Random, depth: number, isInLoop: boolean): string {
  const { next } = random;
  const condition = makeCondition(random);
  const text = TEXTS[next(2)];
  const block = (inLoop = isInLoop) => makeBlock(random, depth + 1, inLoop);
  switch (next(depth > 1 ? 9 : 13)) {
    case 0:
      return `require(${condition}, "${text}");\n`;
    case 1:
      return `require(${condition});\n`;
    case 2:
      return `if (!(${condition})) revert Bad(${next(2)});\n`;
    case 3:
      return `assert(${condition});\n`;
    case 4:
      return `a = a - ${next(2)};\n`;
    case 5:
      return `b = b + a / ${next(2) ? 'b' : '(a + 1)'};\n`;
    case 6:
      return `a = list(a)[${next(3)}];\n`;
    case 7:
      return depth > 9 ? 'a++;\n' : `check${next(3)}(a, b);\n`;
    case 8:
      return isInLoop && next(2) ? `if (${condition}) continue;\n` : `if (!(${condition})) revert();\n`;
    case 9:
      return `if (${condition}) {\n${block()}} else {\n${block()}}\n`;
    case 10:
      return `if (${condition}) {\n${block()}} else revert("${text}");\n`;
    case 11:
      return `for (uint256 i${depth} = 0; i${depth} < ${1 + next(3)}; i${depth}++) {\n${block(true)}}\n`;
    default:
      return `if (${condition}) revert Bad(${next(2)});\nelse b++;\n`;
  }
}

function makeBlock(random: Random, depth: number, isInLoop: boolean): string {
  const count = 1 + random.next(4);
  return Array.from({ length: count }, () => makeStatement(random, depth, isInLoop)).join('');
}

/** A contract with functions `f0(uint256,uint256)` and so on, most of which fail for some arguments. */
export function makeContract(random: Random, functions: number): string {
  const { next } = random;
  // Deep, so that they have no blocks and do not call each other.
  const checks = Array.from(
    { length: 3 },
    (_, index) =>
      `function check${index}(uint256 a, uint256 b) internal pure {\n${makeStatement(random, 10, false)}${makeStatement(random, 10, false)}}\n`,
  );
  const bodies = Array.from(
    { length: functions },
    (_, index) =>
      `function f${index}(uint256 a, uint256 b) external pure ${next(4) ? '' : 'guard(a) '}returns (uint256) {\n` +
      `${makeBlock(random, 0, false)}${makeBlock(random, 0, false)}return a + b;\n}\n`,
  );
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
error Bad(uint256 code);
contract Random {
modifier guard(uint256 a) {
require(a != 2, "same");
_;
}
function list(uint256 count) internal pure returns (uint256[] memory many) {
many = new uint256[](count % 4);
for (uint256 i = 0; i < many.length; i++) many[i] = i + count;
}
${checks.join('')}${bodies.join('')}}
`;
}
