// What a finished run left behind in every place, without what differs from run to run.

import { formatLog, type Hex, type Log, parseEventLogs, TransactionReceiptNotFoundError } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { chainJobId, disputeId } from '../../../domain/common/ids.ts'
import { findReceiptProblem } from '../../../domain/receipts/work-receipt.ts'
import { logEntry } from '../../../domain/sessions/log-entry.ts'
import { localKey } from '../../../local/keys.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import { verifierWorkflowId } from '../../../schemas/verification/process.ts'
import type { Reply } from '../../e2e/support/http.ts'
import { encode } from '../../e2e/support/jobs.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { isContested, isTimed, isVerified } from '../acts/journeys.ts'
import type { Answers, Task } from '../acts/work.ts'
import type { CrashWorld } from '../crash-world.ts'
import { contestedProcesses, disputeRecords, readDisputeResponse, withoutRationales } from './dispute-print.ts'
import { untilNumbered } from './numbers.ts'

/** Named findings; two runs of one kind agree in all of them. */
export type Print = Record<string, unknown>

/** A verification whose session was decided past it learns of that when it asks again: 15, 30, 60, 120 and 240 s lie between its first tries. */
const ENGINE_MS = 270_000
const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** True when every entry names the hash of the one before it, and its own is the hash of what it says. */
const isChained = (entries: Tables['session_event'][]): boolean =>
  entries
    .map(logEntry)
    .every(({ hash, ...entry }, index) => entry.previousHash === (entries[index - 1]?.hash ?? null) && keccakOf(entry) === hash)

/** Values from the first to the last, each as large as the one before it or larger. */
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value))

/** Events of a job by their public numbers, with everything that they say; a transaction is called by what it did. */
const events = async (world: CrashWorld, jobId: string): Promise<Print> => {
  await followerAtHead(world)
  await untilNumbered(world)
  const { rows } = world.database
  const [found, sent] = await Promise.all([
    rows.selectFrom('event').selectAll().where('jobId', '=', jobId).orderBy('seq').execute(),
    rows.selectFrom('chain_transaction').select(['txHash', 'functionName', 'blockNumber']).where('jobId', '=', jobId).execute(),
  ])
  const sender = (txHash: string | null) => sent.find((one) => one.txHash === txHash)
  /** A transaction by what it did; the block in which the chain was read is another one each time. */
  const named = ({ txHash, blockNumber, ...data }: Record<string, unknown>) => ({
    ...data,
    ...(typeof txHash === 'string' && { txHash: sender(txHash)?.functionName ?? 'unknown to the journal' }),
    ...(blockNumber !== undefined && { blockNumber: '<block>' }),
  })
  const [own, ofChain] = [found.filter(({ source }) => source !== 'chain'), found.filter(({ source }) => source === 'chain')]
  return {
    // Beside the others, not between them: the chain is followed in its own time.
    'events of the chain': ofChain.map(({ topic, severity, data, wallets, sessionId, correlationId }) => [
      ...[topic, severity, data.removed, wallets, sessionId, correlationId],
    ]),
    events: own.map(({ txHash, blockNumber, ...event }) => ({
      topic: event.topic,
      source: event.source,
      phase: event.phase,
      severity: event.severity,
      about: event.correlationId,
      wallets: event.wallets,
      session: event.sessionId,
      data: named(event.data),
      transaction: txHash === null ? null : (sender(txHash)?.functionName ?? 'unknown to the journal'),
      block: blockNumber === null ? null : sender(txHash)?.blockNumber === blockNumber ? 'of the transaction' : 'another',
    })),
    'event numbers': found.map(({ seq }) => (seq === null ? 'none' : 'one')),
    // Those of the chain are written beside the others: whichever commits first has the lower number.
    'events were numbered as they were written': [own, ofChain].every((written) => isRising(written.map(({ id }) => Number(id)))),
  }
}

/** A block as the chain holds it, by the hash of a transaction in it; null where it knows none. */
const minedIn = async ({ view: { client } }: CrashWorld, hash: unknown): Promise<{ number: string; at: number } | null> => {
  const receipt = await client.getTransactionReceipt({ hash: hash as Hex }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  })
  if (receipt === null) return null
  const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber })
  return { number: receipt.blockNumber.toString(), at: Number(timestamp) * 1000 }
}

/** Compares records with the chain: what was sent, by its hash, and whether an instant is that of its block. Null for what has not happened. */
const fromChain = async (world: CrashWorld, jobId: string): Promise<Print> => {
  const { rows } = world.database
  const [sessions, sent] = await Promise.all([
    rows.selectFrom('session').selectAll().where('jobId', '=', jobId).orderBy('attempt').execute(),
    rows.selectFrom('chain_transaction').selectAll().where('jobId', '=', jobId).execute(),
  ])
  const nameOf = (hash: unknown): string => sent.find(({ txHash }) => txHash === hash)?.functionName ?? 'another'
  /** True at the time of a block in which one of these was sent; the journal knows no transaction of other parties. */
  const isOf = (at: number | null, ...names: string[]): boolean | null =>
    at === null ? null : sent.some(({ functionName, blockTime }) => names.includes(functionName) && blockTime === at)
  const whole = await Promise.all(
    sessions.map(async (session) => {
      const hashes = [session.claimTxHash, session.submitTxHash, session.payoutTx?.txHash ?? null]
      const [claim, submit, payout] = await Promise.all(hashes.map((hash) => (hash === null ? null : minedIn(world, hash))))
      const { claimedAt, submittedAt, resolvedAt, rejectedAt, disputedAt, rejectionFinalizedAt, closedAt, expiredAt } = session
      return {
        transactions: hashes.map((hash) => hash && nameOf(hash)),
        blocks: [String(session.claimBlock) === claim?.number, session.payoutTx && String(session.payoutTx.blockNumber) === payout?.number],
        instants: {
          claimed: claimedAt === claim?.at,
          submitted: submittedAt && submittedAt === submit?.at,
          resolved: resolvedAt && resolvedAt === payout?.at,
          rejected: isOf(rejectedAt, 'resolveSinglePayout'),
          disputed: isOf(disputedAt, 'openDisputeFor'),
          final: isOf(rejectionFinalizedAt, 'finalizeRejectedJob', 'resolveDispute'),
          closed: isOf(closedAt, 'autoResolveOnTimeout'),
          expired: expiredAt && expiredAt === session.claimExpiresAt,
        },
      }
    }),
  )
  return {
    'its transactions': whole.map(({ transactions }) => transactions),
    'their blocks': whole.map(({ blocks }) => blocks),
    'its instants': whole.map(({ instants }) => instants),
  }
}

/** Deadlines as lengths from where they begin, and that the work was handed in between claim and deadline. */
const times = async (world: CrashWorld, jobId: string): Promise<Print> => {
  const { database, view, chainFile } = world
  const sessions = await database.rows.selectFrom('session').selectAll().where('jobId', '=', jobId).execute()
  const escrow = { address: liveEscrow(chainFile), abi: escrowCoreAbi } as const
  const { claimExpiry } = await view.client.readContract({ ...escrow, functionName: 'jobs', args: [chainJobId(jobId)] })
  return {
    deadlines: await Promise.all(
      sessions.map(async ({ claimTxHash, claimedAt, claimExpiresAt, evidence }) => {
        const claim = await minedIn(world, claimTxHash)
        if (claim === null) throw new Error(`the chain knows no claim ${claimTxHash}`)
        return {
          // The escrow forgets the deadline of a claim that was disputed.
          'seconds from the claim’s block to its deadline on chain': claimExpiry === 0n ? null : Number(claimExpiry) - claim.at / 1000,
          'milliseconds from the claim to its deadline': claimExpiresAt - claimedAt,
          'milliseconds from the deadline on chain to the recorded one':
            claimExpiry === 0n ? null : claimExpiresAt - Number(claimExpiry) * 1000,
          'milliseconds from the claim’s block to the recorded claim': claimedAt - claim.at,
          'seconds to do the work': evidence.claimTtlSeconds,
        }
      }),
    ),
    'handed in between claim and deadline': sessions.map(
      ({ claimedAt, submittedAt, claimExpiresAt }) => submittedAt !== null && isRising([claimedAt, submittedAt, claimExpiresAt]),
    ),
  }
}

const records = async ({ database: { rows } }: CrashWorld, jobId: string): Promise<Print> => {
  const [intents, sessions, verdicts] = await Promise.all([
    rows.selectFrom('claim_intent').selectAll().where('jobId', '=', jobId).orderBy('attempt').orderBy('createdAt').execute(),
    rows.selectFrom('session').selectAll().where('jobId', '=', jobId).orderBy('attempt').execute(),
    rows.selectFrom('verification').selectAll().where('jobId', '=', jobId).orderBy('seq').execute(),
  ])
  const ids = ['none', ...sessions.map(({ sessionId }) => sessionId)]
  const [moves, badges, receipts, reputation, subsidies] = await Promise.all([
    rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute(),
    rows.selectFrom('badge').selectAll().where('sessionId', 'in', ids).execute(),
    rows.selectFrom('work_receipt').selectAll().where('sessionId', 'in', ids).execute(),
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
      ...[row.verificationSummary, row.payoutTx?.settlement, row.submission, row.evidence.submitFailedAt !== null],
    ]),
    moves: moves.map(({ seq, fromStatus, toStatus, reason }) => [seq, fromStatus, toStatus, reason]),
    'moves are chained': isChained(moves),
    verdicts: verdicts.map(({ seq, outcome, reasonCode, score }) => [seq, outcome, reasonCode, score]),
    reputation: reputation.map(({ kind, appliedSkill, appliedReliability, appliedEconomic }) => [
      ...[kind, appliedSkill, appliedReliability, appliedEconomic],
    ]),
    badges: badges.map(({ worker, category, level }) => [worker, category, level]),
    receipts: receipts.map(({ outcome, receiptId, document }) => [
      ...[outcome, sessions.some(({ workReceiptId }) => workReceiptId === receiptId), findReceiptProblem(JSON.parse(document))],
    ]),
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

/** The events of the escrow for a job, in order. The node filters: of a long command it knows more than one answer may hold. */
const escrowLogs = async ({ view: { client }, chainFile }: CrashWorld, jobId: string): Promise<Log[]> => {
  const job = chainJobId(jobId)
  const whole = { address: liveEscrow(chainFile), fromBlock: '0x0', toBlock: 'latest' } as const
  const places = [
    [null, job],
    [null, null, job],
    [null, null, null, job],
  ]
  const found = await Promise.all(places.map((topics) => client.request({ method: 'eth_getLogs', params: [{ ...whole, topics }] })))
  return found
    .flat()
    .map((log) => formatLog(log))
    .sort((one, other) => Number((one.blockNumber ?? 0n) - (other.blockNumber ?? 0n)) || (one.logIndex ?? 0) - (other.logIndex ?? 0))
}

const onChain = async (world: CrashWorld, { jobId, agent }: Task): Promise<Print> => {
  const { view } = world
  const own = await escrowLogs(world, jobId)
  const standing = await view.standingOf(agent.account.address)
  return {
    'escrow job': await view.escrowOf(jobId),
    'escrow events': parseEventLogs({ abi: escrowCoreAbi, logs: own }).map(({ eventName }) => eventName),
    worker: { ...standing, badges: standing.badges.map(({ level, metadataUri }) => [level, metadataUri]) },
  }
}

/** Runs of a process that took a step. An engine that was killed may be asked twice for a run, and the later one finds all done. */
const runsOf = async ({ engine }: CrashWorld, id: string): Promise<number> => {
  const { count } = await engine.workflow.count(`WorkflowId = '${id}'`)
  if (count <= 1) return count
  const acted: boolean[] = []
  for await (const { runId } of engine.workflow.list({ query: `WorkflowId = '${id}'` })) {
    const { events } = await engine.workflow.getHandle(id, runId).fetchHistory()
    acted.push((events ?? []).some(({ activityTaskScheduledEventAttributes: step }) => step != null))
  }
  return acted.filter(Boolean).length
}

/** Its processes have ended, and one run of each took its steps. */
const processes = async (world: CrashWorld, { jobId, kind }: Task, sessionId: string): Promise<Print> => {
  const verification = isVerified(kind) ? [verifierWorkflowId(sessionId)] : []
  const ids = [claimWorkflowId(jobId), ...verification, ...contestedProcesses(kind, sessionId)]
  const look = () =>
    Promise.all(
      ids.map(async (id) => {
        const { status } = await world.engine.workflow.getHandle(id).describe()
        const count = await runsOf(world, id)
        // A claim asks each day that the dispute runs: where days pass at once it may ask in the very end, and nothing comes of it.
        return [status.name, isTimed(kind) ? Math.min(count, 1) : count]
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

interface Recorded {
  submittedAt: number | null
  resolvedAt: number | null
  evidenceHash: string | null
}

/** Housekeeping forgets a key a day after its answer, at some time or other: whether an old one is still there says nothing. */
const REMEMBERED_MS = 12 * 3_600_000

/** True if a request with this key was put off or not answered: the API that would release the key may have been killed. */
const mayBeLeftOver = (agent: Task['agent']): boolean => agent.repeated().some((text) => /^(202|no answer)/.test(text))

/** A badge without its signature, and whether its instants are those of the record. */
const badgeOf = ({ signature, signers, service, ...badge }: Reply['body'], session: Recorded): Print => {
  const { completedAt, evidenceHash, ...rest } = service
  const happened = (at: string, recorded: number | null): boolean => recorded !== null && Date.parse(at) === recorded
  const at = { worker: session.submittedAt, verifier: session.resolvedAt }
  return {
    ...badge,
    service: rest,
    'completed when it was resolved': happened(completedAt, session.resolvedAt),
    'of the work': evidenceHash === session.evidenceHash,
    signers: signers.map(({ role, at: when, ...signer }: { role: keyof typeof at | 'operator'; at: string }) => [
      ...[role, signer, role === 'operator' || happened(when, at[role])],
    ]),
    signed: [signature?.alg, signature?.kid, Boolean(signature?.sig)],
  }
}

const served = async (world: CrashWorld, { agent, keys }: Task, { claimed, decided }: Answers): Promise<Print> => {
  const { database, call, files } = world
  const { rows } = database
  const { sessionId } = claimed.body
  const [{ document } = { document: null }] = await rows.selectFrom('badge').select('document').where('sessionId', '=', sessionId).execute()
  const [session] = await rows.selectFrom('session').selectAll().where('sessionId', '=', sessionId).execute()
  const path = `/badges/${encode(sessionId)}`
  // One that will never come is answered as not there yet, so only one that must be there is waited for.
  const badge = document === null ? await call(path) : await agent.call(path)
  const bound = await rows
    .selectFrom('idempotency_key')
    .select(['operation', 'responseStatus', 'key'])
    .where((where) =>
      where.or([
        where('subject', '=', agent.account.address.toLowerCase()),
        where('workflowId', 'in', [verifierWorkflowId(sessionId), disputeWorkflowId(sessionId)]),
      ]),
    )
    .where('createdAt', '>', serviceNow({ info: { clockOffsetFile: files.clockOffset } }) - REMEMBERED_MS)
    .orderBy('operation')
    .orderBy('responseStatus')
    .execute()
  return {
    claimed: brief(claimed),
    decided: [decided.status, decided.chainState],
    keys: bound
      .filter(({ key, responseStatus }) => key !== keys.other || responseStatus !== null || !mayBeLeftOver(agent))
      .map(({ operation, responseStatus, key }) => [operation, responseStatus, key === keys.submit]),
    badge: [badge.status, document === null || session === undefined ? null : badgeOf(badge.body, session)],
    'the badge is the record': document === null || JSON.stringify(badge.body) === JSON.stringify(document),
    account: (await agent.call('/account')).body.liquid,
    reputation: (await agent.call('/reputation')).body,
  }
}

/** The keys of the agent block nothing: a repeated request receives the same answer. */
const askedAgain = async ({ agent, jobId, keys, work }: Task, { claimed, submitted }: Answers): Promise<Print> => {
  const again = await agent.submit(claimed.body.sessionId, keys.submit, work)
  return {
    'the claim again': brief(await agent.claim(jobId, keys.claim)).slice(0, 2),
    'the submission again': [again.status, again.body.sessionId],
    'it is answered as before': submitted === undefined ? brief(again) : canonicalJson(again.body) === canonicalJson(submitted.body),
  }
}

/** What the API answers the agent afterwards: its keys block nothing, and everything that it earned is served. */
const readResponses = async (world: CrashWorld, task: Task, answers: Answers): Promise<Print> => ({
  ...(isContested(task.kind) ? await readDisputeResponse(task, answers) : await askedAgain(task, answers)),
  ...(await served(world, task, answers)),
})

const PLATFORM_ACCOUNTS = ['operator', 'treasury', 'verifier', 'arbitrator'] as const
export type Balances = Record<(typeof PLATFORM_ACCOUNTS)[number], bigint>

/** What the platform's own accounts hold: liquid, locked and tokens, in base units. */
export const readBalances = async ({ view }: CrashWorld): Promise<Balances> => {
  const [operator, treasury, verifier, arbitrator] = await Promise.all(
    PLATFORM_ACCOUNTS.map(async (who) => {
      const { liquidRaw, stakedRaw, tokensRaw } = await view.standingOf(localKey(who).address)
      return liquidRaw + stakedRaw + tokensRaw
    }),
  )
  if (operator === undefined || treasury === undefined || verifier === undefined || arbitrator === undefined)
    throw new Error('a balance was not read')
  return { operator, treasury, verifier, arbitrator }
}

/** What the records hold beside the session: its review time, its pull request, who judged it, and whether chain and record mean the same work and dispute. */
const beside = async (world: CrashWorld, jobId: string): Promise<Print> => {
  await followerAtHead(world)
  const { rows } = world.database
  const [sessions, pulls, verdicts, shown, disputes] = await Promise.all([
    rows.selectFrom('session').selectAll().where('jobId', '=', jobId).orderBy('attempt').execute(),
    rows.selectFrom('pull_request').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('verification').selectAll().where('jobId', '=', jobId).orderBy('seq').execute(),
    rows.selectFrom('chain_event').selectAll().where('chainJobId', '=', chainJobId(jobId)).orderBy('blockNumber').execute(),
    rows.selectFrom('dispute').selectAll().where('jobId', '=', jobId).execute(),
  ])
  const named = (event: string) => shown.filter((one) => one.event === event && one.removedAt === null)
  return {
    'review times': sessions.map(({ reviewEndsAt, submittedAt }) => reviewEndsAt && submittedAt && reviewEndsAt - submittedAt),
    'what diverged': sessions.map(({ chainStateDivergence, chainStateDivergedAt }) => [
      chainStateDivergence !== null,
      chainStateDivergedAt !== null,
    ]),
    judges: verdicts.map(({ handler, handlerVersion }) => [handler, handlerVersion]),
    'the work on chain is that of the record': sessions.map(({ evidenceHash }) =>
      named('WorkSubmitted').map(({ args }) => evidenceHash !== null && JSON.stringify(args).includes(evidenceHash)),
    ),
    'the dispute is as old as on chain': disputes.map(({ openedAt, stage }) =>
      stage === 'arbitration' ? named('DisputeOpened').map(({ blockTime }) => blockTime === openedAt) : null,
    ),
    'pull requests': pulls.map(({ repo, number, delivery, disposition, heldBecause, firstState, latestState, stateAtReview }) => [
      ...[repo, number, delivery, disposition, heldBecause],
      ...[firstState, latestState, stateAtReview].map((seen) => seen && [seen.state, seen.merged, seen.ci]),
    ]),
  }
}

const written = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Everything a run left, by the same words for its own job, wallet and times. */
export const readPrint = async (world: CrashWorld, task: Task, answers: Answers): Promise<Print> => {
  const { jobId, agent } = task
  const over = await processes(world, task, answers.claimed.body.sessionId)
  const reads = [records, journal, events, times, beside, fromChain, ...(isContested(task.kind) ? [disputeRecords] : [])]
  const parts = await Promise.all(reads.map((read) => read(world, jobId)))
  const print = Object.assign({}, over, ...parts, await onChain(world, task), await readResponses(world, task, answers))
  const text = withoutRationales(JSON.stringify(print, written))
    .replaceAll(task.repo, '<repo>')
    .replaceAll(jobId, '<job>')
    .replaceAll(chainJobId(jobId), '<job on chain>')
    .replaceAll(disputeId(answers.claimed.body.sessionId), '<dispute>')
    .replaceAll(encode(agent.account.address), '<wallet>')
    .replaceAll(agent.account.address.toLowerCase(), '<wallet>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"<request>"')
  return JSON.parse(text) as Print
}

/** In what two runs differ, one line each. */
export const differences = (expected: Print, found: Print): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((name) => {
    const [wanted, got] = [JSON.stringify(expected[name]), JSON.stringify(found[name])]
    return wanted === got ? [] : [`${name}: ${got} in place of ${wanted}`]
  })
