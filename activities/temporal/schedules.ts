import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, type ScheduleOptions } from '@temporalio/client'
import type { Schedule, ScheduleReading, StandingProcess } from '../common/processes.ts'

/** Creates the schedule of a process, or gives an earlier one the spec of this version. What an operator turned off stays off. */
export const startSchedule = async (client: Client, { workflow, start }: StandingProcess, schedule: Schedule): Promise<void> => {
  const { everyMinutes, jitterSeconds, overlap, catchupMinutes, offNote, keepsArgs } = schedule
  const options: ScheduleOptions = {
    scheduleId: start.workflowId,
    spec: { intervals: [{ every: `${everyMinutes}m` }], ...(jitterSeconds !== undefined && { jitter: `${jitterSeconds}s` }) },
    policies: { overlap, catchupWindow: `${catchupMinutes}m` },
    action: { type: 'startWorkflow', workflowType: workflow, ...start, workflowId: schedule.workflowId ?? start.workflowId },
    ...(offNote !== undefined && { state: { paused: true, note: offNote } }),
  }
  try {
    await client.schedule.create(options)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, policies, action } = options
    await client.schedule.getHandle(options.scheduleId).update(({ state, action: previous }) => ({
      spec,
      state,
      action: keepsArgs === true && previous.args !== undefined ? { ...action, args: previous.args } : action,
      ...(policies && { policies }),
    }))
  }
}

/** Reads a schedule; null without one. */
export const readSchedule = async (client: Client, scheduleId: string): Promise<ScheduleReading | null> => {
  try {
    const { state, spec, action, info } = await client.schedule.getHandle(scheduleId).describe()
    const everyMs = spec.intervals?.[0]?.every
    return {
      isPaused: state.paused,
      note: state.note ?? '',
      args: action.args ?? [],
      everySeconds: everyMs === undefined ? null : Math.round(everyMs / 1000),
      nextRunAt: state.paused ? null : (info.nextActionTimes[0]?.getTime() ?? null),
    }
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null
    throw error
  }
}

/** What an operator changes of a schedule; an absent member stays. */
export interface ScheduleChange {
  isPaused?: boolean
  note?: string
  /** New arguments of its runs from those that it has when it is changed. What it throws, the change rejects with. */
  args?: (previous: readonly unknown[]) => unknown[]
}

/** Changes a schedule. Rejects with `ScheduleNotFoundError` without one. */
export const changeSchedule = (client: Client, scheduleId: string, { isPaused, note, args }: ScheduleChange): Promise<void> =>
  client.schedule.getHandle(scheduleId).update(({ spec, policies, state, action }) => ({
    spec,
    policies,
    state: { ...state, ...(isPaused !== undefined && { paused: isPaused }), ...(note !== undefined && { note }) },
    action: args === undefined ? action : { ...action, args: args(action.args ?? []) },
  }))
