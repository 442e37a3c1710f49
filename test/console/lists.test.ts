import { describe, expect, test } from '@jest/globals'
import { atDeadline, reasonWords, waitWords } from '../../console/look/reasons.ts'
import { deadline, withTimes } from '../../console/look/values.ts'
import { now } from '../../console/pages/now.ts'
import { standingOf } from '../../console/pages/operation/sources.ts'
import { sessions } from '../../console/pages/sessions.ts'
import { NOW, scriptedView, usdc } from './support/view.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('words of codes', () => {
  test.each([
    ['job_claimed', 'The claim is on chain.'],
    ['a_code_of_a_newer_api', 'A code of a newer api.'],
    ['constructor', 'Constructor.'],
    [null, '–'],
  ])('the reason %s is "%s"', (code, words) => {
    expect(reasonWords(code)).toBe(words)
  })

  test('a wait and a state that a newer API has are words too', () => {
    expect([waitWords('reviewer'), waitWords('a_new_part'), waitWords(null)]).toEqual(['a reviewer', 'a new part', '–'])
    expect([atDeadline('rejected'), atDeadline('a_new_state')]).toEqual(['The rejection becomes final.', null])
  })

  test.each([
    ['2026-12-01T12:05:00.000Z', 'in 5 minutes'],
    ['2026-12-01T11:55:00.000Z', '5 minutes ago'],
    ['2026-12-01T11:52:39.000Z', '>7 minutes ago'],
    ['2026-11-24T11:51:00.000Z', '>7 days ago'],
    ['2026-12-01T12:00:59.000Z', 'in 59 seconds'],
    ['no instant', 'no instant'],
    [undefined, '–'],
  ])('the deadline %s reads "%s"', (at, words) => {
    const shown = deadline(at, NOW)
    const text = typeof shown === 'string' ? shown : shown.html
    expect(text).toContain(words)
    expect(text.includes('passed')).toBe(words.endsWith('ago'))
  })
})

test('an instant in words of the API becomes a time', () => {
  const { html: text } = withTimes('Due by 2026-12-21T23:28:58.000Z; <b>')
  expect(text).toContain('Due by <time datetime="2026-12-21T23:28:58.000Z">21 Dec 2026, 23:28:58 UTC</time>; &lt;b&gt;')
})

const row = {
  ...{ kind: 'review', id: 'd', title: HOSTILE, sessionId: 'j:0x1', disputeId: 'dispute-1', reason: 'HUMAN_REVIEW_REQUIRED' },
  ...{ since: null, deadline: '2026-12-01T13:00:00.000Z', atStake: usdc(10n ** 30n, '1000000000000000000000000') },
  byDefault: { code: 'split_half', text: 'the worker gets half of the reward' },
  decidedBy: { operation: 'decideReview', role: 'verifier' },
}
const queue = (items: unknown[], more: object = {}) => ({
  summary: { kinds: ['review', 'alarm'], counts: { review: items.length }, atStake: usdc(0n, '0'), unreadable: [], ...more },
  ...{ asOf: '', items, limit: 30, nextCursor: null },
})

describe('the queue', () => {
  const show = async (answer: unknown, query: Record<string, string> = {}, roles = ['verifier'], more: object = {}) => {
    const { view, calls } = scriptedView('/', query, { listQueue: answer, ...more }, roles)
    return { ...(await now.show(view)), calls }
  }

  test('tells why, until when, what is at stake, what happens then, and who decides', async () => {
    const { body } = await show(queue([row]), {}, ['verifier'], { getDispute: null })
    for (const text of [
      ...[
        'a reviewer has to',
        'in 1 hour',
        '1000000000000000000000000 USDC',
        'The worker gets half of the reward.',
        '<b>You</b>, as a verifier',
      ],
      'href="/dispute?disputeId=dispute-1"',
    ])
      expect(body.html).toContain(text)
    expect(body.html).not.toContain('<img')
  })

  test('links nothing that its reader may not read', async () => {
    const { body } = await show(queue([row]), {}, ['admin'])
    expect(body.html).not.toContain('/dispute?')
    expect(body.html).toContain('A verifier')
  })

  test('a kind of a newer API is shown as words', async () => {
    const { body } = await show(queue([{ ...row, kind: 'a_new_kind', decidedBy: { operation: 'x', role: 'a_new_role' } }]))
    expect(body.html).toContain('a new kind')
    expect(body.html).toContain('A new role')
  })

  test('says which kinds could not be read, and does not say that nothing waits', async () => {
    const { body } = await show(queue([], { unreadable: ['blocked', 'source'] }))
    expect(body.html).toContain('blocked workflows, sources')
    expect(body.html).not.toContain('Nothing waits for a person.')
  })

  test('empty, it says so', async () => {
    expect((await show(queue([]))).body.html).toContain('Nothing waits for a person.')
  })

  test('asks the API for the kind and the page of its address', async () => {
    const { calls, body } = await show({ ...queue([row]), nextCursor: 'c/2' }, { kind: 'review', cursor: 'c1' })
    expect(calls).toEqual([['listQueue', { kind: 'review', limit: '30', cursor: 'c1' }]])
    expect(body.html).toContain('href="/?kind=review&amp;cursor=c%2F2"')
  })

  test('a reader who decides nothing gets what is its own', async () => {
    const { view } = scriptedView('/', {}, { listSessions: { sessions: [] } }, [])
    const { title, body } = await now.show(view)
    expect(title).toBe('Start')
    expect(body.html).toContain('This wallet has claimed no job yet.')
  })
})

describe('the list of sessions', () => {
  const answer = (nextCursor: string | null) => ({ sessions: [], nextCursor })

  test('sends its filters, and none that the API does not have', async () => {
    const { view, calls } = scriptedView('/sessions', { status: 'claimed', evil: '1', wallet: '' }, { listAdminSessions: answer(null) })
    await sessions.show(view)
    expect(calls).toEqual([['listAdminSessions', { status: 'claimed', limit: '30', format: 'compact' }]])
  })

  test('keeps its filters in the address of the next page', async () => {
    const { view } = scriptedView('/sessions', { view: 'stuck', order: 'deadline' }, { listAdminSessions: answer('n') })
    const { body } = await sessions.show(view)
    expect(body.html).toContain('href="/sessions?view=stuck&amp;order=deadline&amp;cursor=n"')
    expect(body.html).toMatch(/href="\/sessions\?view=stuck&amp;order=deadline" aria-current="true"/)
  })
})

describe('how a source stands', () => {
  const schedule = { paused: false, dryRun: false, input: {}, everySeconds: 3600, next: null, note: '', readAt: '' }
  const run = { status: 'done', fault: null, stopped: null }
  const source = (more: object) => ({
    provider: 'osv',
    schedule,
    lastRun: run,
    lastSuccessAt: '2026-12-01T11:30:00.000Z',
    nextAllowedAt: null,
    alarm: null,
    ...more,
  })

  test.each([
    ['works', {}],
    ['silent', { alarm: 'source_silent' }],
    ['silent', { alarm: 'source_creates_nothing' }],
    ['works', { lastSuccessAt: null, lastRun: null }],
    ['failed', { lastRun: { ...run, status: 'failed', fault: 'source_refused' } }],
    ['waiting', { nextAllowedAt: '2026-12-01T12:10:00.000Z' }],
    ['paused', { schedule: { ...schedule, paused: true } }],
    ['unscheduled', { schedule: null }],
  ])('%s', (standing, more) => {
    expect(standingOf(source(more) as never, NOW).standing).toBe(standing)
  })
})
