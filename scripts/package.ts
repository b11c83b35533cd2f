import { runScript } from './support/script.ts';
import { packageExtension } from './support/vsix.ts';

await runScript(async () => {
  console.log(await packageExtension());
  return 0;
});
