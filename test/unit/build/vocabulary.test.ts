import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot, projectRoot } from '../../../scripts/support/paths.ts';

/** Words in names that have a better one, which stands behind. */
const replaced: Readonly<Record<string, string>> = {
  told: 'result, response, notified',
  tell: 'notify, report',
  telling: 'version',
  asked: 'requested, queried',
  kept: 'cached, stored, saved',
  held: 'cached, loaded, holdings',
  words: 'text, label, message, format…',
  question: 'query, prompt, request',
  questions: 'queries',
};

const LIMIT = /^(?:MOST|LONGEST|DEEPEST|LARGEST|SHORTEST|LEAST)_|^mostRows$/;

/** Where such a word is the right one, or stands in JSON, stored state or the public API. */
const right: readonly (readonly [file: RegExp, name: RegExp])[] = [
  // 32-byte words of the ABI, and the words of a language.
  [/^src\/core\/(?:abi|eth|logs\/store)\//, /words/i],
  [/^src\/core\/copyAs\/copyQuery\.ts$/, /^RESERVED_WORDS$/],
  [/^src\/features\/decode\/formatMeaning\.ts$/, /words/i],
  [/^src\/core\/logs\/query\/addressNames\.ts$/, /^MAX_NAME_WORDS$/],
  [/^src\/core\/logs\/(?:query\/verdict|engine\/blockRange)\.ts$/, /^asked(?:To)?$/],
  [/^src\/core\/(?:logs\/compare\/secondOpinion|transactions\/transaction(?:Json)?)\.ts$/, /^words$/],
  [/^src\/features\/logs\/queries\/queryHistory\.ts$/, /^question$/],
];

interface DeclaredName {
  readonly file: string;
  readonly name: string;
}

const DECLARATION =
  /^ *(?:export )?(?:async )?(?:function\*?|class|interface|type) (\w+)|^(?:export )?const (\w+)/gm;
const TYPE_BODY = /^(?:export )?(?:abstract )?(?:class|interface|type) [^\n]*\{\n([\s\S]*?)^\}/gm;
const MEMBER = /^ {2}(?:(?:readonly|async|static|get|set) )*[#*]?(\w+)[?!]?[(:<=; ]/gm;

/** Functions, types, top-level constants and members. */
function declaredIn(file: string, text: string): readonly DeclaredName[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const declared = [...code.matchAll(DECLARATION)].map(([, name, constant]) => name ?? constant ?? '');
  const members = [...code.matchAll(TYPE_BODY)].flatMap(([, body = '']) =>
    [...body.matchAll(MEMBER)].map(([, name = '']) => name),
  );
  return [...declared, ...members].map((name) => ({ file, name }));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
}

function isReplaced({ file, name }: DeclaredName): boolean {
  const isRight = right.some(([files, names]) => files.test(file) && names.test(name));
  return !isRight && (LIMIT.test(name) || wordsOf(name).some((word) => Object.hasOwn(replaced, word)));
}

describe('names', () => {
  it('are found in every form of declaration', () => {
    const text = [
      'export const MOST_ROWS = 1;',
      'export async function* tellAll() {}',
      'class Held {',
      '  readonly kept: number;',
      '  #asked = 1;',
      '  async told() {}',
      '}',
      'type Question = {',
      '  readonly words?: string;',
      '};',
    ].join('\n');
    assert.deepEqual(declaredIn('x.ts', text).filter(isReplaced).length, 8);
  });

  it('use the terms of the field', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const found = files
      .flatMap((file) => declaredIn(file, readFileSync(fromRoot(file), 'utf8')))
      .filter(isReplaced)
      .map(({ file, name }) => {
        const better = wordsOf(name).flatMap((word) => replaced[word] ?? []);
        return `${file}: ${name} (${better.join('; ') || 'MAX_…, MIN_…'})`;
      });
    assert.deepEqual(found, []);
  });
});
