import { describe, expect, test } from '@jest/globals'
import { isRefusingStatus, matchBatch, parseAnswer, smallerBatch } from '../../../domain/chain/batch-answer.ts'

const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const failure = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

describe('the answer to a batch', () => {
  test.each([
    ['in order', [answer(1, 'a'), answer(2, 'b'), answer(3, 'c')]],
    ['shuffled', [answer(3, 'c'), answer(1, 'a'), answer(2, 'b')]],
    ['with ids as text', [answer('2', 'b'), answer('1', 'a'), answer('3', 'c')]],
    ['with an answer to a call that was not made', [answer(7, 'x'), answer(1, 'a'), answer(2, 'b'), answer(3, 'c')]],
    ['with an answer twice', [answer(1, 'a'), answer(1, 'a'), answer(3, 'c'), answer(2, 'b')]],
  ])('%s goes to the calls by their ids', (_what, body) => {
    expect(matchBatch([1, 2, 3], body)).toEqual({ kind: 'answered', answers: [{ result: 'a' }, { result: 'b' }, { result: 'c' }] })
  })

  test.each([
    ['a revert with data', { code: 3, message: 'execution reverted', data: '0x1234' }],
    ['a revert whose reason names a batch', { code: 3, message: 'execution reverted: batch refused' }],
    ['a range of logs that is too large', { code: -32_005, message: 'query returned more than 10000 results' }],
    ['a limit of the rate', { code: 429, message: 'slow down' }],
  ])('keeps the error of a single call: %s', (_what, error) => {
    expect(matchBatch([1, 2], [answer(2, '0x'), { id: 1, error }])).toEqual({ kind: 'answered', answers: [{ error }, { result: '0x' }] })
  })

  test.each([
    ['one error object', failure(null, -32_600, 'batch too large'), 'batch too large'],
    ['one error object with an id', failure(1, -32_005, 'batch limit exceeded'), 'batch limit exceeded'],
    ['a list of one error without an id', [failure(null, -32_600, 'too many')], 'too many'],
    ['an error for each call', [failure(1, -32_600, 'batch too large'), failure(2, -32_600, 'batch too large')], 'batch too large'],
    ['an error for the calls over its limit', [answer(1, 'a'), failure(2, -32_600, 'too many calls')], 'too many calls'],
    ['an exceeded limit for each call', [1, 2].map((id) => failure(id, -32_005, 'batch size exceeded')), 'batch size exceeded'],
    ['fewer answers than calls', [answer(1, 'a')], '1 of 2 calls are answered'],
    ['answers without ids', [answer(null, 'a'), answer(null, 'b')], '0 of 2 calls are answered'],
    ['an empty list', [], '0 of 2 calls are answered'],
    ['null', null, 'the answer to a batch is no list'],
    ['text', 'Payload too large', 'the answer to a batch is no list'],
    ['the answer to one call', answer(1, 'a'), 'the answer to a batch is no list'],
  ])('that is %s refuses the batch', (_what, body, reason) => {
    expect(matchBatch([1, 2], body)).toEqual({ kind: 'refused', reason })
  })

  test.each([429, -32_005, -32_007])('that limits the rate (%s) is no reason for a smaller batch', (code) => {
    expect(matchBatch([1, 2], failure(null, code, 'slow down'))).toEqual({ kind: 'limited', error: { code, message: 'slow down' } })
  })
})

test('an answer with neither result nor error is an error; a null result is a result', () => {
  expect(parseAnswer({ id: 1 }).error).toBeDefined()
  expect(parseAnswer([]).error).toBeDefined()
  expect(parseAnswer({ id: 1, result: null })).toEqual({ result: null })
})

test('a status that refuses the body asks for smaller batches; a limit or an outage does not', () => {
  expect([400, 405, 413, 415, 422].every(isRefusingStatus)).toBe(true)
  expect([undefined, 200, 401, 403, 408, 429, 500, 502, 503, 504].some(isRefusingStatus)).toBe(false)
})

test('the next batch has half the size, and at least one call', () => {
  expect([21, 3, 2, 1].map(smallerBatch)).toEqual([10, 1, 1, 1])
})
