/** Gives the line of an index, from 1. Asked in rising order, so that all of the source is passed over once. */
export function createLineCounter(source: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    for (; at < offset; at++) {
      const code = source.charCodeAt(at);
      if (code === 0x0a || (code === 0x0d && source.charCodeAt(at + 1) !== 0x0a)) line++;
    }
    return line;
  };
}
