/** An English template and its values, so that an editor can translate it. `{0}` stands for `args[0]`. */
export interface Message {
  readonly template: string;
  readonly args: readonly MessageArg[];
}

type MessageArg = string | number | Message;

export function createMessage(template: string, ...args: readonly MessageArg[]): Message {
  return { template, args };
}

/**
 * A message in English.
 *
 * @example formatMessage(createMessage('Block {0} is missing.', 7)) // 'Block 7 is missing.'
 */
export function formatMessage({ template, args }: Message): string {
  return template.replace(/\{(\d)\}/g, (placeholder, index) => {
    const arg = args[Number(index)];
    if (arg === undefined) return placeholder;
    return typeof arg === 'object' ? formatMessage(arg) : String(arg);
  });
}
