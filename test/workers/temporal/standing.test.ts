import { expect, test } from '@jest/globals'
import type { StandingProcess } from '../../../activities/common/processes.ts'
import { loadWorkerSubjects } from '../../../workers/subjects.ts'

const subjects = await loadWorkerSubjects()
const standing: StandingProcess[] = subjects.flatMap(({ module }) => module.standing?.({ chainId: 420, name: 'test' }) ?? [])

/** Minutes between two runs of each standing process; null for one run that lasts. */
const PERIODS = {
  audit: 360,
  chainFollower: null,
  ingestion: expect.any(Number),
  integritySweep: 60,
  sessionLog: null,
  staleSweep: 60,
}

test('a process that every worker starts lasts, or comes again by its schedule', () => {
  expect(Object.fromEntries(standing.map(({ workflow, schedule }) => [workflow, schedule?.everyMinutes ?? null]))).toEqual(PERIODS)
})

test('standing processes have ids of their own', () => {
  const ids = standing.map(({ start }) => start.workflowId)
  expect(new Set(ids).size).toBe(ids.length)
})
