import { packageCli } from './support/npmPackage.ts';
import { runScript } from './support/script.ts';
import { packageExtension } from './support/vsix.ts';

/** Packs what ships: the extension as a VSIX, and the command line as an npm package. */
await runScript(async () => {
  console.log(await packageExtension());
  console.log(await packageCli());
  return 0;
});
