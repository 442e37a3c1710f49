// Every page and every preview of an action in every state of its subject, on answers that the published schemas accept. That the processes leave
// sessions and disputes so: test/e2e/console/states.test.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { words } from '../../console/look/texts.ts'
import { STANDINGS } from '../../console/pages/operation/sources.ts'
import { type StartedConsole, startConsole } from '../e2e/console/support/console.ts'
import { type Documents, startAnsweringApi } from './support/answering-api.ts'
import { enumerationsIn, membersAt, withValue } from './support/published.ts'
import {
  answerWith,
  LONG_AFTER,
  PAGE_ADDRESSES,
  PREVIEW_ADDRESSES,
  pathOf,
  RUN_TARGET,
  SUBJECT_STATES,
  SUBJECTS,
} from './support/subject-states.ts'

let api: Awaited<ReturnType<typeof startAnsweringApi>>
let site: StartedConsole
beforeAll(async () => {
  api = await startAnsweringApi()
  site = await startConsole(api.url)
})
afterAll(async () => {
  await site.close()
  await api.close()
})

/** What the console shows as it is: words of strangers, ids, code, and what opens as details. */
const AS_IT_IS = /<(code|pre|time|textarea|select|details)\b[^>]*>[\s\S]*?<\/\1>/g
const NOISE = /undefined|\[object|NaN|Invalid Date|\bnull\b|\be\+\d|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/gi

/** A page as its reader sees it, below the navigation. */
const open = async (path: string) => {
  const { status, text } = await site.visit(path, { token: 'a-token' })
  const content = text.slice(text.indexOf('<h1>'))
  const seen = content.replaceAll(AS_IT_IS, '').replaceAll(/<[^>]*>/g, '|')
  const acts = [...content.matchAll(/href="\/do\/([a-z-]+)/g)].map(([, name]) => name)
  return {
    content,
    acts,
    fault: { path, status, noise: [...new Set(seen.match(NOISE) ?? [])], refused: [...new Set(api.faults.splice(0))] },
  }
}
const sound = (path: string) => ({ path, status: 200, noise: [], refused: [] })

const STRANGERS: Documents = { getVerificationRun: answerWith('getVerificationRun', RUN_TARGET) }

describe('with every member of every enumeration of its answers', () => {
  test.each([...PAGE_ADDRESSES, ...PREVIEW_ADDRESSES])('%s', async (path) => {
    for (const extent of ['recorded', 'least', 'every member'] as const) {
      api.answer(extent === 'least' ? {} : STRANGERS, extent)
      // An empty list has no grant to end.
      const isLost = extent === 'least' && path.includes('id=grant-')
      expect({ extent, ...(await open(path)).fault }).toEqual({ extent, ...sound(path), ...(isLost && { status: 404 }) })
    }
    const answers = [...api.asked]
    const places = answers.flatMap(([id, document]) => enumerationsIn(id, document).map((one) => ({ id, ...one })))
    const rounds = Math.max(0, ...places.map(({ members }) => members.length))
    for (let round = 0; round < rounds; round += 1) {
      const documents = Object.fromEntries(answers)
      for (const { id, path: place, members } of places) documents[id] = withValue(documents[id], place, members[round % members.length])
      api.answer(documents, 'every member', 'unchecked')
      expect({ round, ...(await open(path)).fault }).toEqual({ round, ...sound(path) })
    }
  })
})

const NO_SUBJECT = Object.fromEntries(['sessionId', 'jobId', 'disputeId', 'requestId'].map((member) => [`items.0.${member}`, undefined]))
const OF_SESSION = { ...NO_SUBJECT, 'items.0.sessionId': 'a-session' }
/** What a row of the queue names, by its kind; those of a dispute name everything. */
const QUEUE_SUBJECTS: Readonly<Record<string, object>> = {
  request: {
    ...NO_SUBJECT,
    'items.0.requestId': SUBJECTS.requestId,
    'items.0.decidedBy': { operation: 'observeXcmRequest', role: 'admin' },
  },
  blocked: OF_SESSION,
  diverged: OF_SESSION,
  template: { ...NO_SUBJECT, 'items.0.jobId': 'a-job' },
  ...Object.fromEntries(['alarm', 'source', 'webhook', 'lane'].map((kind) => [kind, NO_SUBJECT])),
}

describe('in every state of its subject', () => {
  test.each(SUBJECT_STATES)(
    '%s: words and actions',
    async (page, { operation, place, inWords = words, acts = [], beside, goesWith, ...more }) => {
      const members = membersAt(operation, pathOf(place))
      const seen: Record<string, unknown> = {}
      for (const state of members) {
        const document = answerWith(operation, { ...more.with, ...goesWith?.(state), [place]: state })
        api.answer({ ...beside, [operation]: document }, 'every member')
        const { content, acts: offered, fault } = await open(page)
        expect({ place, state, ...fault }).toEqual({ place, state, ...sound(page) })
        expect([place, state, content]).toEqual([place, state, expect.stringContaining(inWords(state).replaceAll("'", '&#39;'))])
        seen[state] = offered
      }
      // A table by states names each of them.
      expect({ place, seen }).toEqual({
        place,
        seen: Array.isArray(acts) ? Object.fromEntries(members.map((state) => [state, acts])) : acts,
      })
    },
  )

  const STEERED = ['trigger-source', 'change-source-runs', 'ask-source']
  const SCHEDULED = {
    'sources.0.schedule.paused': false,
    'sources.0.lastRun.status': 'done',
    'sources.0.lastRun.fault': null,
    'sources.0.nextAllowedAt': null,
  }
  const alarm = (reason: string) => ({
    listQueue: answerWith('listQueue', { 'items.0.id': 'github', 'items.0.kind': 'source', 'items.0.reason': reason }),
  })
  const SOURCES: Record<(typeof STANDINGS)[number], readonly [changes: object, acts: readonly string[], beside?: Documents]> = {
    failed: [{ ...SCHEDULED, 'sources.0.lastRun.fault': 'source_refused' }, ['pause-source', ...STEERED]],
    silent: [SCHEDULED, ['pause-source', ...STEERED], alarm('source_silent')],
    waiting: [{ ...SCHEDULED, 'sources.0.nextAllowedAt': LONG_AFTER }, ['pause-source', ...STEERED]],
    works: [{ ...SCHEDULED, 'sources.0.lastRun': null }, ['pause-source', ...STEERED]],
    paused: [{ 'sources.0.schedule.paused': true }, ['resume-source', ...STEERED]],
    unscheduled: [{ 'sources.0.schedule': null }, ['ask-source']],
  }
  test.each(STANDINGS)('/sources: %s', async (standing) => {
    const [changes, acts, beside = {}] = SOURCES[standing]
    api.answer({ ...beside, listSources: answerWith('listSources', { 'sources.0.provider': 'github', ...changes }) })
    const { content, acts: offered, fault } = await open('/sources')
    expect({ ...fault, offered, isNamed: content.includes(`>${standing}</span>`) }).toEqual({
      ...sound('/sources'),
      offered: acts,
      isNamed: true,
    })
  })

  const PAUSED = { by: SUBJECTS.wallet, at: '2026-01-01T00:00:00.000Z', reason: 'Its rewards are wrong.' }
  const amount = (raw: string) => ({ asset: 'USDC', raw, decimals: 6, display: raw })
  test.each([
    ['open', { 'lanes.0.paused': null }, 'pause-lane', 'open</span>'],
    ['paused', { 'lanes.0.paused': PAUSED }, 'resume-lane', 'Its rewards are wrong.'],
    [
      'with a used budget',
      { 'lanes.0.paused': null, 'lanes.0.postedToday': amount('7'), 'lanes.0.dailyBudget': amount('7') },
      'pause-lane',
      '100 %',
    ],
    ['with a full backlog', { 'lanes.0.paused': null, 'lanes.0.backlog': 9, 'lanes.0.backlogLimit': 9 }, 'pause-lane', '9 of 9'],
    [
      'without a budget',
      { 'lanes.0.paused': null, 'lanes.0.dailyBudget': amount('0'), 'lanes.0.postedToday': amount('0') },
      'pause-lane',
      '0 %',
    ],
  ])('/lanes: a lane %s', async (_name, changes, act, text) => {
    api.answer({ listLanes: answerWith('listLanes', changes) })
    const { content, acts, fault } = await open('/lanes')
    expect({ ...fault, acts }).toEqual({ ...sound('/lanes'), acts: [act] })
    expect(content).toContain(text)
  })

  test.each([
    ['the first head', null, 'none: it is the first'],
    ['a later head', `0x${'c'.repeat(64)}`, `0x${'c'.repeat(64)}`],
  ])('/log-heads: %s', async (_name, previous, text) => {
    api.answer({ listLogHeads: answerWith('listLogHeads', { 'heads.0.previous': previous }) })
    const { content, fault } = await open('/log-heads')
    expect(fault).toEqual(sound('/log-heads'))
    expect(content).toContain(text)
  })

  test('/: every kind of the queue leads to its subject or names its workflow', async () => {
    const seen: Record<string, string | undefined> = {}
    for (const kind of membersAt('listQueue', ['items', 0, 'kind'])) {
      api.answer({ listQueue: answerWith('listQueue', { 'items.0.kind': kind, ...QUEUE_SUBJECTS[kind] }) })
      const { content, fault } = await open('/')
      expect({ kind, ...fault }).toEqual({ kind, ...sound('/') })
      seen[kind] = /<tbody class="rows"><tr><td>[^<]*<\/td><td><a href="([^"?]*)/.exec(content)?.[1]
    }
    expect(seen).toEqual({
      ...{ review: '/dispute', dispute: '/dispute', signature: '/dispute', request: '/do/observe-request', blocked: '/session' },
      ...{ diverged: '/session', alarm: '/health', source: '/sources', webhook: '/webhooks', lane: '/lanes', template: '/job' },
    })
  })
})
