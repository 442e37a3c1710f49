import { parseArgs } from 'node:util'
import { crossChainWorkflowId } from '../../schemas/cross-chain/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import { idleAllocationWorkflowId } from '../../schemas/idle-allocation/process.ts'
import { vestingWorkflowId } from '../../schemas/pool/process.ts'
import { postingWorkflowId } from '../../schemas/postings/process.ts'
import { seed } from '../catalogue/seed.ts'
import { keepPrivate, stateFiles } from '../files.ts'
import type { StackInfo } from '../info.ts'
import { runProgram } from '../program.ts'
import { attach, onStopSignal, STATE_DIRECTORY, type Stack, startStack } from '../stack.ts'
import { bondedFlow } from './bonded-flow.ts'
import { disputeFlows } from './dispute-flow.ts'
import { ingestFlow } from './ingest/flow.ts'
import { locksFlow } from './locks/flow.ts'
import { nativeFlow } from './native/flow.ts'
import { paidFlow } from './paid/flow.ts'
import { type Outcome, placeOf, type StackPlace } from './place.ts'
import { postingFlow } from './postings/flow.ts'
import { missingProof } from './proof.ts'
import { savingsFlow } from './savings/flow.ts'
import { starterFlow } from './starter-flow.ts'

const USAGE = `usage: node local/demo/cli.ts [options]

Runs the starter flow and a bonded claim against the local stack; starts the stack when none runs.

  --once       end afterwards; the exit code is 0 only if the chain shows payment and badge
  --dispute    play a rejection, a dispute, a split verdict and a lapsed window instead, with the time machine;
               the exit code is 0 only if every balance changed as predicted, to the unit
  --savings    earn, save in the deposit pool for two days, borrow, repay and withdraw, with the time machine;
               the exit code is 0 only if every amount of the service equals the chain's
  --locks      lock balance for a term, leave early, lend idle balance, ask another chain, with the time machine;
               the exit code is 0 only if every amount of the service equals the chain's
  --native     sign in with a native account, be refused, map it, earn and unmap it;
               the exit code is 0 only if the chain shows payment and badge, and the whole deposit is back
  --ingest     list jobs of six sources, have the example agent do them for a bond, with faults of the sources off and on;
               the exit code is 0 only if the chain shows every payment and badge
  --posting    two wallets post, fund, claim and submit by their own transactions: approved, disputed, lapsed and cancelled;
               the exit code is 0 only if every balance changed as the quotes foretold, to the unit
  --paid       buy three verdicts on an output: approved, rejected, and one that is not billed;
               the exit code is 0 only if every balance changed by the price or not at all, to the unit
  --dir DIR    where the state of the stack lies (default: .local)`

const say = (line: string): void => console.log(line)

type Link = [name: string, address: string]

/** The page of a process in the Temporal UI; empty without a UI. */
const processLink = ({ info: { temporalUi } }: StackPlace, name: string, workflowId: string): Link[] =>
  temporalUi === undefined ? [] : [[name, `${temporalUi}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`]]

const showLinks = (info: StackInfo, more: Link[]): void => {
  const links: Link[] = [['API', info.api ?? ''], ['API documentation', info.docs ?? ''], ['Console', info.console ?? ''], ...more]
  say('\nLook around\n───────────')
  for (const [name, link] of links) say(`  ${name.padEnd(44)} ${link}`)
}

/** Links to the traces of the flows, and what the chain does not show as it should. */
interface Performed {
  links: Link[]
  failures: string[]
}

const unproved = (outcome: Outcome): string[] => missingProof(outcome).map((failure) => `Not proved on chain: ${outcome.jobId}: ${failure}`)
const unequal = (differences: string[]): string[] => differences.map((difference) => `The chain differs: ${difference}`)

/** Runs both flows; the chain has to show their payments and badges. */
const perform = async (place: StackPlace): Promise<Performed> => {
  place.report.heading('The starter flow: a new key, nine steps, HTTP only')
  const starter = await starterFlow(place)
  place.report.heading('A second agent, with a real bond')
  const bonded = await bondedFlow(place)
  return {
    links: [starter, bonded].flatMap(({ jobId, badgeUrl }): Link[] => [
      [`badge of ${jobId}`, badgeUrl],
      ...processLink(place, 'its workflow', `claim/${jobId}`),
    ]),
    failures: [starter, bonded].flatMap(unproved),
  }
}

/** Runs a rejection, a dispute, a verdict and a lapsed window; the chain has to move the predicted amounts. */
const performDispute = async (place: StackPlace): Promise<Performed> => {
  const ended = await disputeFlows(place)
  return {
    links: ended.flatMap(({ sessionId }) => processLink(place, `what came of ${sessionId.split(':')[0]}`, disputeWorkflowId(sessionId))),
    failures: ended.flatMap(({ differences }) => unequal(differences)),
  }
}

/** Runs the savings flow; each amount of the service has to equal the amount on chain. */
const performSavings = async (place: StackPlace): Promise<Performed> => {
  const { starter, wallet, equalCount, differences } = await savingsFlow(place)
  say(`${equalCount} amounts equal, ${differences.length} unequal.`)
  const vesting = processLink(place, 'the vesting of its deposits', vestingWorkflowId(wallet))
  return { links: [[`badge of ${starter.jobId}`, starter.badgeUrl], ...vesting], failures: [...unproved(starter), ...unequal(differences)] }
}

/** Runs locks, idle balance and cross-chain requests; each amount of the service has to equal the amount on chain. */
const performLocks = async (place: StackPlace): Promise<Performed> => {
  const { lender, requestIds, equalCount, differences } = await locksFlow(place)
  say(`${equalCount} amounts equal, ${differences.length} unequal.`)
  const requests = requestIds.flatMap((requestId) => processLink(place, 'what came of a request', crossChainWorkflowId(requestId)))
  const consent = processLink(place, 'the consent that expired', idleAllocationWorkflowId(lender.toLowerCase()))
  return { links: [...requests, ...consent], failures: unequal(differences) }
}

/** Runs the flow of a native account; the chain has to show payment and badge, and its native side the deposit. */
const performNative = async (place: StackPlace): Promise<Performed> => {
  place.report.heading('A native account: sign in, map, earn, unmap')
  const { outcome, differences } = await nativeFlow(place)
  return { links: [[`badge of ${outcome.jobId}`, outcome.badgeUrl]], failures: [...unproved(outcome), ...unequal(differences)] }
}

/** Plays posted jobs; each balance has to change as quotes and bonds foretold. */
const performPosting = async (place: StackPlace): Promise<Performed> => {
  const { jobIds, differences } = await postingFlow(place)
  return {
    links: jobIds.flatMap((jobId) => processLink(place, `what came of ${jobId.slice(0, 10)}…`, postingWorkflowId(jobId))),
    failures: unequal(differences),
  }
}

/** Buys verdicts; each balance has to change by the price, or not at all. */
const performPaid = async (place: StackPlace): Promise<Performed> => {
  const { runUrls, differences } = await paidFlow(place)
  return { links: runUrls.map((url): Link => ['a run, for who knows its address', url]), failures: unequal(differences) }
}

/** Lists jobs of every source and has them done; the chain has to show their payments and badges. */
const performIngest = async (place: StackPlace): Promise<Performed> => {
  const { outcomes, differences } = await ingestFlow(place)
  return {
    links: outcomes.map(({ jobId, badgeUrl }): Link => [`badge of ${jobId.slice(0, 30)}`, badgeUrl]),
    failures: [...outcomes.flatMap(unproved), ...differences.map((difference) => `Not as it should be: ${difference}`)],
  }
}

const FLOWS = {
  starter: { perform, proved: 'The chain shows both payments and both badges.' },
  dispute: { perform: performDispute, proved: 'Every balance on chain changed as predicted, to the unit.' },
  savings: { perform: performSavings, proved: 'Every amount of the service equals the amount on chain, to the unit.' },
  native: { perform: performNative, proved: 'The chain shows payment and badge, and the whole deposit is back.' },
  posting: { perform: performPosting, proved: 'Every balance on chain changed as the quotes foretold, to the unit.' },
  ingest: { perform: performIngest, proved: 'The chain shows every payment and every badge of the six sources.' },
  paid: { perform: performPaid, proved: 'Every balance on chain changed by the price or not at all, to the unit.' },
  locks: { perform: performLocks, proved: 'Every amount of the service equals the amount on chain, to the unit.' },
}

/** Runs the flows that the caller asked for. Returns true only if the chain proves them. */
const play = async (info: StackInfo, { dir, flow }: Wishes): Promise<boolean> => {
  await seed(info.databaseUrl, stateFiles(dir))
  const { links, failures } = await FLOWS[flow].perform(placeOf(info, say))
  showLinks(info, links)
  for (const failure of failures) console.error(`\n${failure}`)
  if (failures.length > 0) return false
  say(`\n${FLOWS[flow].proved}`)
  return true
}

/** What the caller asked for. */
interface Wishes {
  dir: string
  once: boolean
  flow: keyof typeof FLOWS
}

/** Exit code: 0 when proved, 1 when not or when the stack broke, 130 when the user ended it before. */
const runWith = async (stack: Stack, wishes: Wishes, stopped: Promise<undefined>): Promise<number> => {
  const broken = stack.died.then((reason) => {
    throw new Error(reason)
  })
  const proved = await Promise.race([play(stack.info, wishes), stopped, broken])
  if (proved === undefined) return 130
  const code = proved ? 0 : 1
  if (wishes.once || stack.info.pid !== process.pid) return code
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
  const flag = { type: 'boolean', default: false } as const
  const dir = { type: 'string', default: STATE_DIRECTORY } as const
  const { values } = parseArgs({
    options: {
      once: flag,
      dispute: flag,
      savings: flag,
      locks: flag,
      native: flag,
      posting: flag,
      ingest: flag,
      paid: flag,
      help: flag,
      dir,
    },
  })
  if (values.help) {
    say(USAGE)
    return 0
  }
  const [flow = 'starter', ...more] = (['dispute', 'savings', 'locks', 'native', 'posting', 'ingest', 'paid'] as const).filter(
    (name) => values[name],
  )
  if (more.length > 0) throw new Error('one demo at once: --dispute, --savings, --locks, --native, --posting, --ingest or --paid')
  return demo({ ...values, flow })
}

// Keeps the process alive: an ended child that is awaited does not.
setInterval(() => undefined, 60_000)
process.exit(await runProgram(main))
