import * as vscode from 'vscode';
import {
  type AbiItemText,
  type IndexedDeployment,
  parseAbiItem,
  pushAll,
  type SourceContract,
  type SourceItem,
} from '../../core/index.ts';
import { findDeclarationAt, findUseAt, type SourceReader } from '../../host/contracts/declarations.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { HoverContent } from '../../host/ui/languageFeatures.ts';
import { createCommandLink, type MarkdownLines } from '../../host/ui/markdown.ts';
import { type CodeLensDeps, createContractHover } from './codeLens.ts';
import { formatQueryTitle, sortDeployments, toDeploymentChoice } from './deployments.ts';
import type { DeploymentFinder } from './findDeployments.ts';

interface HoverOptions extends CodeLensDeps {
  readonly path: string;
  readonly reader: SourceReader;
  readonly finder: DeploymentFinder | undefined;
}

interface SourcePosition {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

/** Overloaded events may be more. */
const MAX_HOVER_ITEMS = 3;

/** The hover on an event or error, where it is declared, emitted or reverted with, and on the name of a contract. */
export async function createSourceHover(
  { document, position }: SourcePosition,
  options: HoverOptions,
): Promise<HoverContent | undefined> {
  const { path, reader, finder } = options;
  const found = await findItemAt({ document, position }, path, reader);
  if (!found) return hoverContract({ document, position }, options);
  const texts = found.texts.slice(0, MAX_HOVER_ITEMS);
  const lines: ReturnType<typeof createItemLines>[number][] = [];
  for (const text of texts) {
    const deployments = (await finder?.item(text, found.contract)) ?? [];
    pushAll(lines, createItemLines(text, sortDeployments(deployments, options), options));
  }
  if (lines.length === 0) return undefined;
  const range = new vscode.Range(document.positionAt(found.offset), document.positionAt(found.end));
  return { lines, range };
}

/** On the name in the declaration of a contract that is deployed. */
async function hoverContract(
  { document, position }: SourcePosition,
  options: HoverOptions,
): Promise<HoverContent | undefined> {
  const range = document.getWordRangeAtPosition(position, NAME);
  const name = range && document.getText(range);
  if (!range || name === undefined) return undefined;
  const facts = await options.reader.read(options.path);
  const contract = facts?.contracts.find((one) => {
    const before = document.getText(new vscode.Range(document.positionAt(one.offset), range.start));
    return one.name === name && before.length <= MAX_KEYWORD_CHARS && CONTRACT_KEYWORD.test(before);
  });
  const deployed = contract && options.finder?.contract(contract);
  const deployments = deployed && sortDeployments(deployed.deployments, options);
  const lines =
    contract &&
    deployments &&
    createContractHover({ contract, indexed: deployed.contract, deployments }, options);
  return lines && { lines, range };
}

const NAME = /[A-Za-z_$][\w$]*/;
const CONTRACT_KEYWORD = /^(?:abstract\s+)?(?:contract|library)\s+$/;

interface FoundItem {
  readonly texts: readonly AbiItemText[];
  readonly contract: SourceContract | undefined;
  readonly offset: number;
  readonly end: number;
}

async function findItemAt(
  { document, position }: SourcePosition,
  path: string,
  reader: SourceReader,
): Promise<FoundItem | undefined> {
  const offset = document.offsetAt(position);
  const used = await findUseAt(path, offset, reader);
  if (used) {
    const { texts, use, contract } = used;
    return { texts, contract, offset: use.offset, end: use.end };
  }
  const range = document.getWordRangeAtPosition(position, NAME);
  if (!range) return undefined;
  const name = document.getText(range);
  const isName = (item: SourceItem) =>
    item.name === name && isNameOf(document, item, document.offsetAt(range.start));
  const declared = await findDeclarationAt(path, { offset, isName }, reader);
  if (declared?.text === undefined) return undefined;
  return {
    texts: [declared.text],
    contract: declared.contract,
    offset: document.offsetAt(range.start),
    end: document.offsetAt(range.end),
  };
}

/** `event` or `error` and the whitespace after it. */
const MAX_KEYWORD_CHARS = 200;

/** Whether the word at `offset` is the declared name, and not part of its parameters, types or comments. */
function isNameOf(document: vscode.TextDocument, item: SourceItem, offset: number): boolean {
  const from = document.positionAt(item.offset);
  const before = document.getText(new vscode.Range(from, document.positionAt(offset)));
  return before.length <= MAX_KEYWORD_CHARS && /^(?:event|error)\s+$/.test(before);
}

/** The declaration of an event or error, its topic0 or selector, and a link to its logs. */
function createItemLines(
  text: AbiItemText,
  deployments: readonly IndexedDeployment[],
  deps: ChainDeps,
): MarkdownLines {
  const item = parseAbiItem(text);
  if (item?.kind === 'error') {
    return [
      [{ icon: 'symbol-event' }, { strong: item.name }, text.slice('error '.length + item.name.length)],
      [vscode.l10n.t('selector {0}', item.selector), '·', createCopyLink(item.selector)],
    ];
  }
  if (item?.kind !== 'event') return [];
  const { name, anonymous, topic0 } = item;
  const declaration = [{ icon: 'symbol-event' }, { strong: name }, text.slice('event '.length + name.length)];
  // The logs of an anonymous event have the first indexed parameter as their first topic.
  if (anonymous) return [declaration, [vscode.l10n.t('An anonymous event has no topic0.')]];
  return [
    declaration,
    [vscode.l10n.t('topic0 {0}', topic0), '·', createCopyLink(topic0)],
    deployments.length === 0
      ? [createCommandLink(vscode.l10n.t('Query Logs of {0}', name), 'chainside.queryLogs', { event: text })]
      : [
          createCommandLink(
            formatQueryTitle(deployments, deps),
            'chainside.queryLogsOfDeployment',
            toDeploymentChoice(deployments, { name, event: text }),
          ),
          '·',
          createCommandLink(vscode.l10n.t('Query Logs of {0} at Any Address', name), 'chainside.queryLogs', {
            event: text,
          }),
        ],
  ];
}

function createCopyLink(value: string) {
  return createCommandLink(vscode.l10n.t('Copy'), 'chainside.copyValue', value);
}
