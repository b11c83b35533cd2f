import * as vscode from 'vscode';
import {
  type Block,
  badInput,
  createMessage,
  fetchReadBlock,
  foreign,
  groupDigits,
  type Hex,
  isAppError,
  parseHexData,
  parseReadBlock,
} from '../../core/index.ts';
import { showError } from '../../host/errors.ts';
import { findHexAt } from '../../host/places/hexInText.ts';
import { findNumberAt } from '../../host/places/numberInText.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import { askOnNetwork } from '../../host/session/chains.ts';
import type { Connection } from '../../host/session/session.ts';
import { showInputBox, withDelayedProgress } from '../../host/ui/dialogs.ts';
import { formatShownKey } from './shownKey.ts';
import { createBlockLines, type ShowDeps } from './showTransaction.ts';

/**
 * *Show Block…*: opens a document with a block of the active network, by its number, its hash, a tag or a time.
 *
 * @throws AppError `badInput` if the argument is none of these.
 */
export async function showBlock(argument: unknown, deps: ShowDeps): Promise<void> {
  const { session, log } = deps;
  const { network } = session;
  const text = await askOnNetwork(deps, () => getBlockText(argument, network.name));
  if (text === undefined) return;
  try {
    const title = vscode.l10n.t('Loading the block from {0}', network.name);
    const page = await withDelayedProgress(title, async ({ signal }) => {
      const { client } = session.connection;
      const block = await fetchBlockAt(text, { client, now: deps.clock.now(), signal });
      return { block, lines: await createBlockLines(block, { ...deps, network, client }) };
    });
    if (page === 'cancelled') return;
    const { number, hash } = page.block;
    const tabTitle = vscode.l10n.t('Block {0}', groupDigits(number));
    await deps.pages.show({ title: tabTitle, key: formatShownKey({ hash }, network), lines: page.lines });
  } catch (error) {
    if (await showError(error, { service: 'source', network, log }, true)) await showBlock(text, deps);
  }
}

async function fetchBlockAt(
  text: string,
  {
    client,
    now,
    signal,
  }: { readonly client: Connection['client']; readonly now: number; readonly signal: AbortSignal },
): Promise<Block> {
  const at = parseHash(text) ?? (await fetchReadBlock(text, client, now, { signal }));
  const block = await client.fetchBlock(at, { signal });
  if (block) return block;
  throw badInput('block', createMessage('The endpoint does not have the block {0}.', foreign(text)));
}

/**
 * The block: the argument, or the input of the user, prefilled with the number or the hash at the cursor; undefined if
 * cancelled.
 *
 * @throws AppError `badInput` if the argument is no block.
 */
async function getBlockText(argument: unknown, networkName: string): Promise<string | undefined> {
  const { l10n } = vscode;
  const given = parseRowArgument(argument)?.copyText ?? argument;
  if (typeof given === 'string' || typeof given === 'number') {
    const error = findError(String(given));
    if (error !== undefined) throw badInput('block', createMessage('{0}', foreign(error)));
    return String(given);
  }
  return showInputBox({
    title: l10n.t('Show Block'),
    prompt: l10n.t('Block on {0}', networkName),
    placeHolder: l10n.t(
      'Number, hash, latest, latest-100, finalized, or a time such as 2026-11-01 12:30 or -1d',
    ),
    value: findBlockAtCursor() ?? '',
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? undefined : findError(text)),
  });
}

function findError(text: string): string | undefined {
  if (parseHash(text)) return undefined;
  try {
    parseReadBlock(text);
    return undefined;
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return vscode.l10n.t('Not a block. Enter a number, a hash, latest, latest-100, finalized, or a time.');
  }
}

function parseHash(text: string): Hex | undefined {
  return parseHexData(text.trim(), 32);
}

/** A number where the text says that it is a block, or a hash that it calls a block's. */
function findBlockAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { line, character } = selection.active;
  const { text } = document.lineAt(line);
  const hex = findHexAt(text, character);
  if (hex && !hex.isCut && /block/i.test(text)) return parseHash(hex.hex);
  const number = findNumberAt(text, character);
  return number?.isBlock ? number.value.toString() : undefined;
}
