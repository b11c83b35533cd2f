const { process } = globalThis as {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
};

/** A variable of the environment that the editor was started in; undefined where there is none. */
export function environmentVariable(name: string): string | undefined {
  return process?.env?.[name];
}
