import {
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isElementAccessExpression,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isJsxExpression,
  isJsxText,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { childrenOf } from './parseFiles.ts';

/** Properties and attributes that a person reads: one English word in them is a text. */
const SHOWN_NAMES = new Set([
  ...['alt', 'aria-description', 'aria-label', 'aria-roledescription', 'placeholder', 'title'],
  ...['description', 'detail', 'label', 'message', 'placeHolder', 'prompt', 'reason', 'tooltip'],
]);

/** Calls without text for people: `t` and `createMessage` translate, the others log or find elements. */
const OTHER_CALLS = new Set([
  ...['badInput', 'createMessage', 't'],
  ...['closest', 'debug', 'error', 'info', 'trace', 'warn', 'querySelector', 'querySelectorAll'],
]);

/** Kinds of `AppError` whose message is always shown: `badInput` and `createError` make it of a template. */
const SHOWN_KINDS = new Set(['badInput', 'reverted']);

/** Names, units and code. */
const NAMES = /\b(?:Blockscout|Chainside|ETH|Etherscan API V2|Markdown|SQD Portal|Solidity|wei)\b/g;
/** Two words beside each other, or one beside a value, which is `{}`. */
const WORDS = /(?:[A-Za-z]{2,}|\{\})[,.:;]? [A-Za-z]{2,}|[A-Za-z]{2,}[,.:;]? \{\}|^[A-Z][a-z]+…?[.:]?$/;
const WORD = /(?:^|[ {}])[A-Za-z][a-z]+(?:$|[ .,!?{}])/;
/** Core has many texts for logs, agents and files: its sentences for people are templates. */
const SENTENCE = /^\s*[A-Z{][^\n]* [^\n]* [^\n]*[.?]\s*$/;

/** What stays English: the tools of agents, the files and commands that are copied, the index, which only logs. */
const ENGLISH_CORE = /^src\/core\/(?:operations|copyAs|project)\//;

export interface UntranslatedText {
  /** File and line. */
  readonly place: string;
  readonly text: string;
}

/**
 * The English texts of a file that are not written as messages to translate: two words anywhere, one word where it is
 * shown; in core, sentences.
 */
export function untranslatedOf(name: string, file: SourceFile): readonly UntranslatedText[] {
  const found: UntranslatedText[] = [];
  const isCore = name.startsWith('src/core/');
  if (ENGLISH_CORE.test(name)) return found;
  visit(file, false);
  return found;

  function visit(node: Node, isShown: boolean): void {
    const text = textOf(node);
    if (text !== undefined && isEnglish(text.replace(NAMES, ''), isShown)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ place: `${name}:${line + 1}`, text });
    }
    const skipped = skippedOf(node);
    for (const child of childrenOf(node)) {
      if (!skipped.includes(child)) visit(child, isShownIn(node, child, isShown));
    }
  }

  function isEnglish(text: string, isShown: boolean): boolean {
    if (isCore) return SENTENCE.test(text);
    return WORDS.test(text) || (isShown && WORD.test(text));
  }

  /** Whether the value of the child is shown. */
  function isShownIn(node: Node, child: Node, isShown: boolean): boolean {
    if (isJsxAttribute(node) || isPropertyAssignment(node)) return SHOWN_NAMES.has(node.name.getText(file));
    if (isJsxExpression(node)) return isShown || !isJsxAttribute(node.parent);
    if (isConditionalExpression(node)) return isShown && child !== node.condition;
    return isShown && (isParenthesizedExpression(node) || isAsExpression(node) || isBinaryExpression(node));
  }

  /** The children without text for people. */
  function skippedOf(node: Node): readonly Node[] {
    if (isLiteralTypeNode(node) || isImportDeclaration(node)) return childrenOf(node);
    if (isCaseClause(node)) return [node.expression];
    if (isElementAccessExpression(node)) return [node.argumentExpression];
    if (isTaggedTemplateExpression(node)) return childrenOf(node);
    if (isJsxAttribute(node))
      return /^(?:class|d|style)$/.test(node.name.getText(file)) ? childrenOf(node) : [];
    if (isPropertyAssignment(node)) return [node.name];
    if (isBinaryExpression(node)) {
      return /^[!=]==?$/.test(node.operatorToken.getText(file)) ? [node.left, node.right] : [];
    }
    if (isNewExpression(node)) return isShownError(node.arguments?.[0]) ? [] : (node.arguments ?? []);
    if (!isCallExpression(node)) return [];
    const { expression: called, arguments: args } = node;
    const name = isPropertyAccessExpression(called) ? called.name.text : isIdentifier(called) && called.text;
    return name !== false && OTHER_CALLS.has(name) ? args.filter((arg) => textOf(arg) !== undefined) : [];
  }

  /** The message of any other error is for logs and agents. */
  function isShownError(kind: Node | undefined): boolean {
    return kind !== undefined && SHOWN_KINDS.has(textOf(kind) ?? '');
  }
}

/** The text that a node writes; `{}` stands for a value in a template. */
function textOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isJsxText(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}
