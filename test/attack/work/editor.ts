import {
  createTimeSlices,
  findDocumentQueries,
  findStrayVerdicts,
  parseSourceInSlices,
  systemClock,
} from '../../../src/core/index.ts';
import { compileGlob, readFolderRules } from '../../../src/host/workspace/ignoreRules.ts';
import { below, type Chance, pick, repeatUnits } from './random.ts';
import type { Work } from './work.ts';

const lines = [
  ...['* ', '- ', '-\t', '> ', '1. ', '  ', '\t', '# ', '```chainlog\n', '```\n', '~~~', '<!--', '-->', '`'],
  ...['<a ', '<div>', '3 logs, complete to 16', '{}', '\n', '\r\n', '=', '_', 'text '],
];

/** Lines of units at random: nested lists and quotations, fences, comments, verdicts. */
function makeDocument(size: number, chance: Chance): string {
  if (chance() < 0.3) return repeatUnits(chance, size, lines);
  const line = Array.from({ length: below(chance, 60) }, () => pick(chance, lines)).join('');
  return `${line}\n`.repeat(Math.min(19_000, Math.max(1, Math.floor(size / (line.length + 1)))));
}

const patterns = [
  'a',
  '*',
  '**',
  '/',
  '**/',
  '/**/',
  '?',
  '[a-z]',
  '[!b]',
  '{',
  '}',
  ',',
  '{a,b}',
  '\\',
  'aaaa',
  '!',
];

interface Ignored {
  readonly text: string;
  readonly path: readonly string[];
}

/** A file of patterns, and a path that nearly matches most of them. */
function makePatterns(size: number, chance: Chance): Ignored {
  const length = pick(chance, [20, 200, 1000]);
  const text = Array.from({ length: Math.max(1, Math.floor(size / length)) }, () =>
    repeatUnits(chance, length, patterns).replaceAll('\n', ''),
  ).join('\n');
  const name = 'a'.repeat(pick(chance, [1, 30, 255]));
  return { text, path: Array.from({ length: 1 + below(chance, 32) }, () => name) };
}

const sources = [
  ...[
    'contract C {',
    'function f(',
    'struct S {',
    'event E(uint indexed a, ',
    'mapping(address => ',
    '(',
    '[',
  ],
  ...['}', ')', ';', '/*', '*/', '//', '"', "'", '\n', 'import "', 'using A for B', '@dev ', '0x', '1e9'],
];

export const editorWork: readonly Work[] = [
  {
    name: 'a document with queries',
    most: 4 * 1024 * 1024,
    make: makeDocument,
    run: (text) => [findDocumentQueries(text as string), findStrayVerdicts(text as string)],
  },
  {
    name: 'a file of patterns to ignore',
    most: 1024 * 1024,
    make: makePatterns,
    async run(input) {
      const { text, path } = input as Ignored;
      const files = { has: (name: string) => name === '.gitignore', read: async () => text };
      const options = { excluded: () => false, useIgnoreFiles: true };
      let rules = await readFolderRules(files, options);
      for (const name of path) {
        if (rules.ignores(name, true)) return;
        rules = await rules.within(name, { has: () => false, read: async () => '' });
      }
    },
  },
  {
    name: 'globs of a setting',
    most: 200 * 1000,
    make: makePatterns,
    run(input) {
      const { text, path } = input as Ignored;
      for (const line of text.split('\n').slice(0, 200)) compileGlob(line)?.(path);
    },
  },
  {
    name: 'a source',
    most: 1000 * 1000,
    make: (size, chance) => repeatUnits(chance, size, sources),
    run: (text) =>
      parseSourceInSlices(
        { path: chooseName(text as string), text: text as string },
        createTimeSlices(systemClock),
      ),
  },
];

/** By the text, so that a seed makes the same case again. */
function chooseName(text: string): string {
  return text.length % 2 === 0 ? 'A.sol' : 'A.vy';
}
