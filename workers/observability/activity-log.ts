import type { Context } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from '@temporalio/common'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, ActivityInterceptors, Next } from '@temporalio/worker'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { brief } from './error-line.ts'

const IDS = ['requestId', 'jobId', 'sessionId', 'runId', 'verdictId'] as const
/** Activities that repeat at least each minute; their success is logged at debug level. */
const QUIET = new Set(['millisecondsUntil', 'followChain'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Ids of an activity's input, from its members or one level below. Nothing else of an input is logged. */
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

/** Outcome of a failed attempt. The code is one of the error table, or the class name of an unexpected failure. */
const endOf = (error: unknown): { outcome: 'refused' | 'failed' | 'cancelled'; code: string } => {
  if (error instanceof CancelledFailure) return { outcome: 'cancelled', code: 'cancelled' }
  const name = error instanceof Error ? error.name : 'unknown'
  if (!(error instanceof ApplicationFailure)) return { outcome: 'failed', code: name }
  return { outcome: error.nonRetryable ? 'refused' : 'failed', code: error.type ?? name }
}

/** An expected end: a refused request, or a stopping worker. A blocked step is neither. */
const isEveryday = (error: unknown): boolean =>
  error instanceof CancelledFailure || (error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN)

/** Logs and counts every attempt of an activity with its ids, attempt number and outcome. */
export const observeActivities = (registry: Registry, logger: Pick<Logger, 'debug' | 'info' | 'warn'>) => {
  const activities = new Counter({
    name: 'activities_total',
    help: 'Ended attempts of activities.',
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
