import { parseArgs } from 'node:util'
import { readChainFile } from '../schemas/chain/chain-file.ts'
import { disputeWorkflowId } from '../schemas/disputes/process.ts'
import { bondedFlow } from './demo/bonded-flow.ts'
import { createChainView } from './demo/chain.ts'
import { disputeFlows } from './demo/dispute-flow.ts'
import type { Place } from './demo/place.ts'
import { missingProof } from './demo/proof.ts'
import { createReport } from './demo/report.ts'
import { starterFlow } from './demo/starter-flow.ts'
import { keepPrivate, stateFiles } from './files.ts'
import type { StackInfo } from './info.ts'
import { seed } from './seeds.ts'
import { attach, onStopSignal, STATE_DIRECTORY, type Stack, startStack } from './stack.ts'

const USAGE = `usage: node local/demo.ts [options]

Runs the starter flow and a bonded claim against the local stack; starts the stack when none runs.

  --once       end afterwards; the exit code is 0 only if the chain shows payment and badge
  --dispute    play a rejection, a dispute, a split verdict and a lapsed window instead, with the time machine;
               the exit code is 0 only if every balance changed as predicted, to the unit
  --dir DIR    where the state of the stack lies (default: .local)`

const say = (line: string): void => console.log(line)

const placeOf = (info: StackInfo): Place & { base: string } => {
  if (info.api === undefined) throw new Error('the stack runs without API and worker: end it and start the demo again')
  const chain = readChainFile(info.chainFile)
  return { base: info.api, chain: createChainView(chain, info.rpcUrl), report: createReport(say), asset: chain.asset }
}

type Link = [name: string, address: string]

/** The page of a process in the Temporal UI; empty without a UI. */
const processLink = ({ temporalUi }: StackInfo, name: string, workflowId: string): Link[] =>
  temporalUi === undefined ? [] : [[name, `${temporalUi}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`]]

const showLinks = (info: StackInfo, more: Link[]): void => {
  const links: Link[] = [['API', info.api ?? ''], ['API documentation', info.docs ?? ''], ...more]
  say('\nLook around\n───────────')
  for (const [name, link] of links) say(`  ${name.padEnd(44)} ${link}`)
}

/** Runs both flows. Returns true only if the chain shows their payments and badges. */
const perform = async (info: StackInfo, dir: string): Promise<boolean> => {
  await seed(info.databaseUrl, stateFiles(dir))
  const place = placeOf(info)
  place.report.heading('The starter flow: a new key, nine steps, HTTP only')
  const starter = await starterFlow(place)
  place.report.heading('A second agent, with a real bond')
  const bonded = await bondedFlow({ ...place, report: createReport(say) })
  showLinks(
    info,
    [starter, bonded].flatMap(({ jobId, badgeUrl }): Link[] => [
      [`badge of ${jobId}`, badgeUrl],
      ...processLink(info, 'its workflow', `claim/${jobId}`),
    ]),
  )
  const missing = [starter, bonded].flatMap((outcome) => missingProof(outcome).map((failure) => `${outcome.jobId}: ${failure}`))
  for (const failure of missing) console.error(`\nNot proved on chain: ${failure}`)
  if (missing.length === 0) say('\nThe chain shows both payments and both badges.')
  return missing.length === 0
}

/** Runs a rejection, a dispute, a verdict and a lapsed window. Returns true only if the chain moved the predicted amounts. */
const performDispute = async (info: StackInfo, dir: string): Promise<boolean> => {
  await seed(info.databaseUrl, stateFiles(dir))
  const ended = await disputeFlows({ ...placeOf(info), info, chainFile: readChainFile(info.chainFile) }, () => createReport(say))
  showLinks(
    info,
    ended.flatMap(({ sessionId }) => processLink(info, `what came of ${sessionId.split(':')[0]}`, disputeWorkflowId(sessionId))),
  )
  const differences = ended.flatMap((end) => end.differences)
  for (const difference of differences) console.error(`\nThe chain differs: ${difference}`)
  if (differences.length === 0) say('\nEvery balance on chain changed as predicted, to the unit.')
  return differences.length === 0
}

/** What the caller asked for. */
interface Wishes {
  dir: string
  once: boolean
  dispute: boolean
}

/** Exit code: 0 when proved, 1 when not or when the stack broke, 130 when the user ended it before. */
const runWith = async (stack: Stack, { dir, once, dispute }: Wishes, stopped: Promise<undefined>): Promise<number> => {
  const broken = stack.died.then((reason) => {
    throw new Error(reason)
  })
  const proved = await Promise.race([(dispute ? performDispute : perform)(stack.info, dir), stopped, broken])
  if (proved === undefined) return 130
  const code = proved ? 0 : 1
  if (once || stack.info.pid !== process.pid) return code
  say('\nThe stack keeps running. Ctrl-C ends it.')
  await Promise.race([stopped, broken])
  return code
}

const demo = async (wishes: Wishes): Promise<number> => {
  const { stopped, signal } = onStopSignal('Ending')
  let stack: Stack
  say('Finding the local stack, or starting it (some ten seconds) …')
  try {
    stack = (await attach(wishes.dir)) ?? (await startStack({ dir: wishes.dir, signal, say }))
  } catch (error) {
    if (signal.aborted) return 130
    throw error
  }
  try {
    return await runWith(stack, wishes, stopped)
  } finally {
    await stack.stop()
  }
}

const main = async (): Promise<number> => {
  keepPrivate()
  const options = { once: { type: 'boolean' }, dispute: { type: 'boolean' }, dir: { type: 'string' }, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    say(USAGE)
    return 0
  }
  return demo({ dir: values.dir ?? STATE_DIRECTORY, once: values.once ?? false, dispute: values.dispute ?? false })
}

// Keeps the process alive: an ended child that is awaited does not.
setInterval(() => undefined, 60_000)
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
