// The one way into every script. Runs on Node 20.19 with nothing installed:
// installs the lockfile when it changed, then hands over to the Node that the project pins.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name, ...args] = process.argv.slice(2);

/** npm, run by the Node that runs this file, so that no shell is needed on any system. */
async function npm(npmArgs) {
  const cli = process.env.npm_execpath;
  const [command, prefix] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const child = spawn(command, [...prefix, ...npmArgs], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  });
  const code = await new Promise((resolve) => child.on('error', resolve).on('exit', resolve));
  if (code !== 0) {
    console.error(`npm ${npmArgs.join(' ')} failed. Mend what it says above and run the command again.`);
    process.exit(1);
  }
}

async function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.chainside-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // Not on stdout, which is the headless runner's.
  console.error('Installing packages …');
  const started = Date.now();
  const timer = setInterval(() => {
    console.error(`  … still: Installing packages (${Math.round((Date.now() - started) / 1000)} s)`);
  }, 5000);
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  clearInterval(timer);
  writeFileSync(stamp, wanted);
}

/** Path of a Node 24: this one, or the one that the lockfile brings for this system. */
function pinnedNode() {
  if (Number(process.versions.node.split('.')[0]) === 24) return process.execPath;
  const [system, file] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node'];
  for (const prefix of ['node', 'node-bin']) {
    const packaged = join(root, 'node_modules', `${prefix}-${system}-${process.arch}`, 'bin', file);
    if (existsSync(packaged)) return packaged;
  }
  console.error(
    `The scripts run on Node 24, and the lockfile has none for ${system} ${process.arch}. Install Node 24.`,
  );
  process.exit(1);
}

await installDependencies();
const script = name === 'headless' ? join(root, 'src/cli/main.ts') : join(root, 'scripts', `${name}.ts`);
const flags = ['--disable-warning=ExperimentalWarning'];
// Tests make much that is thrown away at once: with more room for it, less time goes into collecting it.
if (name.startsWith('test')) flags.push('--max-semi-space-size=64');
const child = spawn(pinnedNode(), [...flags, script, ...args], {
  cwd: name === 'headless' ? process.cwd() : root,
  stdio: 'inherit',
  // Half of a short run would be the reading of its own sources.
  env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') },
});
// Ctrl-C reaches the child through the terminal; a signal sent to this process alone is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!process.stdin.isTTY || signal !== 'SIGINT') child.kill(signal);
  });
}
// npm ends without passing a signal on to what it has started. Its end is the only sign.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  watch.unref();
}
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
