import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { getServerName } from '../build.ts';
import type { ReleaseManifest } from './versions.ts';

/** The registry of MCP servers, and the audience of tokens for it (its issue 1229: once `mcp-registry`). */
export const MCP_REGISTRY = 'https://registry.modelcontextprotocol.io';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const text = (maxChars: number) => z.string().check(z.minLength(1), z.maxLength(maxChars));
const httpsUrl = z.url({ protocol: /^https$/ });
const inputFields = {
  description: z.optional(z.string()),
  isRequired: z.optional(z.boolean()),
  isSecret: z.optional(z.boolean()),
  format: z.optional(z.enum(['string', 'number', 'boolean', 'filepath'])),
  value: z.optional(z.string()),
  placeholder: z.optional(z.string()),
};

/** What the schema of the registry says of the fields that {@link createServerJson} writes, and no field more. */
export const ServerJson = z.strictObject({
  $schema: z.literal(SCHEMA),
  name: text(200).check(z.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)),
  title: text(100),
  description: text(100),
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  websiteUrl: httpsUrl,
  repository: z.strictObject({ url: httpsUrl, source: z.literal('github') }),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        registryBaseUrl: z.literal('https://registry.npmjs.org'),
        identifier: text(214),
        version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(
          z.union([
            z.strictObject({ type: z.literal('positional'), ...inputFields, value: z.string() }),
            z.strictObject({
              type: z.literal('named'),
              name: z.string().check(z.regex(/^--[a-z-]+$/)),
              ...inputFields,
            }),
          ]),
        ),
        environmentVariables: z.array(
          z.strictObject({ name: z.string().check(z.regex(/^[A-Z_]+$/)), ...inputFields }),
        ),
      }),
    )
    .check(z.minLength(1)),
});
export type ServerJson = z.infer<typeof ServerJson>;

/** The entry of the MCP registry for the npm package of a version. @throws Error if the registry would refuse it. */
export function createServerJson(manifest: ReleaseManifest): ServerJson {
  const { name, version, repository } = manifest;
  const url = repository.url.replace(/\.git$/, '');
  return ServerJson.parse({
    $schema: SCHEMA,
    name: getServerName(manifest),
    title: 'Chainside',
    description: 'Event logs, state and transactions of EVM chains by the names of your project. Read-only.',
    version,
    websiteUrl: `${url}/blob/HEAD/docs/mcp.md`,
    repository: { url, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--dir', description: 'Folder of your project', format: 'filepath' },
        ],
        environmentVariables: [
          {
            name: 'CHAINSIDE_RPC_URL',
            description: 'JSON-RPC endpoint of the chain',
            isRequired: true,
            // It may hold a key.
            isSecret: true,
            placeholder: 'http://127.0.0.1:8545',
          },
        ],
      },
    ],
  });
}

interface PublishOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly registry?: string;
}

/**
 * Publishes the entry in `file` as the workflow that runs this: GitHub attests it by a token for this registry, which
 * the registry exchanges for one of its own. No token is stored or printed.
 *
 * @throws Error outside of a workflow that may write `id-token`, or with the answer of the registry.
 */
export async function publishServer(
  file: string,
  { env, registry = MCP_REGISTRY }: PublishOptions,
): Promise<'published' | 'known'> {
  const server = ServerJson.parse(JSON.parse(await readFile(file, 'utf8')));
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken } = env;
  if (!url || !requestToken)
    throw new Error(
      'There is no identity of a workflow. Run this in a job with the permission id-token: write.',
    );
  const identityUrl = new URL(url);
  identityUrl.searchParams.set('audience', registry);
  const { value } = await request(Identity, identityUrl.href, {
    headers: { authorization: `Bearer ${requestToken}` },
  });
  const version = `${registry}/v0/servers/${encodeURIComponent(server.name)}/versions/${server.version}`;
  if ((await fetch(version, { redirect: 'error' })).ok) return 'known';
  const { registry_token: token } = await request(Exchange, `${registry}/v0/auth/github-oidc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oidc_token: value }),
  });
  await request(z.unknown(), `${registry}/v0/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(server),
  });
  return 'published';
}

const Identity = z.object({ value: z.string() });
const Exchange = z.object({ registry_token: z.string() });

async function request<T extends z.ZodMiniType>(
  schema: T,
  url: string,
  init: RequestInit,
): Promise<z.output<T>> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const body = await response.text();
  const { origin, pathname } = new URL(url);
  if (!response.ok)
    throw new Error(`${origin}${pathname} answers ${response.status}: ${body.slice(0, 1000)}`);
  return schema.parse(JSON.parse(body));
}
