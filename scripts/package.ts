import { packageCli, packageExtension } from './support/packages.ts';
import { runScript } from './support/script.ts';

/** Packs what ships: the extension as a VSIX, and the command line as an npm package. */
await runScript(async () => {
  console.log(await packageExtension());
  console.log(await packageCli());
  return 0;
});
