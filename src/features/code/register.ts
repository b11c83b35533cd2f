import type { CodeVerdicts, CodeVerdictsDeps } from '../../host/code/codeVerdicts.ts';
import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import type { CompareDeps } from './compareCode.ts';

/** Whether deployed code is that of the workspace. */
export interface CodeFeature extends LazyFeature {
  /** Loaded on first use. */
  readonly verdicts: () => Promise<CodeVerdicts>;
}

/**
 * Registers *Compare with Deployed Code…* and what lenses, rows and hovers say of deployed code. Its code is loaded on
 * first use. Only the command makes requests; by themselves, lenses and rows do on a development chain of this machine.
 */
export function registerCode(
  deps: Omit<CompareDeps, 'verdicts'> & Pick<CodeVerdictsDeps, 'clock' | 'head'>,
): CodeFeature {
  const disposables = new Disposables();
  const verdicts = lazyPart(async () => {
    const { createCodeVerdicts } = await import('../../host/code/codeVerdicts.ts');
    return disposables.add(createCodeVerdicts(deps));
  });
  const load = lazyPart(async () => {
    const [{ openCodeComparison }, found] = await Promise.all([import('./compareCode.ts'), verdicts()]);
    return disposables.add(openCodeComparison({ ...deps, verdicts: found }));
  });
  return { load, verdicts, dispose: () => disposables.dispose() };
}
