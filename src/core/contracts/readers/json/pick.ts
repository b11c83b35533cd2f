import { parseSpan } from './parse.ts';
import { membersOf } from './scan.ts';

/**
 * The members `names` of the object that begins at `from`, parsed; all others are passed over. Of a name that stands twice the
 * last counts, as in `JSON.parse`.
 *
 * @throws AppError `badInput` for what is no JSON object.
 */
export function pick<const Name extends string>(
  text: string,
  from: number,
  names: readonly Name[],
): { readonly [Each in Name]?: unknown } {
  const picked: { [Each in Name]?: unknown } = {};
  for (const member of membersOf(text, from)) {
    const name = names.find((one) => one === member.name);
    if (name !== undefined) picked[name] = parseSpan(text, member);
  }
  return picked;
}
