import { extensions } from 'vscode';
import type { ActivationMeasures, ActivationTimes } from './measures.ts';

/** An extension of VS Code itself. It is small, and asleep until a window has been open for a while. */
const PEER = 'vscode.merge-conflict';

/** Runs inside an extension host: activates the extension and the peer, and writes their times to the console. */
export async function run(): Promise<void> {
  const { CHAINSIDE_REPORT_MARK = '' } = process.env;
  console.log(CHAINSIDE_REPORT_MARK + JSON.stringify(await measureActivation()));
}

export async function measureActivation(): Promise<ActivationMeasures> {
  return { activation: await activate('chainside.chainside'), peer: await activate(PEER) };
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
