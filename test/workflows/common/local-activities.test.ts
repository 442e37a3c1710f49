import { expect, test } from '@jest/globals'
import { WithStartWorkflowOperation } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { lockedDepositStart } from '../../../activities/temporal/siblings.ts'
import { requestExitUpdate } from '../../../schemas/locked-deposits/process.ts'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import { workflowBundle } from '../../support/workflow-bundle.ts'
import { locked, RELEASED } from '../replay/lock-scenarios.ts'
import { DAY } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

test('a local activity of an update waits for that of the process, and a worker can replay the run', async () => {
  const readings = [locked('active', engine.now() + 30 * DAY), RELEASED]
  const ends: string[] = []
  engine.service.play({
    advanceLock: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      ends.push('advanceLock')
      return readings.shift() ?? RELEASED
    },
    exitLock: async () => {
      ends.push('exitLock')
    },
  })
  const { client } = engine
  const id = `0x${'d'.repeat(64)}`
  const start = new WithStartWorkflowOperation('lockedDeposit', {
    ...lockedDepositStart({ v: 1, id, consent: null }, '0xsaver'),
    workflowIdConflictPolicy: 'FAIL',
  })
  await client.workflow.executeUpdateWithStart(requestExitUpdate, { args: [{ requestId: 'r-1' }], startWorkflowOperation: start })
  const handle = await start.workflowHandle()
  expect(await handle.result()).toEqual({ status: 'released' })
  expect(ends).toEqual(['advanceLock', 'exitLock', 'advanceLock'])
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle(), ...ISOLATION }, await handle.fetchHistory(), handle.workflowId)
})
