const NEWLINE = 0x0a;

/** One past the white space and the comments that begin at `at`. */
export function skipBlank(text: string, at: number): number {
  let next = at;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff) next++;
    else if (code === 0x2f && isComment(text, next)) next = skipComment(text, next);
    else return next;
  }
}

export function isComment(text: string, at: number): boolean {
  return text[at] === '/' && (text[at + 1] === '/' || text[at + 1] === '*');
}

export function skipComment(text: string, at: number): number {
  const line = text[at + 1] === '/';
  const end = line ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  if (end === -1) return text.length;
  return line ? end : end + 2;
}

export function isQuote(sign: string | undefined): boolean {
  return sign === "'" || sign === '"' || sign === '`';
}

/** One past the string or template that begins at `at`; a string ends with its line at the latest. */
export function skipQuoted(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  const isTemplate = text[at] === '`';
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 0x5c) next++;
    else if (code === quote) return next + 1;
    else if (code === NEWLINE && !isTemplate) return next;
  }
  return text.length;
}

/**
 * Where the expression that begins at `at` ends: before a comma, a semicolon or a bracket that closes what is around it.
 * `angles` are counted where it is a type: `Record<string, Address>`.
 */
export function skipExpression(text: string, at: number, angles = false): number {
  let depth = 0;
  let open = 0;
  let next = at;
  while (next < text.length) {
    const sign = text[next];
    if (isQuote(sign)) {
      next = skipQuoted(text, next);
      continue;
    }
    if (isComment(text, next)) {
      next = skipComment(text, next);
      continue;
    }
    if (sign === '(' || sign === '[' || sign === '{') depth++;
    else if (sign === ')' || sign === ']' || sign === '}') {
      if (depth-- === 0) return next;
    } else if (depth === 0) {
      if (angles && sign === '<') open++;
      else if (angles && sign === '>') open = Math.max(0, open - 1);
      else if ((sign === ',' && open === 0) || sign === ';') return next;
    }
    next++;
  }
  return next;
}
