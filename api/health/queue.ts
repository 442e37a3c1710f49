import { z } from 'zod'
import { createDisputeSource } from '../../activities/health/dispute-queue.ts'
import { createRecordSources, type QueueSource } from '../../activities/health/queue.ts'
import { iso } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { comparePlaces, isAfter, kindsFor, QUEUE_RULES, type QueuePlace } from '../../domain/health/queue.ts'
import { createsNothing, isSilent } from '../../domain/ingestion/schedules.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { listQueue } from '../../schemas/health/admin-operations.ts'
import { QUEUE_KINDS, type QueueKind, type QueueRow } from '../../schemas/health/queue.ts'
import type { Handler } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import type { HealthReader } from './reader.ts'
import { healthReport } from './report.ts'

const Position = z.object({ deadline: InstantKey.nullable(), kind: z.enum(QUEUE_KINDS), id: TextKey })

/** Most workflows of each sort that one answer looks at. */
const STOPPED_LIMIT = 500

const placeOf = ({ deadline, kind, id }: QueueRow): QueuePlace => ({ kind, id, deadline: deadline === null ? null : Date.parse(deadline) })

/** A read that is made once, however often its result is asked for. */
const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= read()
    return made
  }
}

/** A source that is read whole: few rows, which no table holds. */
const wholeSource = (readAll: () => Promise<QueueRow[]>): QueueSource => {
  const readOnce = once(readAll)
  return {
    read: async ({ limit, after }) => {
      const rows = (await readOnce()).toSorted(
        (left, right) => comparePlaces(placeOf(left), placeOf(right)) || (left.id < right.id ? -1 : 1),
      )
      return rows.filter((row) => after === null || isAfter(placeOf(row), after)).slice(0, limit)
    },
    count: async () => ({ count: (await readOnce()).length, atStakeRaw: 0n }),
  }
}

const EMPTY = { since: null, deadline: null, atStake: null, byDefault: null } as const

const readBlocked =
  ({ engine }: Pick<ApiDeps, 'engine'>) =>
  async (): Promise<QueueRow[]> =>
    (await engine.listStoppedRuns(STOPPED_LIMIT)).map(({ workflowId, type, isFailing, sessionId, jobId, deadline }) => ({
      ...{ ...EMPTY, kind: 'blocked', id: workflowId, workflowId, title: `Workflow ${type}` },
      reason: isFailing ? 'workflow_failing' : 'step_refused',
      ...(sessionId !== undefined && { sessionId }),
      ...(jobId !== undefined && { jobId }),
      deadline: deadline ?? null,
      decidedBy: QUEUE_RULES.blocked.decidedBy,
    }))

const readAlarms = (deps: ApiDeps, readHealth: HealthReader) => async (): Promise<QueueRow[]> =>
  healthReport(deps, await readHealth())
    .warnings.filter(({ severity }) => severity !== 'info')
    .map(({ code, message }) => ({
      ...{ ...EMPTY, kind: 'alarm', id: code, title: message, reason: code },
      decidedBy: QUEUE_RULES.alarm.decidedBy,
    }))

const readSources = (readHealth: HealthReader) => async (): Promise<QueueRow[]> => {
  const { snapshot } = await readHealth()
  if (snapshot === null) throw new ServiceError('state_store_unavailable')
  return snapshot.sources.flatMap((source) => {
    const isQuiet = isSilent(source, snapshot.asOf)
    if (!isQuiet && !createsNothing(source)) return []
    const { provider, lastSuccessAt, activeSince } = source
    const since = lastSuccessAt ?? activeSince
    return [
      {
        ...{ ...EMPTY, kind: 'source' as const, id: provider, provider, title: `The source ${provider}` },
        since: since === null ? null : iso(since),
        reason: isQuiet ? 'source_silent' : 'source_creates_nothing',
        decidedBy: QUEUE_RULES.source.decidedBy,
      },
    ]
  })
}

/** The sources of one request: what rows and counts both need is read once. */
const createSources = (deps: ApiDeps, readNow: HealthReader): Record<QueueKind, QueueSource> => {
  const { database, chain } = deps
  const { rows } = database
  const readHealth = once(readNow)
  return {
    review: createDisputeSource(rows, chain, 'review'),
    dispute: createDisputeSource(rows, chain, 'dispute'),
    signature: createDisputeSource(rows, chain, 'signature'),
    ...createRecordSources(rows, chain),
    blocked: wholeSource(readBlocked(deps)),
    alarm: wholeSource(readAlarms(deps, readHealth)),
    source: wholeSource(readSources(readHealth)),
  }
}

/** What waits for a person, from every source that answers. */
export const createQueue = (deps: ApiDeps, readHealth: HealthReader): Handler<typeof listQueue> => {
  const { clock, chain, logger } = deps

  /** Rows and count of a kind; null where its source does not answer. */
  const readKind = async (source: QueueSource, kind: QueueKind, isListed: boolean, page: { limit: number; after: QueuePlace | null }) => {
    try {
      const [counted, rows] = await Promise.all([source.count(), isListed ? source.read(page) : []])
      return { kind, counted, rows }
    } catch (error) {
      logger.warn({ err: error, kind }, 'a source of the queue did not answer')
      return { kind, counted: null, rows: [] }
    }
  }

  return async ({ query, caller }) => {
    const kinds = kindsFor(caller.roles)
    const { kind } = query
    if (kind !== undefined && !kinds.includes(kind))
      throw new ServiceError('missing_role', { details: { requiredRoles: QUEUE_RULES[kind].seenBy } })
    const page = listPage({ ...query, operationId: 'listQueue', filters: { kind, kinds: kinds.join() }, position: Position })
    const wanted = { limit: page.readLimit, after: page.after }
    const sources = createSources(deps, readHealth)
    const read = await Promise.all(kinds.map((one) => readKind(sources[one], one, kind === undefined || kind === one, wanted)))
    const found = read.flatMap(({ rows }) => rows).toSorted((left, right) => comparePlaces(placeOf(left), placeOf(right)))
    const { rows: items, ...envelope } = page.cut(found, placeOf)
    const counts = Object.fromEntries(read.flatMap((one) => (one.counted === null ? [] : [[one.kind, one.counted.count]])))
    const atStakeRaw = read.reduce((sum, { counted }) => sum + (counted?.atStakeRaw ?? 0n), 0n)
    const unreadable = read.filter(({ counted }) => counted === null).map((one) => one.kind)
    const summary = { kinds, counts, atStake: assetAmount(atStakeRaw, chain.asset), unreadable }
    return { status: 200, body: { asOf: iso(clock.now()), summary, items, ...envelope } }
  }
}
