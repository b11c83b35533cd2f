import type { JsonSpan } from './parse.ts';
import { parseSpan } from './parse.ts';
import { isListAt, isObjectAt, membersOf } from './scan.ts';

/** What is read of an artifact; everything else in it is passed over. */
export interface ArtifactParts {
  readonly abi?: JsonSpan;
  readonly contractName?: unknown;
  readonly sourceName?: unknown;
  readonly sourcePath?: unknown;
  /** Source and contract that `metadata` says were compiled. */
  readonly target?: readonly [source: string, contract: string] | undefined;
  /** The source in the syntax tree, where there is no metadata. */
  readonly astPath?: unknown;
  readonly networks?: JsonSpan;
  readonly deployments?: JsonSpan;
  readonly networkAddresses?: JsonSpan;
  readonly address?: unknown;
  readonly chainId?: unknown;
  readonly receipt?: JsonSpan;
  readonly transactionHash?: unknown;
}

/** Characters after the word `compilationTarget` in which its one entry stands. */
const LONGEST_TARGET = 2_048;

/**
 * Reads the text of an artifact up to where all is known that its tool writes: Foundry's up to its metadata, which comes
 * before the syntax tree, Hardhat's up to its ABI. Bytecode and trees are never parsed.
 *
 * @throws AppError `badInput` where it is no object or ends too early.
 */
export function readArtifactParts(text: string): ArtifactParts {
  const parts: { -readonly [Name in keyof ArtifactParts]: ArtifactParts[Name] } = {};
  let hardhat = false;
  for (const { name, from, to } of membersOf(text)) {
    switch (name) {
      case 'abi':
        if (isListAt(text, from)) parts.abi = { from, to };
        break;
      case '_format':
        hardhat = true;
        break;
      case 'contractName':
      case 'sourceName':
      case 'sourcePath':
      case 'address':
      case 'chainId':
      case 'transactionHash':
        if (!isListAt(text, from) && !isObjectAt(text, from)) parts[name] = parseSpan(text, { from, to });
        break;
      case 'metadata':
        parts.target = targetOf(text, { from, to });
        break;
      case 'ast':
        parts.astPath = astPathOf(text, from);
        break;
      case 'networks':
      case 'deployments':
      case 'networkAddresses':
      case 'receipt':
        if (isObjectAt(text, from)) parts[name] = { from, to };
        break;
    }
    const whole = hardhat ? parts.sourceName !== undefined : isFoundry(parts);
    if (parts.abi && whole) break;
  }
  return parts;
}

/** Foundry alone writes no name: it stands in the metadata. */
function isFoundry(parts: ArtifactParts): boolean {
  return parts.target !== undefined && parts.contractName === undefined && parts.address === undefined;
}

/**
 * The compiled contract in `metadata`, an object (Foundry) or the text of one (hardhat-deploy, Truffle), in which quotes
 * are escaped: https://docs.soliditylang.org/en/latest/metadata.html
 */
function targetOf(text: string, { from, to }: JsonSpan): ArtifactParts['target'] {
  if (isObjectAt(text, from)) return targetOfObject(text, from);
  const at = text.indexOf('compilationTarget', from);
  if (at === -1 || at >= to) return undefined;
  const piece = text.slice(at, Math.min(to, at + LONGEST_TARGET)).replaceAll('\\"', '"');
  const found =
    /^compilationTarget"\s{0,8}:\s{0,8}\{\s{0,8}"([^"]{1,512})"\s{0,8}:\s{0,8}"([^"]{1,128})"/.exec(piece);
  return found?.[1] && found[2] ? [found[1], found[2]] : undefined;
}

function targetOfObject(text: string, at: number): ArtifactParts['target'] {
  for (const settings of membersOf(text, at)) {
    if (settings.name !== 'settings' || !isObjectAt(text, settings.from)) continue;
    for (const target of membersOf(text, settings.from)) {
      if (target.name !== 'compilationTarget' || !isObjectAt(text, target.from)) continue;
      for (const { name, from, to } of membersOf(text, target.from)) {
        const contract = parseSpan(text, { from, to });
        return typeof contract === 'string' ? [name, contract] : undefined;
      }
    }
  }
  return undefined;
}

function astPathOf(text: string, at: number): unknown {
  if (!isObjectAt(text, at)) return undefined;
  for (const { name, from, to } of membersOf(text, at)) {
    if (name === 'absolutePath') return parseSpan(text, { from, to });
  }
  return undefined;
}
