import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  badInput,
  type HttpDeps,
  knownAddresses,
  parseTokenId,
  requireAddress,
  requireTokenId,
} from '../../core/index.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { askForAddress } from '../../host/names/addressPicker.ts';
import { parseRowArgument } from '../../host/rowArguments.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import type { Session } from '../../host/session/session.ts';
import { showInputBox } from '../../host/ui/dialogs.ts';
import type { AllowedHosts } from './fileHosts.ts';

interface NftInputDeps {
  readonly names: () => Promise<AddressNames>;
  readonly session: Pick<Session, 'network'>;
}

export interface NftTarget {
  readonly contract: Address;
  readonly tokenId: bigint | undefined;
}

const TokenId = z.union([z.string(), z.bigint(), z.int().check(z.minimum(0))]);

/**
 * The arguments of a command: contract and token ID as texts (the ID also as a number), or a row of a tree, after which
 * VS Code passes the other selected rows.
 *
 * @throws AppError `badInput` for other arguments.
 */
export function parseNftArguments(argument: unknown, tokenId: unknown): Partial<NftTarget> {
  if (argument === undefined || argument === null) return {};
  if (typeof argument === 'string') {
    return { contract: requireAddress(argument, 'contract'), tokenId: readTokenId(tokenId) };
  }
  const row = parseRowArgument(argument);
  // A row without a holding is of the contract itself.
  const contract = row?.contract ?? row?.account;
  if (!contract) throw badInput('contract', 'Expected a contract address and a token ID.');
  return { contract, tokenId: readTokenId(row?.tokenId) };
}

function readTokenId(value: unknown): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const given = TokenId.safeParse(value);
  return requireTokenId(given.success ? given.data.toString() : value);
}

/** By address, or by name if it has one. */
export async function askForContract(title: string, deps: NftInputDeps): Promise<Address | undefined> {
  const among = { names: await deps.names(), chainId: deps.session.network.chainId };
  const without = knownAddresses.map(({ address }) => address);
  const prompt = vscode.l10n.t('Address of an NFT contract (ERC-721 or ERC-1155)');
  return askForAddress(title, prompt, { ...among, without });
}

/** Prompts for a token ID, which is validated while it is typed. `note` follows the prompt. */
export async function askForTokenId(title: string, note: string): Promise<bigint | undefined> {
  const typed = await showInputBox({
    title,
    prompt: [vscode.l10n.t('Token ID in decimal or as 0x and hex digits.'), note].join(' ').trim(),
    placeHolder: '1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || parseTokenId(text) !== undefined
        ? undefined
        : vscode.l10n.t(
            'Not a token ID. Enter a whole number up to 2^256 - 1, in decimal or as 0x and hex digits.',
          ),
  });
  return typed === undefined ? undefined : parseTokenId(typed);
}

export interface NftsDeps extends ChainDeps {
  readonly extensionUri: vscode.Uri;
  /** For metadata and pictures, which are on hosts of their own. */
  readonly http: HttpDeps;
  readonly allowedHosts: AllowedHosts;
  readonly log: vscode.LogOutputChannel;
  /** Loaded on first use. */
  readonly names: () => Promise<AddressNames>;
}
