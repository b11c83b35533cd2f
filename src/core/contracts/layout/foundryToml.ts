import { parse, TomlError } from 'smol-toml';
import { badInput } from '../../base/errors.ts';
import { parseAddress } from '../../values/address.ts';
import { plainText } from '../../values/plainText.ts';
import type { LabelFacts } from '../facts.ts';

export type TomlTable = Readonly<Record<string, unknown>>;

/** Characters. The largest real one is a few kilobytes; the parser may take a time that grows with the text. */
const LONGEST_TOML = 256 * 1_024;
/** Of arrays and inline tables in one another; real ones have two. */
const DEEPEST_TOML = 32;
/** Real projects have up to twenty. */
const MOST_PROFILES = 100;
/** Of one list: libraries, remappings. */
const MOST_TEXTS = 1_000;
/** A file of 256 KiB has no more than 5,000. */
const MOST_LABELS = 5_000;
const LONGEST_LABEL = 128;

/**
 * A `foundry.toml` as plain data.
 *
 * @throws AppError `badInput` for text that is no TOML, with the line at fault.
 */
export function parseFoundryToml(text: string): TomlTable {
  if (text.length > LONGEST_TOML) throw badInput('foundry.toml', 'It is larger than 256 KiB.');
  try {
    return parse(text, { integersAsBigInt: 'asNeeded', maxDepth: DEEPEST_TOML, unsafeKeyBehaviour: 'drop' });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw badInput('foundry.toml', 'It is not valid TOML.');
    const [reason = ''] = cause.message.split('\n');
    throw badInput('foundry.toml', `Line ${cause.line}: ${plainText(reason, 200)}`);
  }
}

/** The profile that the others build on: `[profile.default]`, or `[default]` as Foundry took it before 2022. */
export function defaultProfileOf(toml: TomlTable): TomlTable {
  return { ...asTable(toml.default), ...asTable(asTable(toml.profile).default) };
}

/** All profiles, the default one first. */
export function profilesOf(toml: TomlTable): readonly TomlTable[] {
  const { default: _, ...others } = asTable(toml.profile);
  return [defaultProfileOf(toml), ...Object.values(others).slice(0, MOST_PROFILES).map(asTable)];
}

/**
 * The names that a `foundry.toml` gives to addresses: `[tracing.labels]`, and `[labels]` of older releases, at the top and in
 * each profile; the address is the key. https://github.com/foundry-rs/foundry/tree/master/crates/config
 */
export function labelsOf(toml: TomlTable): readonly LabelFacts[] {
  const found = new Map<string, LabelFacts>();
  for (const holder of [toml, ...profilesOf(toml)]) {
    for (const table of [asTable(holder.labels), asTable(asTable(holder.tracing).labels)]) {
      for (const [key, value] of Object.entries(table)) {
        const address = parseAddress(key);
        const name = typeof value === 'string' ? plainText(value, LONGEST_LABEL) : '';
        if (address && name && found.size < MOST_LABELS) {
          found.set(`${address} ${name}`, { address, name, chainId: undefined });
        }
      }
    }
  }
  return [...found.values()];
}

/** Texts of a setting that is one text or a list of them. */
export function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((text) => typeof text === 'string').slice(0, MOST_TEXTS);
}

function asTable(value: unknown): TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as TomlTable) : {};
}
