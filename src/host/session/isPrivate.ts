/** Whether what is sent to `url` cannot be read on the way: it is encrypted, or does not leave this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
