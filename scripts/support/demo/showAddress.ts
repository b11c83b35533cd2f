import { spawn } from 'node:child_process';

/** Opens an address in the browser of the person at this machine; does nothing where there is no display. */
export function showAddress(address: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (DISPLAY === undefined && WAYLAND_DISPLAY === undefined) return;
  const opener = spawn('xdg-open', [address], { stdio: 'ignore', detached: true });
  opener.once('error', () => console.log('No browser could be opened; open the address yourself.'));
  opener.unref();
}
