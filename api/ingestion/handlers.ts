import { z } from 'zod'
import { findRun, findRunOfWorkflow } from '../../activities/ingestion/runs.ts'
import { listItems, readSources, storeSchedule } from '../../activities/ingestion/sources.ts'
import { answerStatus } from '../../domain/ingestion/answer.ts'
import { ingestKey } from '../../domain/ingestion/key.ts'
import { SOURCE_SCHEDULES } from '../../domain/ingestion/schedules.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type CommonInput, ownMembers, parseOwnInput } from '../../schemas/ingestion/bodies.ts'
import type * as ingestionOperations from '../../schemas/ingestion/operations.ts'
import { type IngestionInput, ingestWorkflowId } from '../../schemas/ingestion/process.ts'
import { PROVIDERS, type Provider } from '../../schemas/ingestion/providers.ts'
import type { IngestAnswer } from '../../schemas/ingestion/record.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import { readInventory } from '../catalogue/inventory.ts'
import type { ApiDeps } from '../deps.ts'
import { withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'
import { itemView, sourceView } from './views.ts'

type RunOperation = typeof ingestionOperations.ingestGithub
type RunInput = Pick<Input<RunOperation>, 'caller' | 'request'> & { body: CommonInput & Record<string, unknown> }
type RunAnswer = Answer<RunOperation>

/** Wait before the request of a run that goes on is sent again; the repeat waits for its end, too. */
const PENDING_SECONDS = 2

const ItemPosition = z.object({ seenAt: InstantKey, provider: z.enum(PROVIDERS), itemKey: TextKey })

/** Own members of a source after their defaults. Throws `invalid_request` with the pointer of a member of `input`. */
const parseInput = (provider: Provider, input: unknown): Record<string, unknown> => {
  const { data, error } = parseOwnInput(provider, input)
  if (data !== undefined) return data
  throw invalidRequest(error.issues.map(({ path, message }) => ({ pointer: ['/input', ...path].join('/'), rule: 'source_input', message })))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Runs over sources, and the sources themselves. Source: http, "Jobs". */
export const createIngestionHandlers = (deps: ApiDeps): HandlersOf<typeof ingestionOperations> => {
  const { database, engine, clock, chain } = deps
  const { rows } = database

  const answerOf = async (answer: IngestAnswer | null | undefined): Promise<RunAnswer> => {
    if (answer == null) throw new Error('an ended run has no answer')
    const body = { ...answer, provider: answer.provider as Provider, inventory: await readInventory(deps) }
    return { status: answerStatus(answer), body }
  }

  const failure = async (workflowId: string, details: string): Promise<ServiceError> => {
    const run = await findRunOfWorkflow(rows, workflowId)
    const { fault, stopped } = run ?? {}
    const resumeAt = stopped?.resumeAt ?? null
    const seconds = resumeAt === null ? 0 : Math.ceil((Date.parse(resumeAt) - Date.now()) / 1000)
    return new ServiceError('upstream_failure', {
      detail: details,
      ...(fault != null && { reason: fault }),
      ...(seconds > 0 && { retryAfterSeconds: seconds }),
      details: { workflowId, ...(resumeAt !== null && { resumeAt }) },
    })
  }

  const run =
    (provider: Provider) =>
    async ({ body, caller, request }: RunInput): Promise<RunAnswer> => {
      const { dryRun, limit, minScore } = body
      const asked = { input: parseInput(provider, ownMembers(body)), dryRun, limit, minScore }
      const workflowId = ingestWorkflowId(provider, ingestKey(provider, asked, request.idempotencyKey))
      const start: IngestionInput = { v: 1, provider, ...asked, origin: 'request', requestedBy: caller.wallet }
      return withProcessKey<RunAnswer>(deps, { caller, request }, async () => {
        const call = await engine.runIngestion(workflowId, start, request.idempotencyKey !== null)
        if (call.kind === 'pending')
          return { status: 202, body: { provider, status: 'running', workflowId, dryRun, retryAfterSeconds: PENDING_SECONDS } }
        if (call.kind === 'failed') throw await failure(workflowId, call.details)
        const ended = call.runId === null ? await findRunOfWorkflow(rows, workflowId) : await findRun(rows, call.runId)
        return answerOf(ended?.answer)
      })
    }

  const sources = async () => {
    const wallNow = Date.now()
    return (await readSources(rows, clock.now())).map((one) => sourceView(one, chain.asset, wallNow))
  }

  /** Arguments of the runs of a schedule with what an operator changes of them. */
  const changedRun = (
    { provider, dryRun, input }: Input<typeof ingestionOperations.steerSource>['body'],
    [previous]: readonly unknown[],
  ): IngestionInput => {
    const { input: usual, limit, minScore } = SOURCE_SCHEDULES[provider]
    const given: Partial<IngestionInput> = isObject(previous) ? previous : {}
    const run = { limit, minScore, dryRun: true, input: usual, ...given, v: 1, provider, origin: 'schedule', requestedBy: null } as const
    return { ...run, ...(dryRun !== undefined && { dryRun }), ...(input !== undefined && { input: parseInput(provider, input) }) }
  }

  return {
    ingestGithub: run('github'),
    ingestWikipedia: run('wikipedia'),
    ingestOsv: run('osv'),
    ingestOpenData: run('open-data'),
    ingestOpenapi: run('openapi'),
    ingestStandards: run('standards'),

    listSources: async () => ({ status: 200, body: { sources: await sources() } }),

    listSourceItems: async ({ query }) => {
      const { provider, outcome } = query
      const page = listPage({ ...query, operationId: 'listSourceItems', filters: { provider, outcome }, position: ItemPosition })
      const found = await listItems(rows, { provider, outcome, limit: page.readLimit, after: page.after })
      const { rows: items, ...envelope } = page.cut(found, ({ seenAt, provider: source, itemKey }) => ({
        seenAt,
        provider: source,
        itemKey,
      }))
      return { status: 200, body: { items: items.map(itemView), ...envelope } }
    },

    steerSource: (input) =>
      withProcessKey<Answer<typeof ingestionOperations.steerSource>>(deps, input, async () => {
        const { body, caller, request } = input
        const { provider, action } = body
        // A schedule keeps its last note, which says the opposite after the next action.
        const note = body.note ?? (action === 'trigger' ? undefined : `${action === 'pause' ? 'Paused' : 'Resumed'} by ${caller.wallet}.`)
        const isChanged = body.dryRun !== undefined || body.input !== undefined
        const changeArgs = (previous: readonly unknown[]): unknown[] => {
          const changed = changedRun(body, previous)
          if (action !== 'pause') parseInput(provider, changed.input)
          return isChanged ? [changed] : [...previous]
        }
        const reading = await engine.changeSourceSchedule(provider, {
          ...(action !== 'trigger' && { isPaused: action === 'pause' }),
          ...(note !== undefined && { note }),
          args: changeArgs,
        })
        if (action === 'trigger') {
          const changed = changedRun(body, reading.args)
          const key = ingestKey(provider, changed, `${caller.wallet} ${request.idempotencyKey ?? request.id}`)
          await engine.beginIngestion(ingestWorkflowId(provider, key), { ...changed, origin: 'steer', requestedBy: caller.wallet })
        }
        await storeSchedule(rows, provider, reading, clock.now())
        const source = (await sources()).find((one) => one.provider === provider)
        if (source === undefined) throw new Error(`no figures of ${provider}`)
        return { status: 200, body: source }
      }),
  }
}
