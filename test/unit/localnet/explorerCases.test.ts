import assert from 'node:assert/strict';
import type { DialectName } from '../../../localnet/explorer/dialects.ts';
import { startExplorer } from '../../../localnet/explorer/server.ts';
import { balanceCases } from '../../fixtures/explorerBalanceCases.ts';
import type { ExplorerCase } from '../../fixtures/explorerCase.ts';
import { buildIndex } from '../../fixtures/explorerDataSets.ts';
import { envelopeCases, forwardingCases, httpCases } from '../../fixtures/explorerEnvelopeCases.ts';
import { selectionCases, topicCases } from '../../fixtures/explorerLogCases.ts';
import { logRefusalCases } from '../../fixtures/explorerLogRefusalCases.ts';
import { pagingCases } from '../../fixtures/explorerPagingCases.ts';

const groups = {
  'which logs': selectionCases,
  topics: topicCases,
  paging: pagingCases,
  'refused log queries': logRefusalCases,
  balances: balanceCases,
  envelope: envelopeCases,
  'forwarded methods': forwardingCases,
  HTTP: httpCases,
};

describe('explorer dialects', () => {
  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      for (const fact of cases) {
        for (const dialect of fact.dialects) {
          it(`${fact.name} (${dialect})`, () => holds(fact, dialect));
        }
      }
    });
  }
});

async function holds({ given, request, expected, ...options }: ExplorerCase, dialect: DialectName) {
  const { rateLimit, forward } = options;
  const explorer = await startExplorer({
    ...{ index: buildIndex(given ?? {}), dialect },
    ...(rateLimit && { rateLimit }),
    ...(forward && { forward }),
  });
  try {
    const { method = 'POST', path = '/api/eth-rpc', contentType = 'application/json', body } = request;
    const response = await fetch(explorer.origin + path, {
      method,
      ...(method === 'POST' && {
        headers: { 'content-type': contentType },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    assert.equal(response.status, expected.status ?? 200, text);
    const wanted = typeof expected.body === 'function' ? expected.body(dialect) : expected.body;
    assert.deepEqual(readBody(text), wanted);
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      const header = response.headers.get(name) ?? undefined;
      if (value instanceof RegExp) assert.match(header ?? '', value, name);
      else assert.equal(header, value, name);
    }
  } finally {
    await explorer.stop();
  }
}

/** Some answers are no JSON, and that is the point of them. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
