// What a finished run left behind in every place, without what differs from run to run.
import { type Hex, parseEventLogs } from 'viem'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { keccakOf } from '../../domain/hashes.ts'
import { chainJobId } from '../../domain/ids.ts'
import { localKey } from '../../local/keys.ts'
import { liveEscrow } from '../../schemas/chain-file.ts'
import { claimWorkflowId } from '../../schemas/processes/claim-session.ts'
import { verifierWorkflowId } from '../../schemas/processes/verifier-run.ts'
import { encode, GOOD_WORK } from '../e2e/support/jobs.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Answers, Task } from './work.ts'

/** Named findings; two runs of one kind agree in all of them. */
export type Print = Record<string, unknown>

const ENGINE_MS = 45_000
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** True when every entry names the hash of the one before it, and its own is the hash of what it says. */
const isChained = (entries: { previousHash: string | null; hash: string }[]): boolean =>
  entries.every(({ hash, ...entry }, index) => entry.previousHash === (entries[index - 1]?.hash ?? null) && keccakOf(entry) === hash)

const records = async ({ database: { rows } }: CrashWorld, jobId: string): Promise<Print> => {
  const [intents, sessions, verdicts, events] = await Promise.all([
    rows.selectFrom('claim_intent').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('session').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('verification').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('event').selectAll().where('jobId', '=', jobId).orderBy('id').execute(),
  ])
  const ids = ['none', ...sessions.map(({ sessionId }) => sessionId)]
  const [moves, badges, reputation, subsidies] = await Promise.all([
    rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute(),
    rows.selectFrom('badge').selectAll().where('sessionId', 'in', ids).execute(),
    rows.selectFrom('reputation_event').selectAll().where('sessionId', 'in', ids).execute(),
    rows.selectFrom('subsidy_reservation').selectAll().where('sessionId', 'in', ids).execute(),
  ])
  return {
    intents: intents.map(({ status, attempt, failureCode, exposureRaw, subsidyRaw }) => [
      status,
      attempt,
      failureCode,
      exposureRaw,
      subsidyRaw,
    ]),
    sessions: sessions.map((row) => [
      ...[row.sessionId, row.status, row.chainState, row.attempt, row.countsAsAttempt, row.waived, row.brokered, row.claimNumber],
      ...[row.claimStakeRaw, row.claimFeeRaw, row.exposureRaw, row.rewardRaw, row.poster, row.protocolHistory],
      ...[row.verificationSummary, row.payoutTx?.settlement, row.submission, row.evidence.submitFailedAt],
    ]),
    'their hashes': sessions.map(({ claimTxHash, submitTxHash, payoutTx }) => [claimTxHash, submitTxHash, payoutTx?.txHash].every(Boolean)),
    moves: moves.map(({ seq, fromStatus, toStatus, reason }) => [seq, fromStatus, toStatus, reason]),
    'moves are chained': isChained(moves),
    events: events.map(({ topic, severity }) => [topic, severity]),
    verdicts: verdicts.map(({ seq, outcome, reasonCode, score }) => [seq, outcome, reasonCode, score]),
    reputation: reputation.map(({ kind, appliedSkill, appliedReliability, appliedEconomic }) => [
      ...[kind, appliedSkill, appliedReliability, appliedEconomic],
    ]),
    badges: badges.map(({ worker, category, level }) => [worker, category, level]),
    subsidies: subsidies.map(({ wallet, amountRaw }) => [wallet, amountRaw]),
  }
}

/** Rows of the journal, and that the chain knows each as the journal does. */
const journal = async ({ database: { rows }, view }: CrashWorld, jobId: string): Promise<Print> => {
  const found = await rows
    .selectFrom('chain_transaction')
    .selectAll()
    .where('jobId', '=', jobId)
    .orderBy('signer')
    .orderBy('nonce')
    .execute()
  const receipts = await Promise.all(found.map(({ txHash }) => view.client.getTransactionReceipt({ hash: txHash as Hex })))
  return {
    journal: found.map(({ signer, functionName, status, revertReason }) => [signer, functionName, status, revertReason]),
    'the chain agrees': found.map(({ blockHash }, index) => receipts[index]?.blockHash === blockHash && receipts[index]?.status),
  }
}

const onChain = async ({ view, chainFile }: CrashWorld, { jobId, agent }: Task): Promise<Print> => {
  const logs = await view.client.getLogs({ address: liveEscrow(chainFile), fromBlock: 0n })
  const own = logs.filter(({ topics }) => topics.some((topic) => topic === chainJobId(jobId)))
  const standing = await view.standingOf(agent.account.address)
  return {
    'escrow job': await view.escrowOf(jobId),
    'escrow events': parseEventLogs({ abi: escrowCoreAbi, logs: own }).map(({ eventName }) => eventName),
    worker: { ...standing, badges: standing.badges.map(({ level, metadataUri }) => [level, metadataUri]) },
  }
}

/** Both processes have ended, and there was one run of each. */
const processes = async ({ engine }: CrashWorld, jobId: string, sessionId: string): Promise<Print> => {
  const ids = [claimWorkflowId(jobId), verifierWorkflowId(sessionId)]
  const look = () =>
    Promise.all(
      ids.map(async (id) => {
        const { status } = await engine.workflow.getHandle(id).describe()
        const { count } = await engine.workflow.count(`WorkflowId = '${id}'`)
        return [status.name, count]
      }),
    ).catch((error: unknown) => [[String(error), 0]])
  const isOver = (found: (string | number)[][]): boolean => found.every(([status, count]) => status === 'COMPLETED' && count !== 0)
  let found = await look()
  for (const end = Date.now() + ENGINE_MS; !isOver(found) && Date.now() < end; found = await look()) await sleep(100)
  return { processes: found }
}

const brief = ({ status, body }: { status: number; body: { code?: string; status?: string; sessionId?: string } }) => [
  ...[status, body.code ?? body.status, body.sessionId],
]

/** What the agent is told afterwards: its keys block nothing, and everything that it earned is served. */
const atTheDoor = async ({ database: { rows } }: CrashWorld, { agent, jobId, keys }: Task, answers: Answers): Promise<Print> => {
  const { sessionId } = answers.claimed.body
  const again = await agent.submit(sessionId, keys.submit, GOOD_WORK)
  const badge = await agent.call(`/badges/${encode(sessionId)}`)
  const [{ document } = { document: null }] = await rows.selectFrom('badge').select('document').where('sessionId', '=', sessionId).execute()
  const { worker, reward, claimStake, level, verifierMode } = badge.body.service ?? {}
  const bound = await rows
    .selectFrom('idempotency_key')
    .select(['operation', 'responseStatus', 'key'])
    .where('wallet', '=', agent.account.address.toLowerCase())
    .execute()
  return {
    claimed: brief(answers.claimed),
    decided: [answers.decided.status, answers.decided.chainState],
    'the claim again': brief(await agent.claim(jobId, keys.claim)).slice(0, 2),
    'the submission again': [again.status, again.body.sessionId],
    'it is answered as before': canonicalJson(again.body) === canonicalJson(answers.submitted.body),
    keys: bound.map(({ operation, responseStatus, key }) => [operation, responseStatus, key === keys.submit]),
    badge: [badge.status, worker, reward, claimStake, level, verifierMode],
    'the badge is the record': JSON.stringify(badge.body) === JSON.stringify(document),
    account: (await agent.call('/account')).body.liquid,
    reputation: (await agent.call('/reputation')).body,
  }
}

const EVERYBODY = ['operator', 'treasury', 'verifier'] as const
export type Purses = Record<(typeof EVERYBODY)[number], bigint>

/** What the platform's own accounts hold: liquid, locked and tokens, in base units. */
export const readPurses = async ({ view }: CrashWorld): Promise<Purses> => {
  const [operator, treasury, verifier] = await Promise.all(
    EVERYBODY.map(async (who) => {
      const { liquidRaw, stakedRaw, tokensRaw } = await view.standingOf(localKey(who).address)
      return liquidRaw + stakedRaw + tokensRaw
    }),
  )
  if (operator === undefined || treasury === undefined || verifier === undefined) throw new Error('a purse was not read')
  return { operator, treasury, verifier }
}

const written = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Everything a run left, by the same words for its own job, wallet and times. */
export const readPrint = async (world: CrashWorld, task: Task, answers: Answers): Promise<Print> => {
  const { jobId, agent } = task
  const over = await processes(world, jobId, answers.claimed.body.sessionId)
  const parts = await Promise.all([records(world, jobId), journal(world, jobId), onChain(world, task)])
  const print = Object.assign({}, over, ...parts, await atTheDoor(world, task, answers))
  const text = JSON.stringify(print, written)
    .replaceAll(jobId, '<job>')
    .replaceAll(encode(agent.account.address), '<wallet>')
    .replaceAll(agent.account.address.toLowerCase(), '<wallet>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  return JSON.parse(text) as Print
}

/** In what two runs differ, one line each. */
export const differences = (expected: Print, found: Print): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((name) => {
    const [wanted, got] = [JSON.stringify(expected[name]), JSON.stringify(found[name])]
    return wanted === got ? [] : [`${name}: ${got} in place of ${wanted}`]
  })
