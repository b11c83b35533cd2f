import { measureActivation } from './activation.ts';
import { measureFirstUse } from './firstUse.ts';
import { measureHover } from './hover.ts';
import { measureInSource } from './inSource.ts';
import type { HostMeasures } from './measures.ts';
import { measurePlaces } from './places.ts';

/** Runs inside an extension host: measures the extension there and writes what it found to the console. */
export async function run(): Promise<void> {
  const {
    CHAINSIDE_REPORT_MARK = '',
    CHAINSIDE_BENCH_RPC = '',
    CHAINSIDE_BENCH_CONTRACTS = '',
  } = process.env;
  const activation = await measureActivation();
  const firstUse = await measureFirstUse();
  const hover = await measureHover(CHAINSIDE_BENCH_RPC);
  const inSource = await measureInSource();
  const places = await measurePlaces(CHAINSIDE_BENCH_CONTRACTS);
  const measures: HostMeasures = { ...activation, firstUse, hover, inSource, places };
  console.log(CHAINSIDE_REPORT_MARK + JSON.stringify(measures));
}
