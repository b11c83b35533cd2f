import * as vscode from 'vscode';
import {
  checksumState,
  groupDigits,
  type Network,
  plainText,
  systemClock,
  toChecksumAddress,
} from '../../core/index.ts';
import { commandLink } from '../../host/commands.ts';
import { describeError } from '../../host/describeError.ts';
import { explorerLink } from '../../host/explorerLink.ts';
import { formatAge, formatTime } from '../../host/formatTime.ts';
import { markdownText } from '../../host/markdownText.ts';
import type { CommandId } from '../../manifest.ts';
import type { NativeFigure, TokensFigure } from './balanceReader.ts';
import { nativeWords, tokenWords } from './figureWords.ts';
import type { FoundAddress } from './findAddresses.ts';
import type { Outcome } from './readWithin.ts';
import { tokensInOrder } from './tokensInOrder.ts';

const linked: readonly CommandId[] = [
  'chainside.lookUpAddress',
  'chainside.watchAddress',
  'chainside.unwatchAddress',
  'chainside.labelAddress',
  'chainside.queryLogs',
  'chainside.copyAddress',
];
const TOP_TOKENS = 3;

/** What is known of an address without asking anyone: checksum, label, and what can be done with it. */
export function addressMarkdown(
  { address, written }: FoundAddress,
  known: { readonly network: Network; readonly label: string | undefined; readonly watched: boolean },
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', true);
  markdown.isTrusted = { enabledCommands: linked };
  if (known.label !== undefined) {
    markdown.appendMarkdown(`**${markdownText(plainText(known.label))}** · `);
  }
  markdown.appendMarkdown(checksumMarkdown(written)).appendMarkdown('\n\n');
  const checksummed = toChecksumAddress(address);
  const page = explorerLink(known.network.explorerUrl, 'address', toChecksumAddress(address));
  const links = [
    link(vscode.l10n.t('Look Up'), commandLink('chainside.lookUpAddress', checksummed)),
    known.watched
      ? link(vscode.l10n.t('Stop Watching'), commandLink('chainside.unwatchAddress', checksummed))
      : link(vscode.l10n.t('Watch'), commandLink('chainside.watchAddress', checksummed)),
    link(vscode.l10n.t('Label'), commandLink('chainside.labelAddress', checksummed)),
    link(vscode.l10n.t('Query Logs'), commandLink('chainside.queryLogs', { address: checksummed })),
    link(vscode.l10n.t('Copy'), commandLink('chainside.copyAddress', checksummed)),
    ...(page === undefined
      ? []
      : [link(vscode.l10n.t('Open in Explorer'), vscode.Uri.parse(page).toString())]),
  ];
  return markdown.appendMarkdown(links.join(' | '));
}

/** Balances as they have come within the hover's time, and of which network, block and age they are. */
export function figuresMarkdown(read: {
  readonly native: Outcome<NativeFigure>;
  readonly tokens: Outcome<TokensFigure>;
  readonly network: Network;
}): vscode.MarkdownString {
  const { native, tokens, network } = read;
  const lines = [nativeLine(native, network), tokensLine(tokens, network), sourceLine(native, network)];
  const markdown = new vscode.MarkdownString('', true);
  for (const line of lines) {
    if (line === undefined) continue;
    markdown.appendMarkdown(`$(${line.icon}) ${markdownText(line.text)}\n\n`);
  }
  return markdown;
}

export function restrictedMarkdown(): vscode.MarkdownString {
  const words = vscode.l10n.t('Balances are shown here once you trust this workspace.');
  return new vscode.MarkdownString(`$(shield) ${words}`, true);
}

function checksumMarkdown(written: string): string {
  switch (checksumState(written)) {
    case 'right':
      return `$(check) ${vscode.l10n.t('checksum right (EIP-55)')}`;
    case 'wrong':
      return `$(warning) ${vscode.l10n.t('**checksum wrong** (EIP-55): a character may be wrong')}`;
    case 'none':
      return `$(dash) ${vscode.l10n.t('written without checksum')}`;
  }
}

interface Line {
  readonly icon: string;
  readonly text: string;
}

function nativeLine(native: Outcome<NativeFigure>, network: Network): Line {
  switch (native.state) {
    case 'late':
      return { icon: 'watch', text: vscode.l10n.t('Balance: still loading') };
    case 'failed':
      return { icon: 'error', text: describeError(native.error, { service: 'endpoint', network }).message };
    case 'come': {
      const unknown = native.value.balance.state === 'unknown';
      return {
        icon: unknown ? 'question' : 'circle-large-filled',
        text: unknown
          ? vscode.l10n.t('No balance recorded by this explorer')
          : nativeWords(native.value, network),
      };
    }
  }
}

function tokensLine(tokens: Outcome<TokensFigure>, network: Network): Line | undefined {
  switch (tokens.state) {
    case 'late':
      return { icon: 'watch', text: vscode.l10n.t('Tokens: still loading') };
    case 'failed':
      return { icon: 'error', text: describeError(tokens.error, { service: 'dataApi', network }).message };
    case 'come': {
      if (tokens.value.state !== 'ready') return undefined;
      const held = tokensInOrder(tokens.value.balances.tokens);
      const top = held.slice(0, TOP_TOKENS).map(tokenWords).join(', ');
      const more = held.length > TOP_TOKENS ? ', …' : '';
      const text = held.length === 0 ? vscode.l10n.t('No tokens') : countWords(held.length, `${top}${more}`);
      return { icon: 'circle-large', text };
    }
  }
}

function countWords(count: number, list: string): string {
  return count === 1 ? vscode.l10n.t('1 token: {0}', list) : vscode.l10n.t('{0} tokens: {1}', count, list);
}

function sourceLine(native: Outcome<NativeFigure>, network: Network): Line {
  const name = plainText(network.name);
  if (native.state !== 'come') return { icon: 'globe', text: name };
  const { head, readAt } = native.value;
  if (!head) return { icon: 'globe', text: vscode.l10n.t('{0}, read at {1}', name, formatTime(readAt)) };
  const age = formatAge(systemClock.elapsed() - head.firstSeenElapsed);
  return {
    icon: 'globe',
    text: vscode.l10n.t('{0}, block {1}, seen {2}', name, groupDigits(head.block), age),
  };
}

function link(title: string, target: string): string {
  return `[${title}](${target})`;
}
