/** Made by the build: the chunks of the extension. */
declare module 'chainside:chunks' {
  /** The chunks that each chunk imports statically, by name. */
  export const imports: Readonly<Record<string, readonly string[]>>;
  /** The code of the chunks that the start runs, by name. */
  export const start: Readonly<
    Record<string, (module: { exports: object }, exports: object, require: (name: string) => object) => void>
  >;
}
