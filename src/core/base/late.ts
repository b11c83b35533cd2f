/**
 * What `make` makes, usually out of a module that it imports: made when it is first asked for, and one for all who ask.
 * Nothing is kept of a failure, as the next try may work: everyone who waited gets it, and the next to ask tries again.
 *
 * @example
 * const parquet = late(() => import('./parquet.ts'));
 * const { encodeParquet } = await parquet();
 */
export function late<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
