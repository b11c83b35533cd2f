export type PlainRecord = Readonly<Record<string, unknown>>;

/** `value` if it is an object with members, else one without. */
export function asRecord(value: unknown): PlainRecord {
  return isRecord(value) ? value : {};
}

/**
 * Whether a value is an object with members, not a list.
 *
 * @example isRecord([]) // false
 */
export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
