/** Characters before an address that are looked at: a declaration is shorter. */
const NEAR = 240;
const LONGEST_NAME = 64;

/** Code in which a name that is declared on the line of an address is a name for it. */
const CODE = /\.(?:sol|vy|yul|huff|[mc]?[jt]s|[jt]sx|py|rs|go)$/i;

/** What may stand between the sign after a name and the address: casts, `new`, a quotation mark. */
const CASTS = /^[\s('"`]*$/;
const WORD = /[A-Za-z_$][\w$]*/g;
/** Words that say that what they declare stays as it is. */
const CONSTANT = /\b(?:constant|immutable|const|final|static)\b/;
const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#)/;

/** What stands before `offset` on its line, as far as it is looked at: the line may be the whole of a file. */
export function lineBefore(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - NEAR), offset);
  return near.slice(near.lastIndexOf('\n') + 1);
}

/** Whether names that are declared in a file of this name are names for addresses. */
export function holdsConstants(path: string): boolean {
  return CODE.test(path);
}

/**
 * The name of the constant that is declared with the address at `offset`, on the same line: `address constant TREASURY =
 * 0x…`, `TREASURY: constant(address) = 0x…`, `const treasury = '0x…'`, `USDC: '0x…'`. Of what may change only a name in
 * upper case counts: `from: '0x…'` names a part in a call, not an address.
 */
export function constantNameAt(text: string, offset: number): string | undefined {
  const before = lineBefore(text, offset);
  if (COMMENT.test(before)) return undefined;
  const equals = before.lastIndexOf('=');
  const colon = before.lastIndexOf(':');
  const sign = Math.max(equals, colon);
  if (sign < 0 || /[=!<>]/.test(before[sign - 1] ?? '')) return undefined;
  if (!CASTS.test(withoutCasts(before.slice(sign + 1)))) return undefined;
  const name = declaredName(before.slice(0, sign), sign === equals);
  return name !== undefined && name.length <= LONGEST_NAME ? name : undefined;
}

/** `IERC20(` and `payable(` without their names. */
function withoutCasts(text: string): string {
  return text.replace(/[A-Za-z_$][\w$.]{0,80}\(/g, '(');
}

function declaredName(declaration: string, assigned: boolean): string | undefined {
  // What is declared last on the line: `{ FROM: '0x…', TO: '0x…' }`, `a = 1; b = 2`.
  const part = declaration.slice(
    Math.max(...[',', ';', '{', '('].map((sign) => opened(declaration, sign))) + 1,
  );
  const typed = assigned ? part.indexOf(':') : -1;
  const named = typed < 0 ? part : part.slice(0, typed);
  const name = named.match(WORD)?.at(-1);
  if (name === undefined) return undefined;
  return UPPER_CASE.test(name) && name.length > 1 ? name : CONSTANT.test(declaration) ? name : undefined;
}

/** The last place of `sign`, but for a parenthesis that is closed again: `constant(address)`. */
function opened(text: string, sign: string): number {
  const at = text.lastIndexOf(sign);
  return sign === '(' && at >= 0 && text.includes(')', at) ? -1 : at;
}
