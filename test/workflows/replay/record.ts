/**
 * npm run histories [-- --only <ending>]
 *
 * Drives the present processes into every ending on a real server and writes what it kept of them to test/histories/, for test/workflows/replay/replay.test.ts.
 * Each ending has one history; recording replaces it. With --only it records one ending and leaves the others.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { WorkflowContinuedAsNewError, WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { type Engine, startEngine } from '../support/engine.ts'
import type { Step } from '../support/scripted-service.ts'
import { HISTORIES, MANIFEST, RECORDER, type Recorded, readManifest, sha256Of } from './manifest.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

/** A recording that went another way than its name says would guard nothing. */
const assertWent = async ({ ending, result, through }: Scenario, { service }: Engine, answer: unknown): Promise<void> => {
  const missed = Object.entries(through).filter(([step, times]) => service.callsOf(step as Step).length < times)
  const answered = { ...(answer as object), ...result }
  if (missed.length > 0 || JSON.stringify(answered) !== JSON.stringify(answer))
    throw new Error(`${ending} went another way: ${JSON.stringify({ answer, steps: service.steps() })}`)
}

/** The history without what names this machine; a replay reads neither. */
const anonymous = (json: string): string =>
  JSON.stringify(JSON.parse(json), (key, value) => (key === 'stackTrace' ? '' : value)).replaceAll(`${process.pid}@${hostname()}`, RECORDER)

/** A process without end has no result: its run goes on in another one. One that failed names its failure. */
const endOf = (error: unknown): object => {
  if (error instanceof WorkflowContinuedAsNewError) return {}
  if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) return { failed: error.cause.type }
  throw error
}

const record = async (engine: Engine, scenario: Scenario): Promise<string> => {
  try {
    const handle = await scenario.play(engine)
    await assertWent(scenario, engine, await handle.result().catch(endOf))
    return anonymous(historyToJSON(await handle.fetchHistory()))
  } finally {
    await engine.settle()
  }
}

const versions = async ({ client }: Engine): Promise<Recorded['recordedWith']> => {
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string }
  const { serverVersion } = await client.workflowService.getSystemInfo({})
  return { sdk: version, server: serverVersion ?? 'unknown' }
}

/** On a server of its own where the scenario asks for other limits. */
const recordOn = async (shared: Engine, scenario: Scenario): Promise<string> => {
  if (scenario.longAfter === undefined) return record(shared, scenario)
  const own = await startEngine(scenario.longAfter)
  try {
    return await record(own, scenario)
  } finally {
    await own.stop()
  }
}

const recordAll = async (engine: Engine, only: string | undefined): Promise<Recorded[]> => {
  const recordedWith = await versions(engine)
  const recorded: Recorded[] = []
  for (const scenario of SCENARIOS.filter(({ ending }) => only === undefined || ending === only)) {
    const { ending, workflowType } = scenario
    const file = `${ending}.json`
    const text = await recordOn(engine, scenario)
    writeFileSync(`${HISTORIES}${file}`, text)
    recorded.push({ file, workflowType, ending, recordedWith, sha256: sha256Of(text) })
    console.log(`${file}  ${Math.ceil(text.length / 1024)} KiB`)
  }
  return recorded
}

const writeManifest = (recorded: readonly Recorded[]): void => {
  const files = new Set(recorded.map(({ file }) => file))
  const kept = existsSync(MANIFEST) ? readManifest().filter(({ file }) => !files.has(file)) : []
  writeFileSync(MANIFEST, `${JSON.stringify([...kept, ...recorded], null, 2)}\n`)
}

const {
  values: { only },
} = parseArgs({ options: { only: { type: 'string' } } })
mkdirSync(HISTORIES, { recursive: true })
const engine = await startEngine()
try {
  writeManifest(await recordAll(engine, only))
} finally {
  await engine.stop()
}
