/** Bytes of heap and array buffers after a collection, in a process that runs with --expose-gc. */
export async function memoryHeld(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('Run it with --expose-gc.');
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
