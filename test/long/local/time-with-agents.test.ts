// A move of time while agents claim and submit: the service is healthy again by itself.
import { test } from '@jest/globals'
import { moveTime } from '../../../local/time/move.ts'
import { claim, createJob, fundedAgent, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'

const AGENTS = 20
// Of this file alone: sessions of others would be judged too.
const world = useWorld({ env: {} })

interface Report {
  now: string
  status: string
  warnings: { code: string; severity: string }[]
}

/** What the operations page says: move the money with the transaction of the refusal, then close the session. */
const closeDiverged = async (sessionId: string): Promise<void> => {
  const { admin, view, operatorAccount } = world()
  const close = () =>
    admin.call('/admin/sessions/close', { body: { sessionId, outcome: 'timed_out', note: 'The move of time ended its claim.' } })
  await eventually(`${sessionId} is closed`, async () => {
    const { status, body } = await close()
    const transaction = body.nextActions?.[0]?.transaction
    if (body.code === 'session_money_unsettled' && transaction !== undefined)
      await view.send(operatorAccount, { to: transaction.to, data: transaction.data })
    return status === 200 || body.code === 'session_already_closed'
  })
}

test('health is ok again after a move of two hours with 20 agents at work, once the sessions that it ended are closed', async () => {
  let isOver = false
  let submitted = 0
  const work = Array.from({ length: AGENTS }, async () => {
    const agent = await fundedAgent(world())
    while (!isOver) {
      // A claim that the move ends takes no submission: the agent goes on with the next job.
      const { sessionId } = await claim(agent, await createJob(world())).catch(() => ({ sessionId: null }))
      if (sessionId === null) continue
      await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK }).then(
        () => (submitted += 1),
        () => undefined,
      )
    }
  })
  await eventually(
    'every agent is at work',
    () => submitted,
    (count) => count >= AGENTS,
  )
  const before = submitted
  const { service } = await moveTime(world().info, { plusSeconds: 7_200 })
  await eventually(
    'the agents go on',
    () => submitted,
    (count) => count >= before + AGENTS,
  )
  isOver = true
  await Promise.all(work)
  await world().admin.signInAgain()
  const diverged = await world()
    .database.rows.selectFrom('session')
    .select('sessionId')
    .where('status', '=', 'chain_state_diverged')
    .execute()
  for (const { sessionId } of diverged) await closeDiverged(sessionId)
  await eventually(
    'the service is well',
    async () => {
      const { now, status, warnings } = (await (await fetch(`${world().base}/health`)).json()) as Report
      return { now, status, warnings }
    },
    ({ now, status, warnings }) => Date.parse(now) > service && status === 'ok' && warnings.every(({ severity }) => severity === 'info'),
  )
})
