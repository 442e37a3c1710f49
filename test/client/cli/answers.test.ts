import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { findMisfit } from '../../../client/src/answers/shapes.ts'
import { createClient } from '../../../client/src/client.ts'
import { ANSWERS, SHAPES } from '../../../client/src/generated/shapes.ts'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem, raw, type Script } from '../support/scripted-service.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

const PAGE = '<html>welcome</html>'
const SESSION = 'a:0x1111111111111111111111111111111111111111'
/** Answers that a real stack gave, by operation and status. */
const RECORDED = JSON.parse(readFileSync(new URL('../../../api/discovery/answers.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, unknown>
>

/** Runs a command where one request gets a scripted answer. Returns its exit code and what it says. */
const failureOf = async (command: string, route: string, script: Script) => {
  chain = await startScriptedChain({
    'GET /jobs': (_request, response) => json(response, 200, { jobs: [], nextCursor: null }),
    'GET /sessions': (_request, response) => json(response, 200, { sessions: [], nextCursor: null }),
    'GET /auth/session': (_request, response) => json(response, 200, { wallet: chain.wallet }),
    'POST /account/idle-allocation/revoke': (_request, response) => json(response, 200, { revoked: false }),
    [route]: script,
  })
  const file = join(chain.state.directory, 'work.json')
  writeFileSync(file, '{}')
  const { exit, document } = await chain.run(command.replace('FILE', file).split(' '))
  const { detail, code } = document
  return { exit, code, detail: String(detail), asked: chain.service.of(route).length, host: new URL(chain.service.baseUrl).host }
}

/** The recorded answer of an operation with another value at one pointer. */
const bend = (id: string, pointer: string, value: unknown): string => {
  const answer = structuredClone(RECORDED[id]?.[200])
  const names = pointer.slice(1).split('/')
  const last = names.pop() ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: a test bends any answer.
  const place = names.reduce((part: any, name) => part[name], answer)
  place[last] = value
  return JSON.stringify(answer)
}

/** Commands, a request of each with its operation, and a place deep in its answer. */
const ROWS = [
  ['jobs', 'GET /health', 'getHealth', '/auth/chainId'],
  ['jobs', 'GET /jobs', 'listJobs', '/jobs/0/id'],
  ['show a-job', 'GET /jobs/definition', 'getJobDefinition', '/claimStatus/claimState'],
  ['preflight a-job', 'GET /jobs/preflight', 'preflightJob', '/tierGate/has/skill'],
  ['account', 'GET /account', 'getAccount', '/liquid/USDC/decimals'],
  ['whoami', 'GET /auth/session', 'getAuthSession', '/roles'],
  ['whoami', 'GET /reputation', 'getReputation', '/events/count'],
  ['claim a-job', 'GET /sessions', 'listSessions', '/sessions'],
  ['claim a-job --yes', 'POST /jobs/claim', 'claimJob', '/gasRetention/netReward'],
  ['validate a-job FILE', 'POST /jobs/validate-submission', 'validateSubmission', '/requiredTopLevelKeys/0'],
  [`submit ${SESSION} FILE`, 'POST /jobs/submit', 'submitWork', '/lifecycle/terminal'],
  [`watch ${SESSION}`, 'GET /session', 'getSession', '/lifecycle/terminal'],
  ['recall --yes', 'GET /account/position', 'getAccountPosition', '/account/asset/decimals'],
  ['deposit 1 --yes', 'GET /pool', 'getPool', '/asset/decimals'],
  ['deposit 1 --yes', 'POST /account/deposit/transactions', 'buildAccountDepositTransactions', '/templates/0/to'],
] as const

const CASES = ROWS.flatMap(([command, route, id, pointer]) =>
  (
    [
      ['null', 'null', 'the whole is null in place of an object'],
      ['a list', '[]', 'the whole is a list in place of an object'],
      ['a number', '7', 'the whole is a number in place of an object'],
      ['a text', '"text"', 'the whole is a text in place of an object'],
      ['no member', '{}', ' is absent in place of '],
      ['an empty body', '', 'it is not JSON'],
      ['a page', PAGE, 'it is not JSON'],
      [`an object at ${pointer}`, bend(id, pointer, {}), `${pointer} is an object in place of `],
      [`nothing at ${pointer}`, bend(id, pointer, undefined), `${pointer} is `],
    ] as const
  ).map(([title, body, fault]) => ({ command, route, title, body, fault })),
)

describe('an answer of another shape is named with host, request and place', () => {
  test.each(CASES)('$command, for $route with $title', async ({ command, route, body, fault }) => {
    const type = body === PAGE ? 'text/html' : 'application/json'
    const { exit, code, detail, asked, host } = await failureOf(command, route, (_request, response) => raw(response, 200, body, type))
    expect(detail).toContain(`${route}: 200: ${host} gives no answer of the service: `)
    expect(detail).toContain(fault)
    expect([exit, code, asked]).toEqual([4, 'unreachable', 1])
  })
})

describe('a refusal of another shape is named with host, request and place', () => {
  test.each([
    ['is a list', '[]', 'the whole is a list in place of an object'],
    ['is a page', PAGE, 'it is not JSON'],
    ['is empty', '', 'it is not JSON'],
  ])('where it %s', async (_, body, place) => {
    const { exit, code, detail, host } = await failureOf('jobs', 'GET /jobs', (_request, response) =>
      raw(response, 409, body, 'application/problem+json'),
    )
    expect(detail).toContain(`GET /jobs: 409: ${host} gives no problem document of the service: ${place}`)
    expect([exit, code]).toEqual([4, 'unreachable'])
  })

  test.each([
    ['a number as errors', { errors: 5 }, '/errors is a number in place of a list'],
    ['a number as action', { nextActions: [1] }, '/nextActions/0 is a number in place of an object'],
    ['a number as path of an action', { nextActions: [{ kind: 'http', description: 'x', path: 7 }] }, '/nextActions/0/path is a number'],
    ['no title', { title: undefined }, '/title is absent in place of a text'],
    ['a number as request', { requestId: 7 }, '/requestId is a number in place of a text'],
  ])('where it has %s', async (_, members, place) => {
    const { exit, code, detail, host } = await failureOf('jobs', 'GET /jobs', (_request, response) =>
      problem(response, 409, 'tier_locked', members),
    )
    expect(detail).toContain(`GET /jobs: 409: ${host} gives no problem document of the service: ${place}`)
    expect([exit, code]).toEqual([4, 'unreachable'])
  })
})

describe('a stream of events', () => {
  test.each([
    ['JSON', '{"jobs":[1]}', 'application/json'],
    ['a page', PAGE, 'text/html'],
  ])('that is %s is named with host and request', async (_, body, type) => {
    chain = await startScriptedChain({ 'GET /events': (_request, response) => raw(response, 200, body, type) })
    const { baseUrl } = chain.service
    const events = createClient({ baseUrl, token: 'a-token', maxRetries: 0 }).streamEvents()
    await expect(events.next()).rejects.toThrow(`GET /events: 200: ${new URL(baseUrl).host} gives no stream of events`)
  })
})

describe('an answer of the service', () => {
  test.each(Object.keys(ANSWERS))('that was recorded for %s has its shape', async (id) => {
    chain = await startScriptedChain()
    const answers = Object.values(RECORDED[id] ?? {})
    expect(answers).not.toEqual([])
    for (const answer of answers) expect(findMisfit(SHAPES, ANSWERS[id] ?? '', answer)).toBeUndefined()
  })

  test('with members that this program does not know is taken', async () => {
    const { exit } = await failureOf('jobs', 'GET /jobs', (_request, response) =>
      json(response, 200, { jobs: [{ id: 'a', later: { any: 1 } }], nextCursor: null, later: [] }),
    )
    expect(exit).toBe(0)
  })
})

describe('a node that answers oddly is named with the method and the place', () => {
  test.each([
    ['eth_chainId', '{"result":null}', '/result is null in place of a hex quantity'],
    ['eth_chainId', '{}', '/result is absent in place of a hex quantity'],
    ['eth_chainId', '[]', 'the whole is a list in place of an object'],
    ['eth_chainId', 'null', 'the whole is null in place of an object'],
    ['eth_chainId', PAGE, 'it is not JSON'],
    ['eth_chainId', '', 'it is not JSON'],
    ['eth_call', '{"result":7}', '/result is a number in place of hex bytes'],
    ['eth_estimateGas', '{"result":"much"}', '/result is a text in place of a hex quantity'],
    ['eth_getBlockByNumber', '{"result":[]}', '/result is a list in place of an object'],
    ['eth_getBlockByNumber', '{"result":{"baseFeePerGas":7}}', '/result/baseFeePerGas is a number in place of a hex quantity'],
    ['eth_getBalance', '{"result":{}}', '/result is an object in place of a hex quantity'],
    ['eth_getTransactionCount', '[1]', 'the whole is a list in place of an object'],
    ['eth_getTransactionReceipt', '{"result":{"status":1}}', '/result/status is a number in place of a hex quantity'],
    ['eth_sendRawTransaction', '{"error":"no"}', '/result is absent in place of a hash'],
  ])('for %s with %s', async (method, body, fault) => {
    chain = await startScriptedChain()
    chain.node.bend = (asked) => (asked === method ? body : undefined)
    const { exit, document } = await chain.run(['deposit', '1', '--yes'])
    const { host } = new URL(chain.service.baseUrl)
    expect(document.detail).toContain(`${host} gives no answer of a node to ${method}: 200: ${fault}.`)
    expect([exit, document.code]).toEqual([4, 'unreachable'])
  })
})
