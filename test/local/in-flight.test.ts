import { expect, test } from '@jest/globals'
import { moveBetweenSubmissions } from '../../local/time/in-flight.ts'
import { NOW, openOwnDatabase } from '../api/support/account-world.ts'
import { addSession } from '../api/support/work-rows.ts'
import { useStarted } from '../support/started.ts'

const own = useStarted(openOwnDatabase, ({ close }) => close())
const WORKER = `0x${'a1'.repeat(20)}`
const SUBMISSION = { kind: 'structured', payload: {} } as never

const change = (sessionId: string, values: object) =>
  own.database.rows.updateTable('session').set(values).where('sessionId', '=', sessionId).execute()

test('time moves at once past a claim without a submission', async () => {
  await addSession(own.database, WORKER, 'unsubmitted', NOW)
  expect(await moveBetweenSubmissions(own.url, async () => 'moved')).toEqual({ moved: 'moved', diverged: [] })
})

test('time does not move while an accepted submission is on its way, and moves once the chain has it', async () => {
  const id = await addSession(own.database, WORKER, 'under-way', NOW, { submission: SUBMISSION })
  const order: string[] = []
  const move = moveBetweenSubmissions(own.url, async () => void order.push('moved'))
  await own.database.rows.selectFrom('session').select('sessionId').execute()
  order.push('submitted')
  await change(id, { status: 'submitted', submittedAt: NOW })
  await move
  expect(order).toEqual(['submitted', 'moved'])
})

test('a move names the sessions that diverged meanwhile, and none of before', async () => {
  const [before, meanwhile] = [
    await addSession(own.database, WORKER, 'diverged-before', NOW, { status: 'chain_state_diverged', chainStateDivergedAt: NOW }),
    await addSession(own.database, WORKER, 'diverges', NOW),
  ]
  const { diverged } = await moveBetweenSubmissions(own.url, () =>
    change(meanwhile, { status: 'chain_state_diverged', chainStateDivergedAt: NOW }),
  )
  expect([diverged, diverged.includes(before)]).toEqual([[meanwhile], false])
})
