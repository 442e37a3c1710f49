/**
 * npm run histories [-- --only <workflow>]
 *
 * Drives each workflow through its scenario on a real server and writes the history to test/histories/, for
 * test/workflows/replay/replay.test.ts. With --only it records one workflow and leaves the others.
 */
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { WorkflowContinuedAsNewError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import setUp from '../../global-setup.ts'
import tearDown from '../../global-teardown.ts'
import { type Engine, startEngine } from '../support/engine.ts'
import type { Step } from '../support/scripted-service.ts'
import { ENDINGS } from './endings.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

/** Fails when the workflow took another way than its scenario says. */
const assertTaken = ({ result, through }: Scenario, { service }: Engine, answer: object): void => {
  const missed = Object.entries(through).filter(([step, times]) => service.callsOf(step as Step).length < times)
  if (missed.length > 0 || JSON.stringify({ ...answer, ...result }) !== JSON.stringify(answer))
    throw new Error(`it took another way: ${JSON.stringify({ answer, steps: service.steps() })}`)
}

/** The history without what names this machine; a replay reads neither. */
const anonymise = (json: string): string =>
  JSON.stringify(JSON.parse(json), (key, value) => (key === 'stackTrace' ? '' : value)).replaceAll(
    `${process.pid}@${hostname()}`,
    'recorder',
  )

/** A workflow without end has no result: it is continued as new. */
const endOf = (error: unknown): object => {
  if (error instanceof WorkflowContinuedAsNewError) return {}
  throw error
}

const record = async (engine: Engine, scenario: Scenario): Promise<string> => {
  try {
    const handle = await scenario.play(engine)
    assertTaken(scenario, engine, await handle.result().catch(endOf))
    return anonymise(historyToJSON(await handle.fetchHistory()))
  } finally {
    await engine.settle()
  }
}

const {
  values: { only },
} = parseArgs({ options: { only: { type: 'string' } } })
setUp()
try {
  const engine = await startEngine()
  try {
    for (const [workflow, scenario] of Object.entries({ ...SCENARIOS, ...ENDINGS }).filter(
      ([name]) => only === undefined || name === only,
    )) {
      const text = await record(engine, scenario)
      writeFileSync(new URL(`../../histories/${workflow}.json`, import.meta.url), text)
      console.log(`${workflow}.json  ${Math.ceil(text.length / 1024)} KiB`)
    }
  } finally {
    await engine.stop()
  }
} finally {
  await tearDown()
}
