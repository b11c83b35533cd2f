import type { Address } from '../../values/address.ts';
import type { Hex } from '../../values/hex.ts';
import { forwardedIn, runsOtherCode } from './byteCode.ts';
import type { ProxyType } from './proxy.ts';

/**
 * What the runtime code of a proxy says by its form: the implementation itself, or where it is kept. `masterCopy` is
 * the first slot, `ownAddress` the slot with the number of the proxy's address, `resolver` a registry that is asked by
 * name.
 */
export type CodePattern =
  | { readonly type: ProxyType; readonly implementation: Address }
  | {
      readonly type: ProxyType;
      readonly keptIn: 'eip1967' | 'beacon' | 'masterCopy' | 'ownAddress' | 'resolver';
    };

/** EIP-7702: an account that runs the code at an address. */
const DELEGATED = /^0xef0100([0-9a-f]{40})$/;
/** EIP-1167 as it stands there, and as Solady makes it: with nothing behind, or with arguments. */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4(?:3d82803e903d91602b|3d3d93803e602a)57fd5bf3/;
/** EIP-1167 for an address that begins with zeros, which a shorter PUSH leaves out. */
const SHORTENED_CLONE = /^0x363d3d373d3d3d363d[67][0-9a-f]{3,39}5af43d82803e903d91602[0-9a-f]57fd5bf3$/;
const SHORT_CLONE = /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3$/;
/** With PUSH0: ERC-7511, and as Solady makes it. */
const PUSH0_CLONE =
  /^0x(?:365f5f375f5f365f|5f5f365f5f37365f)73([0-9a-f]{40})5af43d5f5f3e(?:5f3d91602a57fd5bf3|6029573d5ffd5b3d5ff3)$/;
/** Clones with immutable arguments, as wighawag makes them. */
const ARGUMENTS_CLONE = /^0x3d3d3d3d363d3d3761[0-9a-f]{4}603736393661[0-9a-f]{4}013d73([0-9a-f]{40})/;
/** The same as Solady made them first, which log what is sent without data. */
const LOGGING_CLONE =
  /^0x36602c57343d527f[0-9a-f]{64}593da1005b363d3d373d3d3d3d61[0-9a-f]{4}806062363936013d73([0-9a-f]{40})5af4/;

/**
 * ERC-7760 in its forms, transparent (an address of 20 or of 14 bytes), UUPS and by a beacon: written by hand, no solc.
 */
const HANDMADE = /^0x(?:363d3d37|36581460|3d3d3373|3d3d336d)/;
const HANDMADE_DIGITS = 2 + 2 * 200;
const PUSH_EIP1967 = '7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const PUSH_BEACON = '7fa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';

/** Safe's proxies from 1.0.0 to 1.5.0: short, they read the first slot and, from 1.1.1, answer `masterCopy()` alone. */
const LONGEST_SAFE = 2 + 2 * 512;
const FIRST_SAFE = /^0x608060405273f{40}60005416366000803760008036/;
const READS_FIRST_SLOT = '600054';
const MASTER_COPY = 'a619486e';

/** Sequence's wallets. */
const SEQUENCE = '0x363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3';

/** Optimism's ResolvedDelegateProxy asks its registry by `getAddress(string)`. */
const LONGEST_RESOLVED = 2 + 2 * 2048;
const GET_ADDRESS = 'bf40fac1';

/**
 * What the form of runtime code says; undefined where it has none of a proxy.
 *
 * @param code in lower case.
 * @example
 * codePatternOf('0xef01005fbdb2315678afecb367f032d93f642f64180aa3')
 * // { type: 'eip7702', implementation: '0x5fbdb2315678afecb367f032d93f642f64180aa3' }
 */
export function codePatternOf(code: Hex): CodePattern | undefined {
  return cloneIn(code) ?? keptPatternOf(code);
}

function cloneIn(code: Hex): CodePattern | undefined {
  const delegated = named('eip7702', DELEGATED.exec(code));
  if (delegated) return delegated;
  const clone = CLONE.exec(code);
  const [whole] = clone ?? [];
  const forwarded = forwardedIn(code);
  return (
    named(whole?.length === code.length ? 'eip1167' : 'clone_with_immutable_arguments', clone) ??
    named('eip1167', SHORT_CLONE.exec(code) ?? PUSH0_CLONE.exec(code)) ??
    named('clone_with_immutable_arguments', ARGUMENTS_CLONE.exec(code) ?? LOGGING_CLONE.exec(code)) ??
    (forwarded && {
      type: SHORTENED_CLONE.test(code) ? 'eip1167' : 'minimal_proxy',
      implementation: forwarded,
    })
  );
}

function named(type: ProxyType, found: RegExpExecArray | null): CodePattern | undefined {
  return found?.[1] === undefined ? undefined : { type, implementation: `0x${found[1]}` };
}

function keptPatternOf(code: Hex): CodePattern | undefined {
  if (code === SEQUENCE) return { type: 'sequence_wallet', keptIn: 'ownAddress' };
  if (HANDMADE.test(code)) {
    const head = code.slice(0, HANDMADE_DIGITS);
    if (head.includes(PUSH_EIP1967)) return { type: 'erc7760', keptIn: 'eip1967' };
    if (head.includes(PUSH_BEACON)) return { type: 'erc7760', keptIn: 'beacon' };
  }
  if (code.length <= LONGEST_SAFE && isSafe(code)) return { type: 'master_copy', keptIn: 'masterCopy' };
  if (code.length <= LONGEST_RESOLVED && code.includes(GET_ADDRESS) && runsOtherCode(code)) {
    return { type: 'resolved_delegate_proxy', keptIn: 'resolver' };
  }
  return undefined;
}

function isSafe(code: Hex): boolean {
  if (FIRST_SAFE.test(code)) return true;
  return code.includes(READS_FIRST_SLOT) && code.includes(MASTER_COPY) && runsOtherCode(code);
}
