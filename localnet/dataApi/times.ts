/** With nanoseconds, as the service writes the time of an answer. */
export function nanoseconds(time: Date): string {
  return time.toISOString().replace('Z', '000000Z');
}

/** In whole seconds, as the service writes the time of a block. */
export function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z/, 'Z');
}
