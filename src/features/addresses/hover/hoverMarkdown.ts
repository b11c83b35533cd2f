import * as vscode from 'vscode';
import {
  checksumState,
  compareTokens,
  groupDigits,
  type Network,
  systemClock,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Outcome } from '../../../host/loading/readWithin.ts';
import type { FoundAddress } from '../../../host/places/findAddresses.ts';
import { explorerLink } from '../../../host/session/explorerLink.ts';
import { commandLink, type MarkdownLines, type Piece } from '../../../host/surface/markdown.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { formatAge, formatTime } from '../../../host/words/formatTime.ts';
import type { NativeFigure, TokensFigure } from '../balances/balanceReader.ts';
import { holdingWords, nativeWords } from '../balances/figureWords.ts';

const TOP_TOKENS = 3;

/** What is known of an address without asking anyone: checksum, names, and what can be done with it. */
export function addressLines(
  { address, written }: FoundAddress,
  known: {
    readonly network: Network;
    readonly label: string | undefined;
    /** Where names come from. */
    readonly about: MarkdownLines;
    readonly watched: boolean;
  },
): MarkdownLines {
  const checksummed = toChecksumAddress(address);
  const page = explorerLink(known.network.explorerUrl, 'address', toChecksumAddress(address));
  const links = [
    commandLink(vscode.l10n.t('Look Up'), 'chainside.lookUpAddress', checksummed),
    known.watched
      ? commandLink(vscode.l10n.t('Stop Watching'), 'chainside.unwatchAddress', checksummed)
      : commandLink(vscode.l10n.t('Watch'), 'chainside.watchAddress', checksummed),
    commandLink(vscode.l10n.t('Label'), 'chainside.labelAddress', checksummed),
    commandLink(vscode.l10n.t('Query Logs'), 'chainside.queryLogs', { address: checksummed }),
    commandLink(vscode.l10n.t('Copy'), 'chainside.copyAddress', checksummed),
    ...(page === undefined ? [] : [{ title: vscode.l10n.t('Open in Explorer'), page }]),
  ];
  const label = known.label === undefined ? [] : [{ strong: known.label }, '·'];
  return [
    [...label, ...checksumPieces(written)],
    ...known.about,
    links.flatMap((link, at) => (at === 0 ? link : ['|', link])),
  ];
}

/** The balances that arrived in time for the hover, with their network, block and age. */
export function figuresLines(read: {
  readonly native: Outcome<NativeFigure>;
  readonly tokens: Outcome<TokensFigure>;
  readonly network: Network;
}): MarkdownLines {
  const { native, tokens, network } = read;
  const lines = [nativeLine(native, network), tokensLine(tokens, network), sourceLine(native, network)];
  return lines.flatMap((line) => (line ? [[{ icon: line.icon }, line.text]] : []));
}

export function restrictedLines(): MarkdownLines {
  const words = vscode.l10n.t('Balances are shown here once you trust this workspace.');
  return [[{ icon: 'shield' }, words]];
}

function checksumPieces(written: string): readonly Piece[] {
  switch (checksumState(written)) {
    case 'right':
      return [{ icon: 'check' }, vscode.l10n.t('checksum right (EIP-55)')];
    case 'wrong':
      return [
        { icon: 'warning' },
        { strong: vscode.l10n.t('checksum wrong') },
        vscode.l10n.t('(EIP-55): a character may be wrong'),
      ];
    case 'none':
      return [{ icon: 'dash' }, vscode.l10n.t('written without checksum')];
  }
}

interface Line {
  readonly icon: string;
  readonly text: string;
}

function nativeLine(native: Outcome<NativeFigure>, network: Network): Line {
  switch (native.state) {
    case 'pending':
      return { icon: 'watch', text: vscode.l10n.t('Balance: still loading') };
    case 'failed':
      return { icon: 'error', text: describeError(native.error, { service: 'endpoint', network }).message };
    case 'ready': {
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
    case 'pending':
      return { icon: 'watch', text: vscode.l10n.t('Tokens: still loading') };
    case 'failed':
      return { icon: 'error', text: describeError(tokens.error, { service: 'source', network }).message };
    case 'ready': {
      if (tokens.value.state !== 'ready') return undefined;
      const held = tokens.value.balances.tokens.filter(({ native }) => !native).sort(compareTokens);
      const top = held.slice(0, TOP_TOKENS).map(holdingWords).join(', ');
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
  const { name } = network;
  if (native.state !== 'ready') return { icon: 'globe', text: name };
  const { head, readAt } = native.value;
  if (!head) return { icon: 'globe', text: vscode.l10n.t('{0}, read at {1}', name, formatTime(readAt)) };
  const age = formatAge(systemClock.elapsed() - head.firstSeenElapsed);
  return {
    icon: 'globe',
    text: vscode.l10n.t('{0}, block {1}, seen {2}', name, groupDigits(head.block), age),
  };
}
