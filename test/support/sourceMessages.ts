import {
  isAsExpression,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API, type Type } from 'typescript/unstable/sync';
import { fromRoot } from '../../scripts/support/paths.ts';
import { descendants } from './parseFiles.ts';
import { type UntranslatedText, untranslatedOf } from './untranslated.ts';

/** The messages of the editor, as the source writes them. */
export interface SourceMessages {
  /** Each English message, with the first place that has it. */
  readonly places: ReadonlyMap<string, string>;
  /** Calls whose message is not known from the source: `file: argument`. */
  readonly unknown: readonly string[];
  /** English texts that skip translation: `file:line: text`. */
  readonly untranslated: readonly string[];
}

/** The command line and the MCP server speak English. */
const ENGLISH_FOLDERS = ['src/cli/', 'src/mcp/'];

/** Properties and tables of core that the editor translates. */
const TRANSLATED_NAMES = new Map([
  ['src/core/copyAs/targets.ts', 'purpose'],
  ['src/core/export/formats.ts', 'purpose'],
  ['src/core/logs/query/verdict.ts', 'reasonTemplates'],
]);

/** Every message that the editor can show in another language. */
export function readSourceMessages(): SourceMessages {
  const api = new API({ cwd: fromRoot('.') });
  try {
    const snapshot = api.updateSnapshot({
      openProjects: ['src/tsconfig.json', 'src/webview/tsconfig.json'].map((path) => fromRoot(path)),
    });
    const places = new Map<string, string>();
    const unknown: string[] = [];
    const bare: UntranslatedText[] = [];
    const read = new Set<string>();
    for (const { rootFiles, program, checker } of snapshot.getProjects()) {
      for (const path of rootFiles) {
        const name = path.slice(fromRoot('.').length).replace(/^[\\/]+/, '');
        const isTranslated =
          name.startsWith('src/') &&
          !read.has(name) &&
          !ENGLISH_FOLDERS.some((folder) => name.startsWith(folder));
        const file = isTranslated && program.getSourceFile(path);
        if (!file) continue;
        read.add(name);
        bare.push(...untranslatedOf(name, file));
        const found = messageNodes(name, file);
        const others = found.filter((node) => literalText(node) === undefined);
        const types = others.length > 0 ? checker.getTypeAtLocation(others) : [];
        for (const node of found) {
          const text = literalText(node);
          const texts = text === undefined ? literalTexts(types[others.indexOf(node)]) : [text];
          if (!texts) unknown.push(`${name}: ${node.getText(file)}`);
          for (const message of texts ?? []) if (!places.has(message)) places.set(message, name);
        }
      }
    }
    const untranslated = bare.flatMap(({ place, text }) => (places.has(text) ? [] : [`${place}: ${text}`]));
    return { places, unknown, untranslated };
  } finally {
    api.close();
  }
}

/** The expressions whose values are messages. */
function messageNodes(name: string, file: SourceFile): readonly Node[] {
  const translated = TRANSLATED_NAMES.get(name);
  return descendants(file).flatMap((node) => {
    if (isPropertyAssignment(node)) return node.name.getText(file) === translated ? [node.initializer] : [];
    if (isVariableDeclaration(node)) {
      if (node.name.getText(file) !== translated || !node.initializer) return [];
      return descendants(node.initializer).flatMap((child) =>
        isPropertyAssignment(child) ? [child.initializer] : [],
      );
    }
    if (!isCallExpression(node)) return [];
    const { expression: called, arguments: args } = node;
    if (isPropertyAccessExpression(called)) return called.name.text === 't' ? args.slice(0, 1) : [];
    if (!isIdentifier(called)) return [];
    if (called.text === 'createMessage') return args.slice(0, 1);
    return called.text === 'badInput' ? args.slice(1, 2).flatMap(branches).flatMap(templateOf) : [];
  });
}

/** The expressions that may be the value of a conditional one. */
function branches(node: Node): readonly Node[] {
  return isConditionalExpression(node) ? [node.whenTrue, node.whenFalse].flatMap(branches) : [node];
}

/** The message of a validation error: the expression itself, or the `template` of an object. Calls make their own. */
function templateOf(node: Node): readonly Node[] {
  if (isCallExpression(node)) return [];
  if (!isObjectLiteralExpression(node)) return [node];
  return node.properties.flatMap((property): readonly Node[] => {
    const isAssigned = isPropertyAssignment(property);
    if (!isAssigned && !isShorthandPropertyAssignment(property)) return [];
    if (!isIdentifier(property.name) || property.name.text !== 'template') return [];
    return [isAssigned ? property.initializer : property.name];
  });
}

function literalText(node: Node): string | undefined {
  if (isAsExpression(node)) return literalText(node.expression);
  return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) ? node.text : undefined;
}

/** The texts of a type that is made of string literals only. */
function literalTexts(type: Type | undefined): readonly string[] | undefined {
  if (type?.isStringLiteralType()) return [type.value];
  if (!type?.isUnionType()) return undefined;
  const texts = type.getTypes().map((member) => literalTexts(member));
  return texts.includes(undefined) ? undefined : texts.flatMap((text) => text ?? []);
}
