// What the token of a delegate opens, for every operation of the registry, and how refusals say who can grant more.
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { HandlerMap } from '../../../api/http/calls.ts'
import { RATE_BUCKETS } from '../../../schemas/http/rate-buckets.ts'
import type { DelegateScope } from '../../../schemas/identity/delegate-terms.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { accounts, type Reply } from '../../support/api.ts'
import { grantTo } from '../support/delegates.ts'
import { useApi } from '../support/started.ts'

/** Every operation that a token opens to a delegate, by the scope that does. A new operation belongs here only if an owner would expect it. */
const OPENED: Record<DelegateScope, readonly string[]> = {
  read: [
    ...['getAccount', 'getAccountPosition', 'getBorrowCapacity', 'getStrategyPositions', 'getCredit', 'getIdleAllocation', 'getMe'],
    ...['getReputation', 'listReceipts', 'getSession', 'getSessionTimeline', 'listSessions', 'pollEvents', 'streamEvents'],
    ...['getWebhook', 'listWebhooks', 'getDispute', 'getDisputeFile', 'listDisputes', 'getContent', 'getXcmRequest'],
  ],
  claim: ['claimJob', 'estimateJobReward', 'estimateReward', 'explainEligibility', 'preflightJob', 'recommendJobs'],
  submit: ['submitWork'],
}
/** Operations that every token opens, and what they do to it. */
const ALWAYS = ['getAuthSession', 'logout']
/** Operations that are open without a token, and show a delegate more only within its scope. */
const OWN_VIEW: Record<DelegateScope, readonly string[]> = {
  read: ['getJobTiers', 'getVerificationResult', 'getAgentProfile', 'getPool'],
  claim: ['getJobDefinition', 'listJobs'],
  submit: [],
}

let reached: { id: string; caller: string | null }[] = []
const recorders: HandlerMap = Object.fromEntries(
  operationList
    .filter(({ auth, id }) => auth.includes('wallet_token') && !ALWAYS.includes(id))
    .map(({ id }) => [
      id,
      async ({ caller }: { caller: { kind: string } | null }) => {
        reached.push({ id, caller: caller?.kind ?? null })
        throw new Error('reached')
      },
    ]),
) as HandlerMap

const UNLIMITED = JSON.stringify(Object.fromEntries(Object.keys(RATE_BUCKETS).map((name) => [name, { limit: 99_999 }])))
const api = useApi({ settings: { RATE_LIMITS: UNLIMITED }, handlers: recorders })
beforeEach(() => {
  reached = []
})

const examplePath = ({ path, examples }: OperationSpec): string => {
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => encodeURIComponent(examples?.params?.[name] ?? 'x'))
  const query = new URLSearchParams(examples?.query ?? {}).toString()
  return query === '' ? filled : `${filled}?${query}`
}
const callAs = (spec: OperationSpec, token: string): Promise<Reply> => {
  const { method, examples } = spec
  return api.call(examplePath(spec), { token, ...(method === 'POST' && { body: (examples?.body ?? {}) as object }) })
}
const delegateOf = async (scopes: readonly string[]): Promise<string> => (await grantTo(api, accounts.worker, { scopes })).body.token
const needsToken = operationList.filter(({ auth }) => auth.includes('wallet_token') && !auth.includes('anonymous'))
const optional = operationList.filter(({ auth }) => auth.includes('wallet_token') && auth.includes('anonymous'))
const ALL: DelegateScope[] = ['read', 'claim', 'submit']

test.each<[string, DelegateScope[]]>([
  ['all scopes', ALL],
  ['read alone', ['read']],
  ['claim alone', ['claim']],
  ['submit alone', ['submit']],
])('a delegate with %s opens what these scopes open, and no other operation', async (_name, scopes) => {
  const token = await delegateOf(scopes)
  const open = new Set(scopes.flatMap((scope) => OPENED[scope]))
  const before = await api.deps.database.rows.selectFrom('event').selectAll().execute()
  const wrong: unknown[] = []
  for (const spec of needsToken.filter(({ id }) => !ALWAYS.includes(id))) {
    reached = []
    const { status, body } = await callAs(spec, token)
    if (open.has(spec.id) ? [401, 403].includes(status) : status !== (spec.id === 'refreshToken' ? 401 : 403) || reached.length > 0)
      wrong.push([spec.id, status, body.code])
  }
  expect(wrong).toEqual([])
  expect(await api.deps.database.rows.selectFrom('event').selectAll().execute()).toEqual(before)
})

test('the lists name every operation once', () => {
  const ids = needsToken.map(({ id }) => id)
  const listed = [...Object.values(OPENED).flat(), ...ALWAYS]
  expect(listed.filter((id) => !ids.includes(id))).toEqual([])
  expect(listed).toHaveLength(new Set(listed).size)
  expect(Object.values(OWN_VIEW).flat().sort()).toEqual(optional.map(({ id }) => id).sort())
})

test.each(ALL)('a delegate with %s alone reads as its wallet only what its scope opens', async (scope) => {
  const token = await delegateOf([scope])
  for (const spec of optional) {
    reached = []
    await callAs(spec, token)
    expect(reached).toEqual([{ id: spec.id, caller: OWN_VIEW[scope].includes(spec.id) ? 'delegate' : null }])
  }
})

describe('a refusal', () => {
  test.each<[DelegateScope[], string, object, string[], string]>([
    [['read'], '/jobs/claim', { jobId: 'job-1' }, ['claim'], 'The delegate lacks the scope claim.'],
    [['read', 'claim'], '/jobs/submit', {}, ['submit'], 'The delegate lacks the scope submit.'],
    [ALL, `/content/0x${'0'.repeat(64)}/publish`, {}, [], 'No delegate may do this.'],
  ])('of a delegate with %j at %s says that only the wallet grants', async (scopes, path, body, missing, words) => {
    const reply = await api.call(path, { token: await delegateOf(scopes), body })
    expect([reply.status, reply.body.code]).toEqual([403, 'missing_capability'])
    expect(reply.body.detail).toContain(words)
    expect(reply.body.details.grantedBy).toEqual({ wallet: true, scopes: missing })
  })

  test('of what a delegate may never do names the wallet itself, and no admin', async () => {
    const reply = await api.call('/account/withdraw/transactions', { token: await delegateOf(ALL), body: {} })
    expect([reply.status, reply.body.code]).toEqual([403, 'wallet_session_required'])
    expect(reply.body.details.grantedBy).toBeUndefined()
  })
})

describe('the challenge of a 401', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['without a token', '/auth/session', {}, 'Bearer'],
    ['of another scheme', '/auth/session', { authorization: 'Basic eDp5' }, 'Bearer'],
    ['with a token that is none', '/auth/session', { authorization: 'Bearer x' }, 'Bearer error="invalid_token"'],
    ['with one in the query of a stream', '/events?token=x', {}, 'Bearer error="invalid_token"'],
  ])('%s', async (_name, path, headers, challenge) => {
    const reply = await api.call(path, { headers })
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, challenge])
  })
})
