import { processorMs } from './strain.ts';

/** Milliseconds that {@link work} takes where two cores have nothing else to do: 32 to 36 were measured. */
const REFERENCE_MS = 35;
const TRIES = 5;

/** How many times slower this machine is at the moment than one with nothing else to do; never less than 1. */
export function measureSlowness(): number {
  const times = Array.from({ length: TRIES }, timeOfWork);
  return Math.max(1, Math.min(...times) / REFERENCE_MS);
}

/** What attacks are made of: text that is written, read and taken apart. */
function work(): number {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    address: `0x${index.toString(16).padStart(40, '0')}`,
    topics: [index, index + 1],
  }));
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows;
  return read.reduce((sum, { address }) => sum + address.split('0').length, 0);
}

function timeOfWork(): number {
  const before = processorMs();
  work();
  return processorMs() - before;
}
