import { runScript } from '../script.ts';
import { publishServer } from './mcpServer.ts';

/** `FILE`: publishes the entry of the MCP registry in it. */
await runScript(async () => {
  const [, , file] = process.argv;
  if (file === undefined) throw new Error('Write the path of server.json.');
  const result = await publishServer(file, { env: process.env });
  console.log(result === 'known' ? 'An earlier run has published this version.' : 'Published.');
  return 0;
});
