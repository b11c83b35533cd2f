import { formatMessage } from '../base/text.ts';
import type { StateRow, StateVerdict } from './contractState.ts';

/** A row as JSON; amounts and token IDs are decimal strings. */
export type StateRowJson = Readonly<Record<string, string>>;

/**
 * A row as the command line and agents have it.
 *
 * @example stateRowToJson({ kind: 'token', tokenId: 7n, owner: '0x00' }) // { tokenId: '7', owner: '0x00' }
 */
export function stateRowToJson(row: StateRow): StateRowJson {
  switch (row.kind) {
    case 'balance':
      return { holder: row.holder, balance: row.balance.toString() };
    case 'token':
      return { tokenId: row.tokenId.toString(), owner: row.owner };
    case 'tokenBalance':
      return { id: row.id.toString(), holder: row.holder, balance: row.balance.toString() };
    case 'role':
      return {
        role: row.role,
        ...(row.roleName !== undefined && { roleName: row.roleName }),
        member: row.member,
      };
    case 'allowance': {
      const { token, owner, spender, value, permit2Until } = row;
      return {
        ...{ token, owner, spender, value: value.toString() },
        ...(permit2Until !== undefined && { permit2Until: permit2Until.toString() }),
      };
    }
  }
}

/** A verdict as JSON. `totalSupply` is null where the contract has none; `details` is left out if there are none. */
export function stateVerdictToJson({
  state,
  proven,
  proof,
  reasons,
  details,
  block,
  blockHash,
}: StateVerdict) {
  const { equal, compared, of, totalSupply } = proof;
  return {
    state,
    proven,
    proof: {
      balances: `${equal} of ${of}`,
      ...(compared !== of && { compared }),
      totalSupply: totalSupply ?? null,
    },
    reasons: reasons.map(formatMessage),
    ...(details && { details: details.map(formatMessage) }),
    block: block.toString(),
    blockHash: blockHash ?? null,
  };
}
