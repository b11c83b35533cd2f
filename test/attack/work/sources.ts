import { runInSlices } from '../../../src/core/base/timeSlices.ts';
import {
  createSourceFilesReader,
  createTimeSlices,
  findDeclaration,
  findUsedDeclarations,
  systemClock,
} from '../../../src/core/index.ts';
import { findPlainFailureLines, type PlainCause } from '../../../src/core/project/source/failureLines.ts';
import { readFailureNames } from '../../../src/core/project/source/failureNames.ts';
import { findRevertLines } from '../../../src/core/project/source/readSource.ts';
import { findRoleConstants } from '../../../src/core/state/roleNames.ts';
import { findReach } from '../../../src/core/traces/reach.ts';
import { parseVerifiedFiles } from '../../../src/core/verified/verifiedContract.ts';
import { below, type Chance, pick, repeatUnits } from './random.ts';
import type { Work } from './work.ts';

const MIB = 1024 * 1024;

/** Where a file is, and how others import it: shallow, deep, or below a folder that a remapping hides. */
const PLACES: readonly ((index: number) => readonly [path: string, imported: string])[] = [
  (index) => [`src/C${index}.sol`, `./C${index}.sol`],
  (index) => [`${'a/'.repeat(140)}C${index}.sol`, `C${index}.sol`],
  (index) => [`lib/l${index}/C.sol`, `x/C.sol`],
  (index) => [`node_modules/@l${index}/src/C.sol`, `@l${index}/C.sol`],
];

/** Statements of a body that refer to something in file `other`. */
const USES: readonly ((other: number, nth: number) => string)[] = [
  (other, nth) => `emit E${other}(${nth});`,
  (other, nth) => `revert L${other}.X${nth}();`,
  (other) => `g${other}(1);`,
  (other, nth) => `L${other}.h${nth}(1);`,
  (_, nth) => `x.m${nth}();`,
];

/** A file that imports, inherits, uses and declares. Of `size` characters, so many parts are imports. */
function makeFile(chance: Chance, index: number, { size, files, imported }: Shape): string {
  const other = () => below(chance, files);
  const use = pick(chance, USES);
  const parts = Math.max(1, Math.floor(size / 40));
  const imports = Math.min(parts, pick(chance, [1, 30, 2000]));
  const lines = [
    ...Array.from({ length: imports }, (_, nth) => {
      const path = imported(chance() < 0.5 ? (index + nth) % files : other());
      const name = `N${nth}`;
      return chance() < 0.7 ? `import "${path}";` : `import {${name} as M${nth}} from "${path}";`;
    }),
    `event E${index}(uint a); function g${index}(uint a) { L${(index + 1) % files}.h0(a); }`,
    `library L${index} { error X0(); event E(uint a); function h0(uint a) internal { emit E(a); } }`,
    `contract C${index} is C${other()} { using L${other()} for uint; function f(T${other()} x) external {`,
    ...Array.from({ length: parts - imports }, (_, nth) => use(other(), nth % 2000)),
    '} }',
  ];
  return lines.join('\n');
}

interface Shape {
  /** Of one file. */
  readonly size: number;
  readonly files: number;
  readonly imported: (index: number) => string;
}

/** Statements that may fail, each at its shortest or without an end. */
const FAILING = [
  ...[
    'a[1];',
    'a/b;',
    'a-1;',
    'a+=b;',
    'a++;',
    'assert(a);',
    'require(a);',
    'require(a,"x");',
    'require(',
    '!a',
  ],
  ...[
    'revert();',
    'revert E();',
    'revert("x',
    'new A[](1);',
    'new ',
    'new a.',
    'x(y(z(',
    'a.b(1)[2]',
    'a.b.c.',
  ],
  ...[
    '(',
    '[',
    '{',
    '}',
    'unchecked {',
    'assembly {',
    'enum E{A,B}',
    'E(1);',
    'mapping(',
    'mapping(a=>b) c;',
  ],
  ...[
    'function f(int a) ',
    'function f(a){b}',
    'function(',
    'int a;',
    'contract A is B,',
    '\n',
    '/*',
    '"',
    '_;',
  ],
  ...['raise "x"\n', 'assert a,"x"\n', 'bytes32 b A=keccak256("B");', 'A:bytes32=keccak256("B")\n'],
];

const CAUSES: readonly PlainCause[] = [
  ...[0x1n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n].map((panic) => ({ panic })),
  ...([{ plain: true }, { halt: 'invalid' }, { halt: 'write' }] as const),
];

/** What the search for the line that failed reads. */
interface Failure {
  readonly text: string;
  readonly path: string;
  readonly cause: PlainCause;
}

export const sourcesWork: readonly Work[] = [
  {
    name: 'the source of a failed call',
    most: MIB,
    make: (size, chance): Failure => ({
      text: `contract A { function f() { ${repeatUnits(chance, size - 40, FAILING)} } }`,
      path: pick(chance, ['A.sol', 'A.vy']),
      cause: pick(chance, CAUSES),
    }),
    async run(made) {
      const { text, path, cause } = made as Failure;
      const options = { slices: createTimeSlices(systemClock) };
      const names = await readFailureNames([text], options);
      const language = path === 'A.vy' ? 'vyper' : 'solidity';
      await runInSlices(findPlainFailureLines(text, cause, { language, names }), options);
      await runInSlices(findPlainFailureLines(text, cause), options);
      await findRevertLines({ path, text }, { error: 'E' }, options);
      await findRevertLines({ path, text }, { message: 'x' }, options);
      await findReach([{ file: path, text }], { contract: 'A', called: { function: 'f' } }, options);
      await options.slices.rest();
      findRoleConstants(text);
    },
  },
  {
    name: 'the sources of a verified contract',
    most: 8 * MIB,
    seeds: 500,
    make(size, chance) {
      const files = Math.max(1, Math.min(500, Math.floor(size / 4096), pick(chance, [40, 100, 500])));
      const place = pick(chance, PLACES);
      const shape = { size: size / files, files, imported: (index: number) => place(index)[1] };
      const entries = Array.from(
        { length: files },
        (_, index) => [place(index)[0], makeFile(chance, index, shape)] as const,
      );
      return { entries, path: place(0)[0] };
    },
    async run(made) {
      const { entries, path } = made as {
        readonly entries: readonly (readonly [string, string])[];
        readonly path: string;
      };
      const { files } = parseVerifiedFiles(entries);
      const reader = createSourceFilesReader(files, { slices: createTimeSlices(systemClock) });
      const text = files.find((file) => file.path === path)?.text ?? '';
      await findDeclaration(reader, { contract: 'C0', text: 'event Nowhere(uint256)' });
      for (const use of ['emit E', 'revert L'])
        await findUsedDeclarations(reader, { path, offset: text.lastIndexOf(use) + use.length });
    },
  },
];
