import { describe, expect, test } from '@jest/globals'
import { ingestBody } from '../../console/actions/ingest.ts'
import { stepsOf } from '../../console/look/timeline.ts'
import { session } from '../../console/pages/work/session.ts'
import { NOW, scriptedView } from './support/view.ts'

const HOSTILE = '"><script>alert(1)</script>\u202e'

const answer = (more: object = {}, verification: unknown = null) => ({
  session: {
    ...{ sessionId: 'j:0x1', jobId: 'j', wallet: '0x1', status: 'submitted', since: new Date(NOW).toISOString(), chainState: null },
    ...{ waitingFor: 'verifier', reason: 'work_submitted', jobSnapshot: { specDefinition: { title: HOSTILE } }, ...more },
  },
  verification,
  timeline: [],
})

const show = async (found: unknown, operations: object = {}) => {
  const { view } = scriptedView('/session', { sessionId: 'j:0x1' }, { getSessionTimeline: found, ...operations })
  return session.show(view)
}

const STEPS = { runVerifier: null, overturnSession: null, closeSession: null }
const later = new Date(NOW + 60_000).toISOString()

describe('the page of a session', () => {
  test.each([
    ['run-verifier', {}],
    ['overturn-session', { status: 'rejected', disputableUntil: later }],
    ['close-session', { status: 'expired' }],
    ['close-session', { status: 'chain_state_diverged', chainStateDivergence: { expected: 'claimed', observed: 'open', at: later } }],
    ['none', { status: 'resolved' }],
    ['none', { status: 'rejected' }],
    ['none', { status: 'a_new_state', waitingFor: 'a_new_part', reason: 'a_new_reason' }],
  ])('offers %s where the state allows it', async (offered, more) => {
    const { body } = await show(answer(more), STEPS)
    const links = [...body.html.matchAll(/href="\/do\/([a-z-]+)/g)].map(([, name]) => name)
    expect(links).toEqual(offered === 'none' ? [] : [offered])
  })

  test('offers no step that its reader may not take', async () => {
    expect((await show(answer())).body.html).not.toContain('/do/')
  })

  test.each([
    ['in its lead and facts', { sessionId: 'j:0x1' }, 2],
    ['not where another session has it', { sessionId: 'j:0x2' }, 0],
  ])('says that a workflow is blocked %s', async (_where, subject, count) => {
    const row = { kind: 'blocked', workflowId: 'claim/j', reason: 'step_refused', ...subject }
    const { body, lead } = await show(answer(), { listQueue: { items: [row] } })
    const shown = `${typeof lead === 'string' ? lead : lead?.html}${body.html}`
    expect(shown.split('The next step of the workflow is refused.').length - 1).toBe(count)
    expect(shown.includes('/workflows/claim%2Fj')).toBe(count > 0)
  })

  test('shows evidence and submission as text, and a long submission only to its limit', async () => {
    const verdict = {
      ...{ outcome: 'a_new_outcome', detail: HOSTILE, verificationInput: { output: HOSTILE } },
      items: [
        { criterion: 'terms_found', result: 'unmet', evidence: '/verificationInput/output' },
        { criterion: 'a_new_one', result: 'a_new_result', evidence: '/not/there' },
      ],
    }
    const submission = { kind: 'text', rawText: `${HOSTILE}${'x'.repeat(30_000)}`, evidenceText: '' }
    const { body } = await show(answer({ submission }, verdict))
    expect(body.html).not.toContain('<script')
    for (const text of ['&lt;script&gt;', 'a new outcome', 'a new result', '<code>/not/there</code>', 'The whole submission as JSON'])
      expect(body.html).toContain(text)
    expect(body.html.length).toBeLessThan(30_000)
  })
})

test('a timeline gives a change of status the transaction of the event that repeats it', () => {
  const common = { at: later, topic: 'session.claimed', sessionId: 's' }
  const steps = stepsOf([
    { ...common, type: 'session_transition', data: { to: 'claimed' } },
    { ...common, type: 'event_bus', data: { txHash: '0xa' } },
    { ...common, type: 'event_bus', topic: 'escrow.job_claimed', data: { txHash: '0xb' } },
  ] as never)
  expect(steps.map(({ hashes }) => hashes)).toEqual([['0xa'], ['0xb']])
})

describe('the body of a run of a source', () => {
  test.each([
    [
      { query: 'label:x', limit: '5', minScore: '' },
      { query: 'label:x', limit: 5 },
    ],
    [
      { packages: '@a/b@1.0.0\n\n c@2 ' },
      { packages: ['@a/b', 'c'].map((name, at) => ({ ecosystem: 'npm', name, version: ['1.0.0', '2'][at] })) },
    ],
    [{ specs: 'https://a.example/x', done: 'ask-source' }, { specs: [{ url: 'https://a.example/x' }] }],
  ])('%j', (sent, body) => {
    expect(ingestBody(sent as never)).toEqual(body)
  })

  test.each([[{ packages: 'left-pad' }], [{ limit: 'many' }]])('refuses %j', (sent) => {
    expect(() => ingestBody(sent as never)).toThrow()
  })
})
