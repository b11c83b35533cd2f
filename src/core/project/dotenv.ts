/**
 * Reads the variables of a `.env` file as forge and dotenv do: `NAME=value`, with or without `export`, quotes and
 * comments. In values without single quotes, `$NAME` and `${NAME}` stand for other variables. The first of two lines
 * with the same name counts.
 *
 * @param variable the value of a variable of the environment, which comes before those of the file.
 * @example parseDotenv('KEY=abc # of the team\nURL="https://rpc.example/${KEY}"', () => undefined).get('URL')
 * // 'https://rpc.example/abc'
 */
export function parseDotenv(
  text: string,
  variable: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const expand = (value: string) =>
    value.replace(REFERENCE, (_, inBraces?: string, bare?: string) => {
      const name = inBraces ?? bare ?? '';
      return variable(name) ?? values.get(name) ?? '';
    });
  for (const [, name = '', single, double, plain = ''] of text.matchAll(ASSIGNMENT)) {
    if (!values.has(name)) values.set(name, single ?? expand(double ?? plain.replace(COMMENT, '').trim()));
  }
  return values;
}

/** A name, and its value in single quotes, in double quotes, or plain. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|([^\n]*))/gm;
const REFERENCE = /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;
const COMMENT = /(?:^|\s)#.*$/;
