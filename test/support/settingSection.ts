type Values = Record<string, unknown>;

/** What the editor has for `section`, such as `chainside`: its settings, nested at the dots of their names. */
export function readSection(settings: Readonly<Values>, section: string): unknown {
  if (section in settings) return settings[section];
  const start = `${section}.`;
  const written = Object.entries(settings).filter(
    ([id, value]) => id.startsWith(start) && value !== undefined,
  );
  if (written.length === 0) return undefined;
  const root: Values = {};
  for (const [id, value] of written) {
    const path = id.slice(start.length).split('.');
    const last = path.pop() ?? '';
    let parent = root;
    for (const name of path) {
      const child = (parent[name] ?? {}) as Values;
      parent[name] = child;
      parent = child;
    }
    parent[last] = value;
  }
  return root;
}
