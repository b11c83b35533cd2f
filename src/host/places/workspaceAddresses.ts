import type * as vscode from 'vscode';
import type { Address } from '../../core/index.ts';
import { constantNameAt, holdsConstants } from './constantName.ts';
import { findAddresses } from './findAddresses.ts';

/** Where in the workspace an address stands: as a constant, or first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  /** Of the constant that is declared there with it. */
  readonly constant?: string | undefined;
}

export interface WorkspaceAddresses {
  readonly occurrences: readonly Occurrence[];
  /** Why the search ended before its end, if it did. */
  readonly cut: 'addresses' | 'files' | undefined;
}

export const MOST_ADDRESSES = 500;

/** Where an address stands in a text: the line of a constant if there is one, else the first. */
type PlaceInText = Pick<Occurrence, 'line' | 'constant'>;

/** The addresses of one text, each once. */
export type LinesOfAddresses = ReadonlyMap<Address, PlaceInText>;

/** The addresses of the text at `path`, up to one more than are shown, so that a cut is known. */
export function linesOfAddresses(text: string, path: string): LinesOfAddresses {
  const lines = new Map<Address, PlaceInText>();
  const named = holdsConstants(path);
  let line = 0;
  let counted = 0;
  for (const { address, offset } of findAddresses(text)) {
    if (lines.size > MOST_ADDRESSES) break;
    for (; counted < offset; counted++) if (text.charCodeAt(counted) === 10) line++;
    const known = lines.get(address);
    const constant = named && known?.constant === undefined ? constantNameAt(text, offset) : undefined;
    if (!known || constant !== undefined) lines.set(address, { line, constant });
  }
  return lines;
}

/** Gathers the addresses of several texts, each where it is a constant first, else where it was met first. */
export function createGathering() {
  const found = new Map<Address, Occurrence>();
  return {
    /** Whether more have been met than are shown. */
    get isFull() {
      return found.size > MOST_ADDRESSES;
    },
    add(lines: LinesOfAddresses, uri: vscode.Uri): void {
      for (const [address, place] of lines) {
        if (found.size > MOST_ADDRESSES) return;
        const known = found.get(address);
        if (!known || (known.constant === undefined && place.constant !== undefined)) {
          found.set(address, { address, uri, ...place });
        }
      }
    },
    result(filesCut: boolean): WorkspaceAddresses {
      const cut = found.size > MOST_ADDRESSES ? 'addresses' : filesCut ? 'files' : undefined;
      return { occurrences: [...found.values()].slice(0, MOST_ADDRESSES), cut };
    },
  };
}
