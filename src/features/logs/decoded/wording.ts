import {
  type AbiEvent,
  type AbiType,
  type AbiValue,
  type Address,
  formatAbiValue,
  formatAmount,
  formatShortAddress,
  isAmount,
  isHashed,
  type Log,
  type TokenUnits,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';

/** What values are worded with, on the chain of the answer. */
export interface Wording {
  readonly l10n: Localizer;
  nameOf(address: Address): string | undefined;
  unitsOf(contract: Address): TokenUnits | undefined;
  /** When the block of a log was made; in ISO 8601 to copy; why that is not known, where it cannot be. */
  timeOf(log: Log): (Worded & { readonly iso: string }) | { readonly text: ''; readonly exact?: string };
}

/** A value in words, and the whole of it where the words are only a name of it or shorter. */
export interface Worded {
  readonly text: string;
  readonly exact?: string;
}

/** An address by its name, or in short. */
export function wordAddress(address: Address, { nameOf }: Pick<Wording, 'nameOf'>): Worded {
  const whole = toChecksumAddress(address);
  const name = nameOf(address);
  return name === undefined
    ? { text: formatShortAddress(whole), exact: whole }
    : { text: name, exact: `${name} ${whole}` };
}

/** An argument of an event, as it stands in a cell. */
export function wordArgument(
  { event, index, value }: { readonly event: AbiEvent; readonly index: number; readonly value: AbiValue },
  contract: Address,
  wording: Wording,
): Worded {
  const parameter = event.inputs[index];
  if (!parameter) return { text: '' };
  if (isHashed(parameter)) return { text: wording.l10n.t('hash {0}', String(value)) };
  const { type } = parameter;
  if (type.kind === 'address') return wordAddress(value as Address, wording);
  const units = isAmount(event, index) ? wording.unitsOf(contract) : undefined;
  if (units && typeof value === 'bigint') {
    return { text: wordAmount({ event, value }, units, wording.l10n), exact: String(value) };
  }
  return { text: wordValue(type, value, wording) };
}

/** An amount in units. The greatest of an approval means that there is no limit. */
export function wordAmount(
  { event, value }: { readonly event: AbiEvent; readonly value: bigint },
  units: TokenUnits,
  l10n: Localizer,
): string {
  if (event.name !== 'Approval' || value !== GREATEST) return formatAmount(value, units);
  return l10n.t('unlimited {0}', units.symbol ?? '').trim();
}

/** A value in words, whatever it is of. */
export function wordValue(type: AbiType, value: AbiValue, wording: Pick<Wording, 'nameOf'>): string {
  return formatAbiValue(type, value, { address: (address) => wordAddress(address, wording).text });
}

/** A value as it is copied: integers by their digits alone, addresses in checksum form. */
export function exactValue(type: AbiType, value: AbiValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (type.kind === 'address') return toChecksumAddress(value as Address);
  if (type.kind === 'string') return String(value);
  return formatAbiValue(type, value, { address: toChecksumAddress, most: MOST_COPIED });
}

const GREATEST = 2n ** 256n - 1n;
/** More than anybody reads of one value. */
const MOST_COPIED = 1_000_000;
