/** A Solidity contract with random functions, and versions of it in which some of them are edited. */
export interface EditedContract {
  readonly local: string;
  readonly deployed: string;
  /** The edited functions, as a comparison names them. */
  readonly edited: readonly string[];
}

interface Statement {
  readonly text: string;
  /** Calls that no edit removes: every function stays in the code. */
  readonly isPinned?: boolean;
}

interface Body {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
  readonly statements: readonly Statement[];
}

type Random = (below: number) => number;

/** Numbers from a seed: mulberry32. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const HELPERS = 4;
const PUBLIC = 8;

/**
 * Creates a contract, and a version with one to five edited functions: public, internal, private, of a base contract or a
 * library, `receive` or `fallback`. The constructor may be edited too, or alone.
 *
 * @param hasSharedEdits whether edits are also of modifiers, and of a constant that several functions use.
 * @example const { local, deployed, edited } = createEditedContract(7, { hasSharedEdits: true });
 */
export function createEditedContract(
  seed: number,
  { hasSharedEdits }: { readonly hasSharedEdits: boolean },
): EditedContract {
  const random = createRandom(seed);
  const bodies = createBodies(random);
  const [rate, start] = [random(9000) + 300, random(900)];
  const only = random(12);
  const editable = hasSharedEdits ? bodies : bodies.filter(({ head }) => !head.startsWith('modifier '));
  const count = (hasSharedEdits && only === 0) || only === 1 ? 0 : 1 + random(5);
  const edited = new Map<string, Body>();
  while (edited.size < count) {
    const body = editable[random(editable.length)] as Body;
    const next = editBody(body, random);
    if (next) edited.set(body.name, next);
  }
  const hasOtherRate = hasSharedEdits && (only === 0 || random(6) === 0);
  const hasOtherStart = only === 1 || random(6) === 0;
  const after = bodies.map((body) => edited.get(body.name) ?? body);
  const users = hasOtherRate
    ? bodies.filter(({ statements }) => statements.some(({ text }) => /RATE/.test(text)))
    : [];
  const before = format(bodies, { rate, start });
  const changed = format(after, {
    rate: rate + (hasOtherRate ? 7 : 0),
    start: start + (hasOtherStart ? 5 : 0),
  });
  // The edits are in either side.
  const [local, deployed] = random(2) === 0 ? [before, changed] : [changed, before];
  const names = new Set([...edited.keys(), ...users.map(({ name }) => name)]);
  return { local, deployed, edited: [...names].sort() };
}

function createBodies(random: Random): readonly Body[] {
  const create = (name: string, head: string, tail: string, pinned: readonly string[], most = 5): Body => {
    const statements = Array.from(
      { length: 1 + random(most) },
      (): Statement => ({ text: createStatement(name, random) }),
    );
    for (const text of pinned) statements.splice(random(statements.length + 1), 0, { text, isPinned: true });
    return { name, head, tail, statements };
  };
  const helpers = Array.from({ length: HELPERS }, (_, index) =>
    create(
      `Vault.help${index}`,
      `function help${index}(uint256 amount, uint256 by) internal returns (uint256)`,
      `return amount + by * ${random(90) + 2};`,
      index > 0 && random(2) > 0 ? [`total += help${index - 1}(amount, ${random(900)});`] : [],
      3,
    ),
  );
  const base = [
    create('Base.note', 'function note(uint256 amount) internal', '', [], 3),
    create('Base.limited', 'modifier limited(uint256 amount)', '_;', [], 2),
    create('Vault.noted', 'modifier noted(uint256 amount)', '', ['_;'], 2),
    create('Vault.share', 'function share(uint256 amount) private', '', [], 3),
    create('Vault.receive', 'receive() external payable', '', [], 2),
    create('Vault.fallback', 'fallback() external payable', '', [], 2),
    create(
      'Sums.scale',
      'function scale(uint256 amount, uint256 by) internal pure returns (uint256)',
      `return amount * by / ${random(9000) + 300};`,
      [],
      0,
    ),
    create(
      'Sums.clamp',
      'function clamp(uint256 amount, uint256 most) internal view returns (uint256)',
      'return amount > most ? most : amount;',
      [],
      0,
    ),
  ].map((body) => {
    if (!body.name.startsWith('Sums.')) return body;
    const sender = body.name === 'Sums.clamp' ? ' && msg.sender != address(0)' : '';
    return { ...body, statements: [{ text: `require(amount != ${random(9000) + 300}${sender});` }] };
  });
  const functions = Array.from({ length: PUBLIC }, (_, index) => {
    const modifier = `${random(4) === 0 || index === 0 ? ' limited(amount)' : ''}${random(3) === 0 || index === 1 ? ' noted(amount)' : ''}`;
    const pinned = [
      ...(index < HELPERS ? [`total = help${index}(amount, ${random(5000)});`] : []),
      ...(index === HELPERS ? ['note(amount);'] : []),
      ...(index === HELPERS + 1 ? [`total += Sums.clamp(amount, ${random(5000)});`] : []),
      ...(index === HELPERS + 2 ? [`total += Sums.scale(amount, ${random(5000)});`] : []),
      ...(index > HELPERS ? ['share(amount);'] : []),
    ];
    return create(
      `Vault.run${index}`,
      `function run${index}(uint256 amount) external payable${modifier}`,
      '',
      pinned,
    );
  });
  const views = [0, 1]
    .map((index) =>
      create(
        `Vault.view${index}`,
        `function view${index}(uint256 amount, address who) public view returns (uint256, address)`,
        `return (amount % ${random(3000) + 2}, who);`,
        [],
        0,
      ),
    )
    .map((body) => ({
      ...body,
      statements: [{ text: `if (balances[who] > ${random(6000)}) return (${random(300)}, owner);` }],
    }));
  return [...base, ...helpers, ...functions, ...views];
}

/** Inserts, removes or replaces one to three statements, or changes a number. Undefined if nothing changes. */
function editBody(body: Body, random: Random): Body | undefined {
  const isView = /\b(?:view|pure)\b/.test(body.head);
  let { statements } = body;
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(statements.length + 1);
    const one = statements[at];
    const action = isView ? 3 : random(4);
    const created = { text: createStatement(body.name, random) };
    if (action === 0) statements = statements.toSpliced(at, 0, created);
    else if (one && action === 3)
      statements = statements.with(at, { ...one, text: changeNumber(one.text, random) });
    else if (one && !one.isPinned)
      statements = action === 1 ? statements.toSpliced(at, 1) : statements.with(at, created);
  }
  const toText = (list: readonly Statement[]) => list.map(({ text }) => text).join();
  // A modifier without code is nowhere in the build.
  const isGone = statements.every((each) => each.isPinned) && body.head.startsWith('modifier ');
  return isGone || toText(statements) === toText(body.statements) ? undefined : { ...body, statements };
}

function changeNumber(text: string, random: Random): string {
  const numbers = [...text.matchAll(/(?<![\w"])\d+(?!\w)/g)];
  const found = numbers[random(numbers.length || 1)];
  if (!found) return text;
  const { 0: digits, index } = found;
  const changed = Number(digits) + 1 + random(500);
  return `${text.slice(0, index)}${changed}${text.slice(index + digits.length)}`;
}

function createStatement(name: string, random: Random): string {
  // Nothing calls itself, also not by others.
  const callable = /help(\d)/.exec(name)?.[1] ?? (name === 'Base.note' ? '0' : String(HELPERS));
  const helper = random(HELPERS) % Math.max(1, Number(callable));
  const number = [random(20) + 1, random(250) + 3, random(60_000) + 300, random(10 ** 9)][random(4)] ?? 1;
  const choices = [
    `total += ${number};`,
    `require(amount > ${number}, "Too small: ${number}");`,
    `if (amount == ${number}) revert Failed(${number}, amount);`,
    `balances[msg.sender] += amount * ${number};`,
    `emit Paid(msg.sender, amount + ${number});`,
    `for (uint256 i; i < amount; i++) { total += i * ${number}; }`,
    Number(callable) > 0 ? `total = help${helper}(amount, ${number});` : `total -= ${number};`,
    `items.push(amount + ${number});`,
    `info.fee = uint64(${number}); info.at = uint64(block.timestamp);`,
    `unchecked { total -= ${number}; }`,
    `names[amount] = "text ${number}";`,
    `{ (bool ok, ) = msg.sender.call{value: ${number}}(""); require(ok, "Not paid"); }`,
    `hashes[keccak256(abi.encode(amount, ${number}, msg.sender))] = true;`,
    `if (flag) { total = ${number}; } else { flag = true; }`,
    `total = Sums.clamp(total, ${number});`,
    name.startsWith('Vault.run') ? `note(${number});` : `total *= ${number};`,
    `require(msg.sender == owner || limit > ${number});`,
    `{ uint256[] memory list = new uint256[](3); list[1] = ${number}; hashes[keccak256(abi.encode(list))] = false; }`,
    `while (total > ${number}) { if (total % 7 == 3) break; total /= 2; }`,
    `if (child == address(0)) child = address(new Child(${number}));`,
    'total += RATE;',
    `require(amount < RATE * ${number});`,
    `total = floor + ${number};`,
    `require(limit > amount && floor < ${number});`,
    `total = Sums.scale(total, ${number});`,
    name.startsWith('Vault.run') ? 'share(total);' : 'delete items;',
  ];
  return choices[random(choices.length)] ?? '';
}

function format(
  bodies: readonly Body[],
  { rate, start }: { readonly rate: number; readonly start: number },
): string {
  // Helpers of the base contract only use what is declared there.
  const write = ({ head, tail, statements }: Body) => {
    const lines = [...statements.map(({ text }) => text), tail].map((text) => `    ${text}\n`).join('');
    const isNamed = /^(?:function|modifier) /.test(head);
    return `  ${head} {\n${isNamed ? lines : lines.replaceAll(/\bamount\b/g, 'msg.value')}  }\n`;
  };
  const of = (contract: string) =>
    bodies
      .filter(({ name }) => name.startsWith(`${contract}.`))
      .map(write)
      .join('');
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Child { uint256 public x; constructor(uint256 first) { x = first; } }
library Sums {
${of('Sums')}}
abstract contract Base {
  struct Info { uint64 fee; uint64 at; }
  error Failed(uint256 code, uint256 amount);
  event Paid(address indexed to, uint256 amount);
  address public immutable owner;
  uint256 public immutable floor;
  uint256 immutable limit;
  uint256 constant RATE = ${rate};
  uint256 public total;
  bool flag;
  address child;
  Info public info;
  uint256[] public items;
  mapping(address => uint256) public balances;
  mapping(uint256 => string) public names;
  mapping(bytes32 => bool) hashes;
  constructor(address first, uint256 most) { owner = first; limit = most; floor = most / 2; total = ${start}; }
${Array.from({ length: HELPERS }, (_, index) => `  function help${index}(uint256 amount, uint256 by) internal virtual returns (uint256);\n`).join('')}${of('Base')}}
contract Vault is Base {
  constructor(address first, uint256 most) Base(first, most) {}
${of('Vault').replaceAll(/function help(\d)\(([^)]*)\) internal/g, 'function help$1($2) internal override')}}
`;
}
