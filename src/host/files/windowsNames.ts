const FORBIDDEN = /[<>:"|?*\p{Cc}]|[. ]$/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Whether Windows takes `name` for something other than a file of that name: a device, a stream of another file, the
 * name without its last dot.
 */
export function isRefusedByWindows(name: string): boolean {
  return FORBIDDEN.test(name) || DEVICE.test(name);
}
