import { createMessage, formatMessage, type Message } from '../base/text.ts';
import { logProofToJson } from '../logs/proof/logProof.ts';
import type { ComparedRows, StateRow, StateVerdict } from './contractState.ts';

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
export function stateVerdictToJson(verdict: StateVerdict) {
  const { state, confirmed, compared, proof, reasons, restsOn, details, block, blockHash } = verdict;
  return {
    schema: 2,
    state,
    confirmed,
    compared: comparedRowsToJson(compared),
    ...(proof && { proof: logProofToJson(proof) }),
    reasons: reasons.map(formatMessage),
    restsOn: restsOn.map(formatMessage),
    ...(details && { details: details.map(formatMessage) }),
    block: block.toString(),
    blockHash: blockHash ?? null,
  };
}

/**
 * @example comparedRowsToJson({ equal: 2, compared: 2, of: 2, totalSupply: true })
 * // { rows: 2, equal: 2, of: 2, totalSupply: true }
 */
export function comparedRowsToJson({ equal, compared, of, totalSupply }: ComparedRows) {
  return { rows: compared, equal, of, totalSupply: totalSupply ?? null };
}

/**
 * How far rows agree with calls, and what that leaves open, in one sentence.
 *
 * @example formatMessage(describeConfirmation(verdict)); // such as: 3 of 3 rows confirmed
 */
export function describeConfirmation({ compared, isClosed, proof }: StateVerdict): Message {
  const { equal, of, totalSupply } = compared;
  const template =
    proof?.level === 'proven'
      ? '{0} of {1} rows confirmed; the logs are proven.'
      : isClosed
        ? '{0} of {1} rows confirmed; the total supply is equal.'
        : totalSupply === false
          ? '{0} of {1} rows confirmed; the total supply differs.'
          : '{0} of {1} rows confirmed; that there are no others rests on the endpoint.';
  return createMessage(template, equal, of);
}
