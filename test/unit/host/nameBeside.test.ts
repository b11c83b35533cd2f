import assert from 'node:assert/strict';
import { findNameNear } from '../../../src/host/places/workspaceAddresses.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;

function nameIn(text: string): string | undefined {
  return findNameNear(text, text.indexOf('0x'), ADDRESS.length);
}

describe('the name beside an address', () => {
  for (const [text, name] of [
    [`  "treasury": "${ADDRESS}",`, 'treasury'],
    [`  "Fee Vault": ["${ADDRESS}",`, 'Fee Vault'],
    [`treasury = "${ADDRESS}"`, 'treasury'],
    [`TREASURY_ADDRESS=${ADDRESS}`, 'TREASURY_ADDRESS'],
    [`fee-vault: ${ADDRESS}`, 'fee-vault'],
    [`address treasury = payable(address(${ADDRESS}));`, 'treasury'],
    [`  weth: getAddress('${ADDRESS}'),`, 'weth'],
    [`  "${ADDRESS}": "Treasury",`, 'Treasury'],
    [`"${ADDRESS}" = "Treasury"`, 'Treasury'],
    [`Treasury,${ADDRESS},12`, 'Treasury'],
    [`| Treasury | ${ADDRESS} |`, 'Treasury'],
    [`  ${ADDRESS}, // the old vault`, 'the old vault'],
    [`- ${ADDRESS} # ops`, 'ops'],
    [`{\n  "Router": {\n    "chain": 1,\n    "address": "${ADDRESS}"\n  }\n}`, 'Router'],
    [`[contracts.router]\naddress = "${ADDRESS}"`, 'contracts.router'],
    [`router:\n  address: ${ADDRESS}`, 'router'],
    [`{ "address": "${ADDRESS}" }`, 'address'],
    [`  "a": {},\n  }\n  "address": "${ADDRESS}"`, 'address'],
    [`if (owner == ${ADDRESS}) {`, undefined],
    [`if (owner != address(${ADDRESS})) {`, undefined],
    [`call(${ADDRESS}, 12)`, undefined],
    [`1,${ADDRESS}`, undefined],
    [`"${'x'.repeat(65)}": "${ADDRESS}"`, undefined],
    [ADDRESS, undefined],
  ] as const) {
    it(`in ${JSON.stringify(text).slice(0, 70)}`, () => assert.equal(nameIn(text), name));
  }
});
