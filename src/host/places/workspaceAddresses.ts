import type * as vscode from 'vscode';
import type { Address, TimeSlices } from '../../core/index.ts';
import type { Place } from '../commands/rowArguments.ts';
import { constantNameAt, holdsConstants } from './constantName.ts';
import { findAddresses } from './findAddresses.ts';
import { nameBeside } from './nameBeside.ts';
import { isNoAddress } from './notAnAddress.ts';

/** Where in the workspace an address stands: as a constant, or first. */
export interface Occurrence {
  readonly address: Address;
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
  /** Of the constant that is declared there with it. */
  readonly constant?: string | undefined;
}

/** An address in a file. */
export interface PlacedAddress {
  readonly address: Address;
  /** The line of a constant if there is one, else of what has a name, else the first; from 0. */
  readonly line: number;
  readonly constant?: string | undefined;
  /** What stands beside it there: the constant, a key, a label. */
  readonly name?: string | undefined;
  /** The lines that it stands on, in order: the first of them. */
  readonly lines: readonly number[];
}

/** A file with the addresses in it, in their order. */
export interface FileOfAddresses {
  readonly uri: vscode.Uri;
  readonly addresses: readonly PlacedAddress[];
}

export interface WorkspaceAddresses {
  /** Each address once. */
  readonly occurrences: readonly Occurrence[];
  /** Each address in every file that it stands in. */
  readonly files: readonly FileOfAddresses[];
  /** Addresses in all files together. */
  readonly count: number;
  /** Where an address stands, file by file. */
  placesOf(address: Address): readonly Place[];
  /** Why the search ended before its end, if it did. */
  readonly cut: 'addresses' | 'files' | undefined;
}

/** Of all files together, an address once for each file. */
export const MOST_ADDRESSES = 50_000;
const MOST_LINES = 100;

/** The addresses of one text, each once. */
export async function addressesIn(
  text: string,
  path: string,
  slices: TimeSlices,
): Promise<readonly PlacedAddress[]> {
  const found = new Map<Address, PlacedAddress & { readonly lines: number[] }>();
  const holdsNames = holdsConstants(path);
  let line = 0;
  let lineEnd = text.indexOf('\n');
  for (const one of findAddresses(text)) {
    if (slices.isOver()) await slices.rest();
    if (found.size >= MOST_ADDRESSES) break;
    if (isNoAddress(one, text, path)) continue;
    const { address, offset, written } = one;
    for (; lineEnd >= 0 && lineEnd < offset; lineEnd = text.indexOf('\n', lineEnd + 1)) line++;
    const known = found.get(address);
    const lines = known?.lines ?? [];
    if (lines.at(-1) !== line && lines.length < MOST_LINES) lines.push(line);
    if (known?.constant !== undefined) continue;
    const constant = holdsNames ? constantNameAt(text, offset) : undefined;
    const name =
      constant ?? (known?.name === undefined ? nameBeside(text, offset, written.length) : undefined);
    if (!known || name !== undefined) found.set(address, { address, line, constant, name, lines });
  }
  return [...found.values()];
}

/** Gathers the addresses of several texts. */
export function createGathering() {
  const found = new Map<Address, Occurrence>();
  const files: FileOfAddresses[] = [];
  const places = new Map<Address, { readonly uri: vscode.Uri; readonly lines: readonly number[] }[]>();
  let count = 0;
  return {
    /** Whether more have been met than are shown. */
    get isFull() {
      return count >= MOST_ADDRESSES;
    },
    add(addresses: readonly PlacedAddress[], uri: vscode.Uri): void {
      const taken = addresses.slice(0, MOST_ADDRESSES - count);
      if (taken.length === 0) return;
      count += taken.length;
      files.push({ uri, addresses: taken });
      for (const { address, line, constant, lines } of taken) {
        const inFiles = places.get(address);
        if (inFiles) inFiles.push({ uri, lines });
        else places.set(address, [{ uri, lines }]);
        const known = found.get(address);
        if (!known || (known.constant === undefined && constant !== undefined)) {
          found.set(address, { address, uri, line, constant });
        }
      }
    },
    result(filesCut: boolean): WorkspaceAddresses {
      const cut = count >= MOST_ADDRESSES ? 'addresses' : filesCut ? 'files' : undefined;
      const placesOf = (address: Address) =>
        (places.get(address) ?? []).flatMap((one) => one.lines.map((line) => ({ uri: one.uri, line })));
      return { occurrences: [...found.values()], files, count, placesOf, cut };
    },
  };
}
