import { startProcess, stopProcess } from './childProcess.ts';

/** Keeps so many cores busy for as long as `resources` are held, as other programs on the machine do. */
export function keepBusy(cores: number, resources: AsyncDisposableStack): void {
  for (let core = 0; core < cores; core++) {
    const loop = startProcess(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
    resources.defer(() => stopProcess(loop));
  }
}
