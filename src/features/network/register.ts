import { type LazyFeature, lazyPart } from '../../host/commands.ts';
import { Disposables } from '../../host/disposables.ts';
import { registerCompletions } from '../../host/ui/languageFeatures.ts';
import type { EtherscanKeyDeps } from './etherscanKey.ts';

/** Registers the commands on networks and keys, and the IDs of networks in settings. The commands are loaded on first use. */
export function registerNetwork(deps: EtherscanKeyDeps): LazyFeature {
  const disposables = new Disposables();
  disposables.add(
    registerCompletions(
      ['**/settings.json', '**/*.code-workspace'].map((pattern) => ({ language: 'jsonc', pattern })),
      async (document, position) =>
        (await import('./settingCompletion.ts')).completeNetworkId(deps, document, position),
      ['"'],
    ),
  );
  const commands = lazyPart(async () => {
    const { registerNetworkCommands } = await import('./networkCommands.ts');
    return disposables.add(registerNetworkCommands(deps));
  });
  return { load: commands, dispose: () => disposables.dispose() };
}
