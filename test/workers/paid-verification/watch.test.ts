import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createRunWatch, RUN_METRICS } from '../../../workers/paid-verification/watch.ts'
import { usePayments } from '../../activities/paid-verification/support/payments.ts'
import { type Journal, operator, startJournal } from '../../activities/support/journal-world.ts'
import { collectLog } from '../../support/log.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)

test('the watch of runs counts them by profile and state, and raises an alarm for a payment that stays unknown and a settler without coin', async () => {
  const { logger, lines } = collectLog()
  const { clients } = journal
  const round = createRunWatch({ ...journal.deps, logger, settler: { address: operator.address, clients } })
  const readValue = async (name: string) => (await round()).find(({ metric }) => metric === name)?.value
  expect([await readValue('verification_captures_pending'), await readValue('verification_captures_pending_oldest_seconds')]).toEqual([
    0, 0,
  ])

  await payments.record(await payments.sign(await payments.payer()), 'approved')
  await payments.record(await payments.sign(await payments.payer()), null)
  journal.pass(400)
  await journal.world.rpc('anvil_setBalance', operator.address, '0x1')
  for (const _ of [1, 2]) await round()
  const samples = await round()
  const profile = 'structured-output-evidence-v1@1'
  expect(samples).toContainEqual({ metric: 'verification_runs', labels: { profile, state: 'executed' }, value: 1 })
  expect(samples).toContainEqual({ metric: 'verification_runs', labels: { profile, state: 'authorized' }, value: 1 })
  expect(samples).toContainEqual({ metric: 'verification_captures_pending', value: 1 })
  expect(samples).toContainEqual({ metric: 'verification_settler_payments', value: 0 })
  expect(samples.find(({ metric }) => metric === 'verification_captures_pending_oldest_seconds')?.value).toBeGreaterThanOrEqual(400)
  expect(samples.every(({ metric }) => metric in RUN_METRICS)).toBe(true)
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(['payments of verification stay unknown', 'the settler runs out of native coin for fees']),
  )
  const texts = JSON.stringify([samples, lines])
  for (const { runKey, payer } of await journal.database.rows.selectFrom('verification_run').selectAll().execute())
    for (const secret of [runKey, payer]) expect(texts).not.toContain(secret)
})
