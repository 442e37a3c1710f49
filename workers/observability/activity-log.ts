import type { Context } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, ActivityInterceptors, Next } from '@temporalio/worker'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { brief } from './error-line.ts'

const IDS = ['requestId', 'jobId', 'sessionId', 'runId', 'verdictId'] as const
/** Asked with every wait for a deadline, or ended and begun again each minute: no news. */
const QUIET = new Set(['millisecondsUntil', 'followChain'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What a step is followed by: the names above, from its input or one level below. Nothing else of an input is logged. */
export const idsOf = (args: readonly unknown[]): Record<string, string> => {
  const inputs = args.filter(isObject)
  const found: Record<string, string> = {}
  for (const holder of [...inputs.flatMap((input) => Object.values(input).filter(isObject)), ...inputs])
    for (const name of IDS) {
      const value = holder[name]
      if (typeof value === 'string') found[name] = value
    }
  return found
}

/** What an end counts as. A code is one of the table's, or the class of an unforeseen failure. */
const endOf = (error: unknown): { outcome: 'refused' | 'failed' | 'cancelled'; code: string } => {
  if (error instanceof CancelledFailure) return { outcome: 'cancelled', code: 'cancelled' }
  const name = error instanceof Error ? error.name : 'unknown'
  if (!(error instanceof ApplicationFailure)) return { outcome: 'failed', code: name }
  return { outcome: error.nonRetryable ? 'refused' : 'failed', code: error.type ?? name }
}

/** A refusal of what somebody asked for, or the end of a worker. A step that stands still is neither. */
const isEveryday = (error: unknown): boolean =>
  error instanceof CancelledFailure || (error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN)

/** Logs and counts every step of a process: which one, for whom, how often tried, how it ended. */
export const observeActivities = (registry: Registry, logger: Pick<Logger, 'debug' | 'info' | 'warn'>) => {
  const activities = new Counter({
    name: 'activities_total',
    help: 'Ended tries of steps.',
    labelNames: ['activity', 'outcome', 'code'],
    registers: [registry],
  })

  return ({ info }: Context): ActivityInterceptors => {
    const { activityType: activity, attempt, workflowExecution } = info
    const base = { activity, attempt, workflowId: workflowExecution?.workflowId }
    const execute = async (input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> => {
      const begun = performance.now()
      const facts = () => ({ ...base, ...idsOf(input.args), milliseconds: Math.round(performance.now() - begun) })
      try {
        const done = await next(input)
        activities.inc({ activity, outcome: 'completed', code: 'none' })
        logger[QUIET.has(activity) ? 'debug' : 'info'](facts(), 'step done')
        return done
      } catch (error) {
        const end = endOf(error)
        activities.inc({ activity, ...end })
        logger[isEveryday(error) ? 'info' : 'warn']({ ...facts(), ...end, reason: brief(error) }, `step ${end.outcome}`)
        throw error
      }
    }
    return { inbound: { execute } }
  }
}
