import { findWordPreimage } from '../abi/explainHex.ts';
import type { AbiEvent } from '../abi/item.ts';
import type { AbiValue } from '../abi/type.ts';
import { type OwnText, ownWord } from '../base/ownText.ts';
import { createMessage, type Foreign, foreign, type Message } from '../base/text.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../eth/hex.ts';
import type { ExplainedTransaction } from './explainTransaction.ts';
import {
  formatId,
  formatParty,
  formatSymbol,
  formatTokenAmount,
  isTokenApproval,
  type SummaryNames,
} from './summaryText.ts';

/** Something that a transaction did besides moving assets, by a standard event. */
export interface Effect {
  /** `right`: who may do what; `first`: the first owner of a contract; `approval`: who may move assets of whom. */
  readonly kind: 'right' | 'first' | 'approval';
  readonly text: Message;
  /** Of an approval. */
  readonly token?: Address;
  readonly owner?: Address;
}

/** More are not read. */
const MAX_LOGS = 5_000;

/**
 * The rights and approvals that a transaction gave or took, in the order of its logs.
 *
 * @example listEffects(explained, names)[0]?.text.template; // '{0} granted {1} of {2} to {3}'
 */
export function listEffects(
  { transaction, logs }: Pick<ExplainedTransaction, 'logs' | 'transaction'>,
  names: SummaryNames,
): readonly Effect[] {
  return logs.slice(0, MAX_LOGS).flatMap((decoded, place): readonly Effect[] => {
    const contract = transaction.logs?.[place]?.address;
    if ('reason' in decoded || contract === undefined) return [];
    const { event, values } = decoded;
    const at = { event, values, contract, sender: transaction.from };
    return readRight(at, names) ?? readApproval(at, names) ?? [];
  });
}

interface StandardEvent {
  readonly event: AbiEvent;
  readonly values: readonly AbiValue[];
  readonly contract: Address;
  /** Of the transaction. */
  readonly sender: Address;
}

function readRight(
  { event, values, contract, sender }: StandardEvent,
  names: SummaryNames,
): readonly Effect[] | undefined {
  const [first, second] = values as readonly Address[];
  const party = (address: Address | undefined) => formatParty(address ?? ZERO_ADDRESS, names);
  const [by, at] = [party(sender), party(contract)];
  const right = (text: Message): readonly Effect[] => [{ kind: 'right', text }];
  switch (event.signature) {
    case 'Upgraded(address)':
    case 'ProxyUpdated(address,address)':
    case 'TargetUpdated(address)':
      return right(createMessage('{0} upgraded {1} to {2}', by, at, party(first)));
    case 'NewImplementation(address,address)':
      return right(createMessage('{0} upgraded {1} to {2}', by, at, party(second)));
    case 'BeaconUpgraded(address)':
      return right(createMessage('{0} set the beacon of {1} to {2}', by, at, party(first)));
    case 'DiamondCut((address,uint8,bytes4[])[],address,bytes)':
      return right(createMessage('{0} changed the functions of {1}', by, at));
    case 'AdminChanged(address,address)':
      return right(createMessage('{0} made {1} the admin of {2}', by, party(second), at));
    case 'OwnershipTransferStarted(address,address)':
      return right(createMessage('{0} offered the ownership of {1} to {2}', by, at, party(second)));
    case 'OwnershipTransferred(address,address)': {
      if (second === ZERO_ADDRESS) return right(createMessage('{0} gave up the ownership of {1}', by, at));
      const text = createMessage('{0} made {1} the owner of {2}', by, party(second), at);
      return [{ kind: first === ZERO_ADDRESS ? 'first' : 'right', text }];
    }
    case 'RoleGranted(bytes32,address,address)':
      return right(createMessage('{0} granted {1} of {2} to {3}', by, formatRole(first), at, party(second)));
    case 'RoleRevoked(bytes32,address,address)':
      return right(
        second === sender
          ? createMessage('{0} gave up {1} of {2}', by, formatRole(first), at)
          : createMessage('{0} revoked {1} of {2} from {3}', by, formatRole(first), at, party(second)),
      );
    case 'Paused(address)':
      return right(createMessage('{0} paused {1}', by, at));
    case 'Unpaused(address)':
      return right(createMessage('{0} unpaused {1}', by, at));
    default:
      return undefined;
  }
}

/** `MINTER_ROLE`, or the hash of a role that no list has. */
function formatRole(role: Hex = '0x'): Foreign | OwnText {
  if (BigInt(role) === 0n) return ownWord('DEFAULT_ADMIN_ROLE');
  const name = /^keccak256\("(.+)"\)$/.exec(findWordPreimage(role) ?? '')?.[1];
  return foreign(name ?? `role ${role.slice(0, 6)}…${role.slice(-4)}`);
}

/** Standard tokens never lower it. */
const UNLIMITED = 2n ** 256n - 1n;

function readApproval(
  { event, values, contract }: StandardEvent,
  names: SummaryNames,
): readonly Effect[] | undefined {
  const isOfAll = event.signature === 'ApprovalForAll(address,address,bool)';
  if (!isOfAll && event.signature !== 'Approval(address,address,uint256)') return undefined;
  const [owner = ZERO_ADDRESS, spender = ZERO_ADDRESS] = values as readonly Address[];
  const [by, to, at] = [formatParty(owner, names), formatParty(spender, names), formatParty(contract, names)];
  const [, , third] = values;
  const approval = (text: Message): readonly Effect[] => [{ kind: 'approval', text, token: contract, owner }];
  if (typeof third !== 'bigint') {
    return approval(
      third === true
        ? createMessage('{0} allowed {1} to transfer all tokens of {2}', by, to, at)
        : createMessage('{0} no longer allows {1} to transfer tokens of {2}', by, to, at),
    );
  }
  if (!isTokenApproval(event)) {
    const token = foreign(`${at.foreign} #${formatId(third)}`);
    return approval(
      spender === ZERO_ADDRESS
        ? createMessage('{0} no longer allows anyone to transfer {1}', by, token)
        : createMessage('{0} allowed {1} to transfer {2}', by, to, token),
    );
  }
  if (third === 0n) return approval(createMessage('{0} no longer allows {1} to spend {2}', by, to, at));
  const amount =
    third === UNLIMITED
      ? createMessage('unlimited {0}', foreign(formatSymbol(contract, names)))
      : formatTokenAmount(third, contract, names);
  return approval(createMessage('{0} allowed {1} to spend {2}', by, to, amount));
}
