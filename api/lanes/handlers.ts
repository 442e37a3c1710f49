import type { Rows } from '../../activities/database/database.ts'
import { decideLane, readLane } from '../../activities/lanes/lanes.ts'
import { fireTemplate } from '../../activities/lanes/runs.ts'
import { sweepDefinitions } from '../../activities/lanes/sweeps.ts'
import { getTemplate, pauseTemplate, resumeTemplate, templateView } from '../../activities/lanes/templates.ts'
import { iso } from '../../domain/common/instants.ts'
import { servedJob } from '../../domain/eligibility/views/definition.ts'
import { LANES } from '../../schemas/catalogue/job-terms.ts'
import type * as laneOperations from '../../schemas/lanes/operations.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'

type TemplateChange = Pick<Input<typeof laneOperations.pauseTemplate>, 'body' | 'caller' | 'request'>

/** Lanes, recurring templates and sweeps, for operators. Each mutation is one transaction with its idempotency key. */
export const createLaneHandlers = (deps: ApiDeps): HandlersOf<typeof laneOperations> => {
  const { database, clock, settings, chain, evaluations, baseUrl } = deps

  /** Changes a template in one transaction and answers where it stands. */
  const change = (input: TemplateChange, apply: (rows: Rows, template: Awaited<ReturnType<typeof getTemplate>>) => Promise<void>) =>
    withIdempotentTransaction<Answer<typeof laneOperations.pauseTemplate>>(deps, input, async (rows) => {
      const { templateId } = input.body
      await apply(rows, await getTemplate(rows, templateId))
      return { status: 200, body: templateView(await getTemplate(rows, templateId), chain, clock.now()) }
    })

  return {
    listLanes: async () => {
      const now = clock.now()
      const lanes = await Promise.all(LANES.map((lane) => readLane(database.rows, { settings, chain }, lane, now)))
      return { status: 200, body: { lanes } }
    },

    setLaneState: (input) =>
      withIdempotentTransaction<Answer<typeof laneOperations.setLaneState>>(deps, input, async (rows) => {
        const { lane, action, reason } = input.body
        const now = clock.now()
        await decideLane(rows, { lane, paused: action === 'pause', reason, by: input.caller.wallet }, now)
        return { status: 200, body: await readLane(rows, { settings, chain }, lane, now) }
      }),

    fireTemplate: (input) =>
      withIdempotentTransaction<Answer<typeof laneOperations.fireTemplate>>(deps, input, async (rows) => {
        const { templateId, firedAt, reason = null } = input.body
        const at = firedAt === undefined ? null : Date.parse(firedAt)
        const job = await fireTemplate(rows, { templateId, firedAt: at, by: input.caller.wallet, reason }, { settings, clock })
        return { status: 201, body: servedJob(await evaluations.evaluateListing(job, rows), baseUrl) }
      }),

    pauseTemplate: (input) =>
      change(input, (rows, template) => {
        const reason = input.body.reason ?? 'An operator paused it.'
        return pauseTemplate(rows, template, { by: input.caller.wallet, reason }, clock.now())
      }),

    resumeTemplate: (input) =>
      change(input, (rows, template) =>
        resumeTemplate(rows, template, { by: input.caller.wallet, reason: input.body.reason ?? null }, clock.now()),
      ),

    sweepDefinitions: ({ caller }) =>
      database.transaction(async (rows) => {
        const { kind: _kind, startedAt, finishedAt, ...report } = await sweepDefinitions(rows, { clock, by: caller.wallet })
        return { status: 200, body: { ...report, startedAt: iso(startedAt), finishedAt: iso(finishedAt) } }
      }),
  }
}
