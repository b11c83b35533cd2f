import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import {
  isExportDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNamedExports,
  isNamedImports,
  isStringLiteral,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { descendants, parseFiles } from '../../support/parseFiles.ts';

/**
 * A door: an exported function with a loop, in itself or in its file, that takes what others send as it came, before
 * anything has checked its shape or size: values of unknown shape, bytes, and texts by their usual names. An error has
 * been made here.
 */
const FOREIGN =
  /^(?!\s*(?:cause|error)\b)[\s\S]*(?::\s*(?:readonly )?(?:unknown|PlainRecord|Uint8Array|JsonText)\b|\b(?:text|texts|source|content|body|json|line|document)\??:\s*(?:readonly |Iterable<)?string)/;

const LOOPS = new Set([
  ...[SyntaxKind.ForStatement, SyntaxKind.ForOfStatement, SyntaxKind.ForInStatement],
  ...[SyntaxKind.WhileStatement, SyntaxKind.DoStatement],
]);
const LOOP =
  /^(?:map|flatMap|filter|find|findIndex|findLast|some|every|reduce|forEach|sort|toSorted|array|record|replaceAll|matchAll|join|from)$/;

/** A declaration at the top of a file, and the names in it. */
interface Declared {
  readonly uses: readonly string[];
  readonly takesForeign: boolean;
  readonly hasLoop: boolean;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Of names that are imported or passed on: `file name`. */
  readonly imported: ReadonlyMap<string, string>;
}

function readModule(path: string, file: SourceFile): Module {
  const declared = new Map<string, Declared>();
  const imported = new Map<string, string>();
  for (const statement of file.statements) {
    if (isImportDeclaration(statement) || isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier;
      const names = isImportDeclaration(statement)
        ? statement.importClause?.namedBindings
        : statement.exportClause;
      if (!from || !isStringLiteral(from) || !names || !(isNamedImports(names) || isNamedExports(names)))
        continue;
      const target = posix.join(posix.dirname(path), from.text);
      for (const { name, propertyName } of names.elements)
        imported.set(name.text, `${target} ${(propertyName ?? name).text}`);
      continue;
    }
    const nodes = descendants(statement);
    const uses = nodes.flatMap((node) => (isIdentifier(node) ? [node.text] : []));
    const hasLoop = nodes.some(({ kind }) => LOOPS.has(kind)) || uses.some((name) => LOOP.test(name));
    if (isFunctionDeclaration(statement) && statement.name) {
      const { parameters, name } = statement;
      const takesForeign =
        isExported(statement) && parameters.some(({ pos, end }) => FOREIGN.test(file.text.slice(pos, end)));
      declared.set(name.text, { uses, hasLoop, takesForeign });
    } else
      for (const name of listNames(statement)) declared.set(name, { uses, hasLoop, takesForeign: false });
  }
  return { declared, imported };
}

const isExported = (node: Node & { readonly modifiers?: Iterable<Node> }) =>
  [...(node.modifiers ?? [])].some(({ kind }) => kind === SyntaxKind.ExportKeyword);

function listNames(statement: Node): readonly string[] {
  if (!isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    isIdentifier(name) ? [name.text] : [],
  );
}

/** All that declarations use, directly or through others, as `file name`. */
function listReached(modules: ReadonlyMap<string, Module>, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [...starts];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const [file = '', name = ''] = next.split(' ');
    const { declared, imported } = modules.get(file) ?? {};
    const passed = imported?.get(name);
    if (passed !== undefined) queue.push(passed);
    for (const used of declared?.get(name)?.uses ?? []) {
      if (declared?.has(used)) queue.push(`${file} ${used}`);
      const from = imported?.get(used);
      if (from !== undefined) queue.push(from);
    }
  }
  return reached;
}

/** Whether a declaration, or one of its file that it uses, has a loop. */
function hasLoop(module: Module, name: string): boolean {
  const own = { declared: module.declared, imported: new Map() };
  return [...listReached(new Map([['', own]]), [` ${name}`])].some(
    (each) => module.declared.get(each.slice(1))?.hasLoop,
  );
}

/** Doors that nothing in `test/attack/work` reaches. */
function listUntried(files: Readonly<Record<string, string>>): readonly string[] {
  const parsed = parseFiles(files, (file, source) => [file, readModule(file, source)] as const);
  const modules = new Map(parsed);
  const starts = parsed.flatMap(([file, { declared }]) =>
    file.startsWith('test/attack/work/') ? [...declared.keys()].map((name) => `${file} ${name}`) : [],
  );
  const reached = listReached(modules, starts);
  return parsed.flatMap(([file, module]) =>
    [...module.declared].flatMap(([name, { takesForeign }]) =>
      takesForeign && !reached.has(`${file} ${name}`) && hasLoop(module, name) ? [`${file}: ${name}`] : [],
    ),
  );
}

const LOOKUPS = [
  'src/core/operations/compareCode.ts: findContract',
  'src/core/operations/resolveEvents.ts: createNameError',
  'src/core/operations/resolveEvents.ts: resolveAddress',
  'src/core/queries/filedNames.ts: explainNamedContract',
  'src/core/queries/filedNames.ts: findNamedContract',
  'src/core/queries/namedAddresses.ts: explainMissingName',
  'src/core/queries/namedAddresses.ts: findAddressesByName',
];

/** Doors that need no attack, and why. */
const WITHIN: Readonly<Record<string, string>> = {
  'src/core/files/writeInside.ts: writeInside': 'writes what was made here',
  'src/core/logs/proof/bloom.ts: isBloomWithin': 'two blooms of 256 bytes',
  'src/core/operations/parseInput.ts: parseInput': 'arguments of one message of an agent, which has a bound',
  'src/host/contracts/queryDeployment.ts: parseDeploymentChoice':
    'the argument of a command, of a lens or link made here: 100 deployments, each text once over its characters',
  'src/host/ui/notebooks.ts: openWithEditor': 'tabs of the editor',
  'src/core/queries/resolveQuery.ts: isAnonymousSignature':
    'a declaration, which `parseWrittenFunction` reads, too',
  'src/host/names/addressName.ts: getFuzzyScore': 'names of 64 characters',
  'src/host/ui/languageFeatures.ts: registerTerminalLinks': 'a line for `findChainLinks`',
  ...Object.fromEntries(
    LOOKUPS.map((name) => [name, 'one name of a query, once among those of the project']),
  ),
};

describe('what others send', () => {
  it('comes in by functions that the attack on work and memory tries, or that are short for a reason', () => {
    const files = Object.fromEntries(
      globSync(['src/{core,host}/**/*.ts', 'test/attack/work/*.ts'], { cwd: fromRoot() }).map((file) => [
        file.replaceAll('\\', '/'),
        readFileSync(fromRoot(file), 'utf8'),
      ]),
    );
    assert.deepEqual(listUntried(files).toSorted(), Object.keys(WITHIN).toSorted());
  });

  it('is seen where it comes in', () => {
    const found = listUntried({
      'src/core/a.ts': [
        "import { each } from './b.ts';",
        'export function tried(json: unknown) { return each(json); }',
        'export function untried(json: unknown) { return walk(json); }',
        'export function bytesOf({ a, b }: Both, bytes: Uint8Array) { for (const one of bytes) use(one); }',
        'export function short(value: unknown) { return value === 1; }',
        'export function known(rows: readonly Row[]) { return rows.map(read); }',
        'export function thrown(error: unknown) { return list.map(String); }',
        'export function textOf(path: string, text: string) { return text.split(path).map(read); }',
        'export function named(path: string) { return path.split("/").map(read); }',
        'const walk = (json: unknown) => list(json).map(walk);',
      ].join('\n'),
      'src/core/b.ts': 'export function each(values: readonly unknown[]) { return values.map(read); }',
      'src/core/index.ts': "export { tried } from './a.ts';",
      'test/attack/work/w.ts':
        "import { tried as first } from '../../../src/core/index.ts'; export const work = [{ run: first }];",
    });
    assert.deepEqual(
      found,
      ['untried', 'bytesOf', 'textOf'].map((name) => `src/core/a.ts: ${name}`),
    );
  });
});
