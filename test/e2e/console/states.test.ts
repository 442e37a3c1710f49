// Pages of subjects in every state, on records as the processes leave them: each names the state in words, what it waits for and until when.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { reasonWords, waitWords } from '../../../console/look/reasons.ts'
import { SESSION_STATUSES } from '../../../schemas/sessions/record.ts'
import { fillBank } from '../../api/support/listed-job.ts'
import { addSessionCase, type SessionCase, sessionCases } from '../../api/support/session-cases.ts'
import { useRecords } from './support/records.ts'

const WALLET = `0x${'a1'.repeat(20)}`
const CASES = sessionCases(Date.now())
const names = Object.keys(CASES)
const SETTINGS = { CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: '1000000000', backlog: 100 } }) }

const records = useRecords({ settings: SETTINGS })
const ids: Record<string, Awaited<ReturnType<typeof addSessionCase>>> = {}
beforeAll(async () => {
  const { database } = records.api.deps
  await fillBank(database)
  for (const name of names)
    ids[name] = await addSessionCase(database, Date.now(), { name, wallet: WALLET, ...(CASES[name] as SessionCase) })
})

/** Marks of a value that was shown without words. */
const RAW = /undefined|\[object|NaN|Invalid Date/

const open = async (path: string, token = records.tokens.admin): Promise<string> => {
  const { status, text } = await records.site.visit(path, { token })
  expect([path, status, RAW.exec(text)?.[0]]).toEqual([path, 200, undefined])
  return text
}
const shown = (status: string): string => `>${status.replaceAll('_', ' ')}<`
const escaped = (words: string): string => words.replaceAll("'", '&#39;')

describe('the page of a session', () => {
  const answerOf = async (name: string) => {
    const path = `/session/timeline?sessionId=${encodeURIComponent(ids[name]?.sessionId ?? '')}`
    const { status, text, body } = await records.api.call(path, { token: records.tokens.admin })
    expect([name, status, status === 200 ? '' : text + records.api.log.at(-2)]).toEqual([name, 200, ''])
    return body.session
  }

  test.each(names)('%s: tells state, wait, reason and deadline', async (name) => {
    const { status, waitingFor, deadline, heldBecause, reason } = await answerOf(name)
    const text = await open(`/session?sessionId=${encodeURIComponent(ids[name]?.sessionId ?? '')}`)
    expect(text).toContain(shown(status))
    expect(text).toContain(waitingFor === null ? 'nothing: it is over' : `Waits for ${waitWords(waitingFor)}.`)
    expect(text).toContain(escaped(reasonWords(heldBecause ?? reason)))
    if (deadline !== undefined) expect(text).toContain(`datetime="${deadline}"`)
  })

  test('was opened in every state', async () => {
    const statuses = await Promise.all(names.map(async (name) => (await answerOf(name)).status))
    expect(SESSION_STATUSES.filter((status) => !statuses.includes(status))).toEqual([])
  })
})

describe('the page of a dispute', () => {
  const disputed = names.filter((name) => CASES[name]?.dispute !== undefined)

  test.each(disputed)('%s: tells state, stage, verdict and deadline to each role', async (name) => {
    const id = ids[name]?.disputeId ?? ''
    const { body } = await records.api.call(`/disputes/${encodeURIComponent(id)}`, { token: records.tokens.admin })
    for (const token of Object.values(records.tokens)) {
      const text = await open(`/dispute?disputeId=${encodeURIComponent(id)}`, token)
      expect(text).toContain(shown(body.status))
      expect(text).toContain(body.stage)
      if (body.verdict !== null) expect(text).toContain(shown(body.verdict))
      if (body.deadline !== null) expect(text).toContain(`datetime="${body.deadline}"`)
    }
  })
})
