import { extensions } from 'vscode';
import { measureFirstUse } from './firstUse.ts';
import { measureHover } from './hover.ts';
import { measureInSource } from './inSource.ts';
import type { ActivationTimes, HostMeasures } from './measures.ts';
import { measurePlaces } from './places.ts';

/** Small, and asleep until a window has been open for a while. */
const PEER = 'vscode.merge-conflict';

/** Runs inside an extension host: measures the extension there and writes what it found to the console. */
export async function run(): Promise<void> {
  const {
    CHAINSIDE_REPORT_MARK = '',
    CHAINSIDE_BENCH_RPC = '',
    CHAINSIDE_BENCH_CONTRACTS = '',
  } = process.env;
  const activation = await activate('chainside.chainside');
  const peer = await activate(PEER);
  const firstUse = await measureFirstUse();
  const hover = await measureHover(CHAINSIDE_BENCH_RPC);
  const inSource = await measureInSource();
  const places = await measurePlaces(CHAINSIDE_BENCH_CONTRACTS);
  const measures: HostMeasures = { activation, peer, firstUse, hover, inSource, places };
  console.log(CHAINSIDE_REPORT_MARK + JSON.stringify(measures));
}

/** Where VS Code keeps the marks that it sets when it activates an extension. */
interface VsCodeMarks {
  readonly MonacoPerformanceMarks: {
    getMarks(): readonly { readonly name: string; readonly startTime: number }[];
  };
}

async function activate(id: string): Promise<ActivationTimes> {
  await extensions.getExtension(id)?.activate();
  const marks = (globalThis as unknown as VsCodeMarks).MonacoPerformanceMarks.getMarks();
  const at = (what: string) => {
    const mark = marks.find(({ name }) => name === `code/extHost/${what}/${id}`);
    if (!mark) throw new Error(`VS Code has set no mark ${what} for ${id}.`);
    return mark.startTime;
  };
  return {
    load: at('didLoadExtensionCode') - at('willLoadExtensionCode'),
    activate: at('didActivateExtension') - at('willActivateExtension'),
  };
}
