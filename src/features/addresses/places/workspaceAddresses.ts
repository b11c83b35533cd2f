import type * as vscode from 'vscode';
import type { Address } from '../../../core/index.ts';
import { findAddresses } from './findAddresses.ts';

/** Where in the workspace an address stands first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

export interface WorkspaceAddresses {
  readonly occurrences: readonly Occurrence[];
  /** Why the search ended before its end, if it did. */
  readonly cut: 'addresses' | 'files' | undefined;
}

export const MOST_ADDRESSES = 500;

/** The addresses of one text, each once, with the line where it stands first. */
export type LinesOfAddresses = ReadonlyMap<Address, number>;

/** The addresses of `text`, up to one more than are shown, so that a cut is known. */
export function linesOfAddresses(text: string): LinesOfAddresses {
  const lines = new Map<Address, number>();
  let line = 0;
  let counted = 0;
  for (const { address, offset } of findAddresses(text)) {
    if (lines.size > MOST_ADDRESSES) break;
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++;
    if (!lines.has(address)) lines.set(address, line);
  }
  return lines;
}

/** Gathers the addresses of several texts, each where it was met first. */
export function createGathering() {
  const found = new Map<Address, Occurrence>();
  return {
    /** Whether more have been met than are shown. */
    get isFull() {
      return found.size > MOST_ADDRESSES;
    },
    add(lines: LinesOfAddresses, uri: vscode.Uri): void {
      for (const [address, line] of lines) {
        if (found.size > MOST_ADDRESSES) return;
        if (!found.has(address)) found.set(address, { address, uri, line });
      }
    },
    result(filesCut: boolean): WorkspaceAddresses {
      const cut = found.size > MOST_ADDRESSES ? 'addresses' : filesCut ? 'files' : undefined;
      return { occurrences: [...found.values()].slice(0, MOST_ADDRESSES), cut };
    },
  };
}
