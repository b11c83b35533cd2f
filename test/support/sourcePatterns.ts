import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { fromRoot } from '../../scripts/support/paths.ts';

/** A regular expression as a source file makes it. */
export interface SourcePattern {
  /** File and line, for a person. */
  readonly place: string;
  readonly flags: string;
  /** Undefined where it is put together at run time. */
  readonly source: string | undefined;
}

/** The files that these TypeScript projects compile. */
export interface ProjectFiles {
  readonly names: readonly string[];
  /** Each regular expression in them: literals, and what goes into `RegExp`. */
  readonly patterns: readonly SourcePattern[];
}

/** Reads the files below `folder` that the projects compile; all paths from the project's root. */
export function readProjectFiles(folder: string, projects: readonly string[]): ProjectFiles {
  const api = new API({ cwd: fromRoot('.') });
  try {
    const snapshot = api.updateSnapshot({ openProjects: projects.map((project) => fromRoot(project)) });
    const files = new Map<string, readonly SourcePattern[]>();
    for (const { rootFiles, program } of snapshot.getProjects()) {
      for (const path of rootFiles) {
        const name = relative(path);
        const file = name.startsWith(`${folder}/`) && !files.has(name) && program.getSourceFile(path);
        if (file) files.set(name, patternsOf(name, file));
      }
    }
    return { names: [...files.keys()], patterns: [...files.values()].flat() };
  } finally {
    api.close();
  }
}

function relative(path: string): string {
  return path.slice(fromRoot('.').length).replace(/^[\\/]+/, '');
}

/** The regular expressions that one file makes. */
export function patternsOf(name: string, file: SourceFile): readonly SourcePattern[] {
  const nodes = [...descendants(file)];
  const constants = new Map<string, Node>();
  for (const node of nodes) {
    if (isVariableDeclaration(node) && isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
  }
  const textOf = (node: Node | undefined) => node && constantText(node, file, constants);
  return nodes.flatMap((node) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    const place = `${name}:${line}`;
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      return [{ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) }];
    }
    const made = isNewExpression(node) || isCallExpression(node) ? node : undefined;
    if (!made || !isIdentifier(made.expression) || made.expression.text !== 'RegExp') return [];
    const [source, flags] = made.arguments ?? [];
    return [{ place, source: textOf(source), flags: textOf(flags) ?? '' }];
  });
}

function* descendants(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  for (const child of children) yield* descendants(child);
}

/** The text that an expression stands for, where it is made of literals and constants of the same file. */
function constantText(
  node: Node,
  file: SourceFile,
  constants: ReadonlyMap<string, Node>,
): string | undefined {
  const textOf = (other: Node) => constantText(other, file, constants);
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (isIdentifier(node)) {
    const value = constants.get(node.text);
    return value && textOf(value);
  }
  if (isBinaryExpression(node)) return joined([textOf(node.left), textOf(node.right)]);
  if (isTaggedTemplateExpression(node) && node.tag.getText(file) === 'String.raw') {
    const { template } = node;
    if (isNoSubstitutionTemplateLiteral(template)) return template.getText(file).slice(1, -1);
    return templateText(template, (part) => part.rawText);
  }
  return isTemplateExpression(node) ? templateText(node, (part) => part.text) : undefined;

  function templateText(
    { head, templateSpans }: import('typescript/unstable/ast').TemplateExpression,
    read: (part: { readonly text: string; readonly rawText?: string | undefined }) => string | undefined,
  ): string | undefined {
    return joined([
      read(head),
      ...templateSpans.flatMap(({ expression, literal }) => [textOf(expression), read(literal)]),
    ]);
  }
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}
