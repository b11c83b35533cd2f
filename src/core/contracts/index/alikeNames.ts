/** How address books call what stands before a contract, or behind it: its logs are those of the contract all the same. */
const PART = /(?:proxy|implementation|impl|address|contract)$/;

/** A name without what writers choose: `accounting_oracle`, `accountingOracle` and `AccountingOracle` are one. */
export function foldName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** What a contract may be called, folded, that an address book calls `name`: `vaultImpl` is of `vault`. The likeliest first. */
export function foldedNames(name: string): readonly string[] {
  const whole = foldName(name);
  const part = whole.replace(PART, '');
  return part === '' || part === whole ? [whole] : [whole, part];
}
