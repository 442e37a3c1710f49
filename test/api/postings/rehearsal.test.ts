import { beforeAll, describe, expect, test } from '@jest/globals'
import { createRehearsalHandlers } from '../../../api/postings/rehearsal-handlers.ts'
import { createFixtureSources } from '../../activities/verification/fixtures/fixture.ts'
import { builtJob, NOW } from '../../domain/builders/job.ts'
import { accounts, type Reply, tokenOf } from '../../support/api.ts'
import { quotedPosting } from '../../support/records/posting-rows.ts'
import { useApi } from '../support/started.ts'

const POSTER = accounts.worker
const api = useApi(() => ({ handlers: (deps) => createRehearsalHandlers({ ...deps, verifierSources: createFixtureSources() }) }))
const posting = quotedPosting(builtJob(), POSTER.address.toLowerCase(), NOW)
const MARK = 'a-phrase-that-is-kept-nowhere'
const good = { summary: MARK, output: 'Exponential backoff, jitter, retry budget.', status: 'complete' }

let token = ''
const rehearse = (body: unknown, { draftId = posting.draftId, as = token } = {}): Promise<Reply> =>
  api.call(`/jobs/draft/${draftId}/rehearse`, { token: as, body: body as object })
const stored = () => api.deps.database.rows.selectFrom('posting').selectAll().executeTakeFirstOrThrow()

describe('a rehearsal over HTTP', () => {
  beforeAll(async () => {
    token = await tokenOf(api, POSTER)
    await api.deps.database.rows.insertInto('posting').values(posting).execute()
  })

  test('answers what the verifier says, and the draft keeps the answer', async () => {
    const { status, body } = await rehearse({ submissions: [good] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ draftId: posting.draftId, jobId: posting.jobId })
    expect(body.rehearsal.submissions).toMatchObject([{ index: 0, outcome: 'approved', score: 100 }])
    expect((await stored()).rehearsal).toEqual(body.rehearsal)
  })

  test('stores and logs no submission, and leaves the version of the draft', async () => {
    await rehearse({ submissions: [good, { ...good, status: MARK }, MARK] })
    const row = await stored()
    expect(JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(MARK)
    expect(api.log.join('\n')).not.toContain(MARK)
    expect(row.version).toBe(1)
  })

  test.each([
    ['a draft that does not exist', () => rehearse({ submissions: [] }, { draftId: posting.jobId }), 404, 'external_draft_not_found'],
    [
      'a draft of another wallet',
      async () => rehearse({ submissions: [] }, { as: await tokenOf(api, accounts.other) }),
      403,
      'external_draft_not_owned',
    ],
    ['six submissions', () => rehearse({ submissions: Array(6).fill(good) }), 400, 'invalid_request'],
    ['a submission of more than 16 KiB', () => rehearse({ submissions: [{ output: 'x'.repeat(16_384) }] }), 400, 'invalid_request'],
    ['no submissions at all', () => rehearse({}), 400, 'invalid_request'],
    [
      'a caller without a token',
      () => api.call(`/jobs/draft/${posting.draftId}/rehearse`, { body: { submissions: [] } }),
      401,
      'missing_token',
    ],
  ])('refuses %s', async (_name, send, status, code) => {
    const reply = await send()
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })
})
