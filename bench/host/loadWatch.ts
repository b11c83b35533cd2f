import { Module } from 'node:module';

interface Loading {
  load(this: unknown, file: string): unknown;
}

/** Milliseconds that reading, compiling and running files of `folder` has taken since the watch began. */
export function watchLoading(folder: string): () => number {
  const prototype = Module.prototype as unknown as Loading;
  const { load } = prototype;
  let depth = 0;
  let spent = 0;
  prototype.load = function timedLoad(file) {
    const started = performance.now();
    depth++;
    try {
      return load.call(this, file);
    } finally {
      depth--;
      // One that another loads is in the time of that.
      if (depth === 0 && file.startsWith(folder)) spent += performance.now() - started;
    }
  };
  return () => spent;
}
