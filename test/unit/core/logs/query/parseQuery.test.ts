import assert from 'node:assert/strict';
import { emptyForm, type QueryForm } from '../../../../../src/core/logs/query/form.ts';
import { parseQueryForm } from '../../../../../src/core/logs/query/parseQuery.ts';

describe('a query with many values', () => {
  const parse = (form: Partial<QueryForm>) => parseQueryForm({ ...emptyForm, ...form });
  const messages = (form: Partial<QueryForm>) => parse(form).errors?.map(({ message }) => message);
  const list = (count: number, make = (index: number) => String(256 + index)) =>
    Array.from({ length: count }, (_, index) => make(index)).join(',');
  const tooMany = ['More than 10,000 values, or types that they may have. Split the query.'];

  it('has 5,000 addresses in two topics', () => {
    const topic = list(5000, (index) => `0x${index.toString(16).padStart(40, '0')}`);
    const event = 'Transfer(address,address,uint256)';
    const { filter } = parse({ event, topic1: topic, topic2: topic });
    assert.deepEqual(
      filter?.topics.map((values) => values?.length),
      [1, 5000, 5000],
    );
  });

  it('has 10,000 at most, in all fields', () => {
    const event = 'P(string indexed a, string indexed b)';
    assert.equal(messages({ event, args: { a: list(4999), b: list(5001) } }), undefined);
    assert.deepEqual(messages({ event, args: { a: list(5000), b: list(5001) } }), tooMany);
    assert.deepEqual(messages({ topic1: list(10_001) }), tooMany);
  });

  it('has fewer where each is tried as several types', () => {
    const types = Array.from({ length: 31 }, (_, index) => `bytes${index + 2}`);
    const event = `P(${types},uint256)`;
    assert.equal(messages({ event, topic1: list(100) }), undefined);
    assert.deepEqual(messages({ event, topic1: list(200) }), tooMany);
  });

  it('has any number of whole topics', () => {
    const { filter } = parse({
      topic1: list(12_000, (index) => `0x${index.toString(16).padStart(64, '0')}`),
    });
    assert.equal(filter?.topics[1]?.length, 12_000);
  });
});
