import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@temporalio/client'
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { SEARCH } from '../../schemas/processes.ts'
import { hasGrpcStatus } from './grpc-status.ts'

const HOUR_MS = 3_600_000
/** Histories are kept for 30 days: longer than a claim with its dispute, which is three weeks. */
export const RETENTION_HOURS = 720
const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_DATETIME } = proto.temporal.api.enums.v1.IndexedValueType
const TYPES = {
  KEYWORD: { name: 'Keyword', code: INDEXED_VALUE_TYPE_KEYWORD },
  DATETIME: { name: 'Datetime', code: INDEXED_VALUE_TYPE_DATETIME },
} as const
const TYPE_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(proto.temporal.api.enums.v1.IndexedValueType).flatMap(([name, code]) =>
    typeof code === 'number' ? [[code, name.replace('INDEXED_VALUE_TYPE_', '').toLowerCase()]] : [],
  ),
)

/** Search attributes of workflows, by name. */
export const SEARCH_ATTRIBUTES: Readonly<Record<string, 'Keyword' | 'Datetime'>> = Object.fromEntries(
  Object.values(SEARCH).map(({ name, type }) => [name, TYPES[type].name]),
)
const CODES: ReadonlyMap<string, number> = new Map(Object.values(SEARCH).map(({ name, type }) => [name, TYPES[type].code]))

/** What a namespace lacks. */
export interface NamespaceGaps {
  isMissing: boolean
  /** Hours for which it keeps histories, if they are too few. */
  retentionHours: number | null
  /** Names of absent search attributes. */
  missing: string[]
  /** Search attributes of another type, which nothing changes. */
  mistyped: { name: string; found: string; wanted: string }[]
}

const attributesOf = async (connection: Connection, namespace: string): Promise<Map<string, number>> => {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  return new Map(Object.entries(customAttributes ?? {}))
}

const missingIn = (found: ReadonlyMap<string, number>): string[] => [...CODES.keys()].filter((name) => !found.has(name))

/** Compares a namespace with what the service needs. */
export const findNamespaceGaps = async (connection: Connection, namespace: string): Promise<NamespaceGaps> => {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace })
    const hours = (optionalTsToMs(config?.workflowExecutionRetentionTtl) ?? 0) / HOUR_MS
    const found = await attributesOf(connection, namespace)
    const mistyped = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, wanted]) => {
      const code = found.get(name)
      return code === undefined || code === CODES.get(name) ? [] : [{ name, found: TYPE_NAMES[code] ?? String(code), wanted }]
    })
    return { isMissing: false, retentionHours: hours < RETENTION_HOURS ? hours : null, missing: missingIn(found), mistyped }
  } catch (error) {
    if (!hasGrpcStatus(error, 'NOT_FOUND')) throw error
    return { isMissing: true, retentionHours: null, missing: [...CODES.keys()], mistyped: [] }
  }
}

/** Registers missing search attributes in a namespace. */
export const registerAttributes = async (connection: Connection, namespace: string): Promise<void> => {
  const missing = missingIn(await attributesOf(connection, namespace))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, CODES.get(name) ?? 0]))
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
}

const retention = () => msToTs(RETENTION_HOURS * HOUR_MS)

const createNamespace = async ({ workflowService }: Connection, namespace: string): Promise<void> => {
  try {
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention() })
  } catch (error) {
    // Another setup was faster.
    if (!hasGrpcStatus(error, 'ALREADY_EXISTS')) throw error
  }
}

/** Every server of a cluster learns of a namespace by itself, within some seconds; calls reach one after the other. */
const READINGS = 3
const PAUSE_MS = 1_000
const SPREAD_MS = 60_000

/** Repeats what may fail while a new namespace spreads. */
const untilSpread = async (what: () => Promise<unknown>): Promise<void> => {
  const end = performance.now() + SPREAD_MS
  for (;;) {
    try {
      await what()
      return
    } catch (error) {
      if (performance.now() >= end) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** Creates what a namespace lacks, and waits until the engine knows it everywhere. A search attribute of another type stays. */
export const fillNamespace = async (connection: Connection, namespace: string, gaps: NamespaceGaps): Promise<void> => {
  const { workflowService } = connection
  if (gaps.isMissing) await createNamespace(connection, namespace)
  if (gaps.retentionHours !== null)
    await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention() } })
  await untilSpread(() => registerAttributes(connection, namespace))
  const query = [...CODES.keys()].map((name) => `${name} is null`).join(' and ')
  for (let readings = 0; readings < READINGS; readings += 1) {
    if (readings > 0 && (gaps.isMissing || gaps.missing.length > 0)) await sleep(PAUSE_MS)
    await untilSpread(() => workflowService.countWorkflowExecutions({ namespace, query }))
  }
}
