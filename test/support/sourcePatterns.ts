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
import { descendants } from './parseFiles.ts';

/** A regular expression as a source file makes it. */
export interface SourcePattern {
  /** File and line, for a person. */
  readonly place: string;
  readonly flags: string;
  /** Undefined where it is put together at run time. */
  readonly source: string | undefined;
}

/** The regular expressions that one file makes: literals, and what goes into `RegExp`. */
export function patternsOf(name: string, file: SourceFile): readonly SourcePattern[] {
  const nodes = descendants(file);
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
