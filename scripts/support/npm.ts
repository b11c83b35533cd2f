import { run } from './childProcess.ts';

/** Runs npm in `folder` and returns its output. Install scripts of packages never run. */
export function npm(args: readonly string[], folder: string): Promise<string> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return run(process.execPath, [cli, ...args, ...quiet], { cwd: folder });
  return run('npm', [...args, ...quiet], { cwd: folder, shell: process.platform === 'win32' });
}
