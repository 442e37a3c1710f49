import { describe, expect, test } from '@jest/globals'
import type { WorkflowHandle } from '@temporalio/client'
import { optionalTsToMs } from '@temporalio/common/lib/time.js'
import { reportLines } from '../../../domain/audit/report.ts'
import type { AuditReport } from '../../../schemas/audit/record.ts'
import { type FollowProgress, followerProgress } from '../../../schemas/chain/process.ts'
import { gate, HOUR, only, until } from '../support/engine.ts'
import { useEngine } from '../support/use-engine.ts'

const engine = useEngine()

/** What an operator reads of a run. */
const detailsOf = (handle: WorkflowHandle): Promise<string> =>
  handle.query('__temporal_workflow_metadata').then((metadata) => (metadata as { currentDetails: string }).currentDetails)

const progressAt = (round: number): FollowProgress => ({ cursor: String(round), head: '99', lagSeconds: 0, trouble: null })

const FAILED: AuditReport = {
  block: '7',
  results: [
    {
      check: 'journal',
      outcome: 'failed',
      findings: 1,
      reason: null,
      durationMs: 1_000,
      examples: [{ subject: 'transaction 0x1', expected: 'a receipt', found: 'none' }],
    },
  ],
}

describe('the schedule of audits', () => {
  test('is one per chain, however many workers create it, and never runs two audits at once', async () => {
    const [schedule] = await Promise.all([1, 2, 3].map(() => engine.beginAudits(7)))
    await engine.beginAudits(7)
    const { policies, spec } = (await schedule?.describe()) ?? {}
    expect([policies?.overlap, spec?.intervals?.map(({ every }) => every)]).toEqual(['SKIP', [6 * HOUR]])
  })

  test('starts an audit whose result and details are the report', async () => {
    engine.service.play({ runAudit: async () => FAILED })
    const schedule = await engine.beginAudits(8)
    await schedule.trigger()
    const started = async () => (await schedule.describe()).info.recentActions.at(-1)?.action.workflow
    await until(async () => (await started()) !== undefined)
    const handle = engine.client.workflow.getHandle(String((await started())?.workflowId))
    expect(await handle.result()).toEqual(FAILED)
    expect(await detailsOf(handle)).toBe(reportLines(FAILED).join('\n\n'))
    await schedule.delete()
  })
})

describe('the process that follows a chain', () => {
  test('is one per chain, however many workers start it', async () => {
    const held = gate()
    engine.service.play({ followChain: async () => held.passed.then(() => progressAt(1)) })
    const handles = await Promise.all([1, 2, 3].map(() => engine.beginFollower(7)))
    const runs = await Promise.all(handles.map(async (handle) => (await handle.describe()).runId))
    expect(new Set(runs).size).toBe(1)
    await until(() => engine.service.callsOf('followChain').length > 0)
    expect(only(engine.service.callsOf('followChain')).input).toEqual({ chainId: 7 })
    held.open()
  })

  test('shows where it stands, and goes on from there in a new run', async () => {
    const held = gate()
    let [rounds, waiting, isRenewed] = [0, 0, false]
    engine.service.play({
      followChain: async () => {
        if (isRenewed) {
          waiting += 1
          await held.passed
        }
        rounds += 1
        return progressAt(rounds)
      },
    })
    const handle = await engine.beginFollower(8)
    const first = await handle.describe()
    await until(async () => (await handle.describe()).runId !== first.runId)
    isRenewed = true
    await until(() => waiting > 0)
    expect(rounds).toBeGreaterThanOrEqual(60)
    expect(await handle.query(followerProgress)).toEqual(progressAt(rounds))
    expect(await detailsOf(handle)).toBe(`Follows the events of chain 8. Recorded up to block ${rounds} of 99; caught up 0 s before.`)
    const before = rounds
    held.open()
    await until(async () => (await handle.query(followerProgress))?.cursor !== String(before))
  })

  test('is tried again within seconds, however often a try was lost', async () => {
    const lost = 5
    let tries = 0
    engine.service.play({
      followChain: async () => {
        tries += 1
        if (tries <= lost) throw new Error('lost')
        return progressAt(tries)
      },
    })
    const handle = await engine.beginFollower(9)
    let longest = 0
    // Eleven seconds and a half in all, which a busy machine stretches.
    await until(async () => {
      const [waited] = (await handle.describe()).raw.pendingActivities ?? []
      longest = Math.max(longest, optionalTsToMs(waited?.currentRetryInterval) ?? 0)
      return tries > lost
    })
    expect(longest).toBe(4_000)
  })
})
