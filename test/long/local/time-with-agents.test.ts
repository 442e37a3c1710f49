// A move of time while agents claim and submit: the service is healthy again by itself.
import { expect, test } from '@jest/globals'
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

test('health is ok again after a move of two hours with 20 agents at work, and no session has diverged', async () => {
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
  const { service, diverged } = await moveTime(world().info, { plusSeconds: 7_200 })
  await eventually(
    'the agents go on',
    () => submitted,
    (count) => count >= before + AGENTS,
  )
  isOver = true
  await Promise.all(work)
  const report = await eventually(
    'the service is well',
    async () => (await fetch(`${world().base}/health`)).json() as Promise<Report>,
    ({ now, status, warnings }) => Date.parse(now) > service && status === 'ok' && warnings.every(({ severity }) => severity === 'info'),
  )
  expect([diverged, report.status]).toEqual([[], 'ok'])
})
