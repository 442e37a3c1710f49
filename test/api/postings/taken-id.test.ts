// The id of a draft that another wallet used first in the escrow, over HTTP on a real chain.
import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { tokenOf } from '../../support/api.ts'
import { useStarted } from '../../support/started.ts'
import { freshDefinition, freshPoster, startPostingStage } from '../support/posting-stage.ts'
import { useApi } from '../support/started.ts'

const stage = useStarted(startPostingStage, ({ stop }) => stop())
const api = useApi(() => ({ handlers: () => stage.handlers }))
/** A wallet without a role in the service. */
const account = privateKeyToAccount(generatePrivateKey())
const poster = account.address.toLowerCase() as Hex

let token = ''
beforeAll(async () => {
  token = await tokenOf(api, account)
  await stage.postings.endow(poster)
})
const read = async (path: string) => (await api.call(path, { token })).body
const send = (path: string, body: object) => api.call(path, { token, body })

/** Creates the job of a draft as a stranger who saw the poster's transaction before it was mined. */
const takeId = async ({ jobId, specHash }: { jobId: Hex; specHash: Hex }, rewardRaw: bigint): Promise<Hex> => {
  const stranger = freshPoster()
  await stage.postings.endow(stranger)
  const terms = { rewardRaw, opsReserveRaw: 0n, contingencyReserveRaw: 0n, claimTtlSeconds: 3_600 }
  await stage.postings.create({ jobId, specHash, poster: stranger, ...terms })
  return stranger
}
const AGAIN = { method: 'POST', path: '/jobs/draft', description: expect.stringContaining('Change a word of the definition') }

describe('a draft whose id another wallet used in the escrow', () => {
  test.each([
    ['with other terms', 1_500_000n],
    ['with the same terms', 1_000_000n],
  ])('%s says so in every answer, and with another word it can be posted', async (_name, rewardRaw) => {
    const definition = freshDefinition()
    const { body: draft } = await send('/jobs/draft', { definition })
    const { body: handedOut } = await send(`/jobs/draft/${draft.draftId}/transactions`, {})
    const stranger = await takeId(draft, rewardRaw)
    await expect(stage.send(handedOut.templates)).rejects.toThrow('InvalidState')

    const refusal = { code: 'external_draft_id_taken', details: { draftId: draft.draftId, jobId: draft.jobId, takenBy: stranger } }
    const unread = await send(`/jobs/draft/${draft.draftId}/transactions`, {})
    expect([unread.status, unread.body]).toMatchObject([409, { ...refusal, nextActions: [AGAIN, {}] }])

    await stage.postings.observe(draft)
    const shown = {
      status: 'mismatch',
      mismatch: { field: 'poster', expected: poster, observed: stranger },
      next: AGAIN,
      cancellation: null,
    }
    expect(await read(`/jobs/draft/${draft.draftId}`)).toMatchObject(shown)
    const { jobs } = await read('/poster/jobs')
    expect(jobs.find(({ jobId }: { jobId: string }) => jobId === draft.jobId)).toMatchObject({ ...shown, mismatchField: 'poster' })
    const { status, body } = await send(`/jobs/draft/${draft.draftId}/transactions`, {})
    expect([status, body]).toMatchObject([409, refusal])
    expect((await send('/jobs/draft', { definition })).body).toMatchObject({ jobId: draft.jobId, ...shown })

    const { body: changed } = await send('/jobs/draft', { definition: { ...definition, title: `${definition.title} again` } })
    const { body: built } = await send(`/jobs/draft/${changed.draftId}/transactions`, {})
    await stage.send(built.templates)
    await stage.postings.observe(changed)
    expect(await read(`/jobs/draft/${changed.draftId}`)).toMatchObject({ status: 'live', fundingStatus: 'funded' })
  })

  test('asks for another word also after the stranger took the money back', async () => {
    const { body: draft } = await send('/jobs/draft', { definition: freshDefinition() })
    const stranger = await takeId(draft, 1_000_000n)
    await stage.pass(3_601)
    await stage.world.run(stranger, 'escrow', 'cancelOpenJob', draft.jobId)
    await stage.postings.observe(draft)
    expect(await read(`/jobs/draft/${draft.draftId}`)).toMatchObject({ status: 'mismatch', next: AGAIN, cancellation: null })
    expect((await send(`/jobs/draft/${draft.draftId}/transactions`, {})).body.code).toBe('external_draft_id_taken')
    expect((await send(`/poster/jobs/${draft.jobId}/cancel/transactions`, {})).body).toMatchObject({ code: 'external_job_not_found' })
  })
})
