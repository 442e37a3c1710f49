import { beforeAll, describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { stateMachine } from '../../../domain/sessions/state-machine.ts'
import type { SourceFault } from '../../../local/sources/faults.ts'
import type { TimeTarget } from '../../../local/time/expression.ts'
import { moveTime } from '../../../local/time/move.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { SEARCH } from '../../../schemas/processes.ts'
import { verifierWorkflowId } from '../../../schemas/verification/process.ts'
import { bookMoves } from '../../e2e/support/balances.ts'
import { disputePath, expected, openDispute, RATIONALE } from '../../e2e/support/disputes.ts'
import {
  approvePast,
  becomes,
  chainAhead,
  claimedBy,
  closeAs,
  escrowSend,
  loseProcess,
  policySend,
  postedJob,
  rejectPast,
  rollBack,
  type Subject,
  stranded,
  submit,
  withoutVerifier,
} from '../../e2e/support/edge-cases.ts'
import { BAD_WORK, createJob, encode, fundedAgent, newJob, sessionOf, submitUnderFault } from '../../e2e/support/jobs.ts'
import { handIn, looked, type OfferedWork, offered, play, seenOf, statusOf, until } from '../../e2e/support/pull-requests.ts'
import { useTemporalClient } from '../../e2e/support/temporal-client.ts'
import { endOpenSessions } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { auditStack } from '../../support/audit.ts'
import { oneIn, PLAYS_ALL } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { storeCheckAged } from '../../support/records/verdict-needs.ts'
import { CLAIM_TIMEOUTS, DISPUTE_TIMEOUTS, VERIFIER_TIMEOUTS } from '../../workflows/support/timeouts.ts'
import { hasTest, OTHER_EDGES, OTHER_TIMERS, type TestReference } from './proofs-elsewhere.ts'

const world = useWorld()
const HOUR = 3_600
const REWARD = 1_000_000n
const POSTER_FEE = 50_000n
const STAKE = 100_000n
const FEE = 50_000n
const LOCK = STAKE + FEE
const GAS = 50_000n
const FEE_TO_VERIFIER = (FEE * 7_000n) / 10_000n
const EVIDENCE = `0x${'e'.repeat(64)}`

/** A claim of a job that pins a page, from when the encyclopedia could still be read: its last check is set again until the claim is through. */
const claimedBeforeOutage = async (job: ReturnType<typeof newJob>): Promise<Subject> => {
  const agent = await fundedAgent(world())
  await world().admin.post('/admin/jobs', job, 201)
  for (;;) {
    await storeCheckAged(world().database.rows, 'encyclopedia:en', null, 0)
    const { status, body } = await agent.call('/jobs/claim', { body: { jobId: job.id } })
    if (status === 200) return { agent, session: body }
    expect(body.code).toBe('verifier_not_ready')
  }
}

/** Begins a fault of the sources of the stack, or ends all. */
const sourceFault = async (method: 'POST' | 'DELETE', fault?: SourceFault): Promise<void> => {
  const answer = await fetch(`${world().info.sources}/_script/faults`, { method, body: fault === undefined ? null : JSON.stringify(fault) })
  expect(answer.status).toBe(204)
}

const engine = useTemporalClient(world)
beforeAll(async () => {
  await endOpenSessions(world(), engine)
})

/** What an act moved of each party and of the escrow; the sum of it is zero. */
const moves = ({ agent, session }: Subject, act: () => Promise<unknown>, poster?: Subject['agent']) =>
  bookMoves(world(), { worker: agent.account.address, jobId: session.jobId, ...(poster && { poster: poster.account.address }) }, act)
const NOTHING = { money: {}, retained: 0n }

const pass = async (target: TimeTarget, ...agents: Subject['agent'][]) => {
  await moveTime(world().info, target)
  for (const agent of [world().admin, world().verifier, ...agents]) await agent.signInAgain()
}
/** A process begins with the wall's clock and goes through all that time was moved before, its pauses too: so its own time is measured only after that. */
const catchUp = (...agents: Subject['agent'][]) => pass({ plusSeconds: 1 }, ...agents)
const afterClaim = ({ session }: Subject) => ({ instant: Date.parse(session.claimExpiresAt) + 60_000 })

/** The bond of a claim that ran out: half of the stake to the poster’s wallet, the rest to the treasury. */
const LAPSED = { worker: { locked: -LOCK }, treasury: { liquid: STAKE / 2n + FEE } }
/** The same of a rejection that became final, and the reward goes back to the operator. */
const FINAL = {
  worker: { locked: -LOCK },
  operator: { liquid: REWARD + POSTER_FEE, tokens: STAKE / 2n },
  verifier: { tokens: FEE_TO_VERIFIER },
  treasury: { liquid: STAKE / 2n + FEE - FEE_TO_VERIFIER },
  escrow: { all: -(REWARD + POSTER_FEE) },
}

/** An approval: the bond comes back, and of the reward what is kept for gas goes to the treasury. */
const PAID = {
  money: {
    worker: { liquid: REWARD - GAS + LOCK, locked: -LOCK },
    treasury: { liquid: POSTER_FEE + GAS },
    escrow: { all: -(REWARD + POSTER_FEE) },
  },
  retained: GAS,
}

/** Nothing is decided for good: the whole bond is locked, and nothing of the reward was handed out. */
const holdsAll = async ({ agent, session }: Subject, state: string): Promise<void> => {
  const { stakedRaw } = await world().view.standingOf(agent.account.address)
  expect(stakedRaw).toBe(LOCK)
  expect(await world().view.escrowOf(session.jobId)).toMatchObject({ state, rewardRaw: REWARD, releasedRaw: 0n })
}

/** Asks for a verdict, which approves, once no other run takes the place of the verification. */
const verified = async ({ session }: Subject, free: () => Promise<void>): Promise<void> => {
  await free()
  await world().verifier.post('/verifier/run', { sessionId: session.sessionId })
}
const lastMoveIs = ({ agent, session }: Subject, status: string) =>
  until(
    () => sessionOf(agent, session.sessionId),
    ({ statusHistory }) => statusHistory.at(-1).to === status,
  )

/** How often a process began one of its steps. */
const triesOf = async (workflowId: string, step: string): Promise<number> => {
  const { events } = await engine.workflow.getHandle(workflowId).fetchHistory()
  return (events ?? []).filter(({ activityTaskScheduledEventAttributes: begun }) => begun?.activityType?.name === step).length
}
/** Counts the same once the run waits for its next timer: every signal that came before is handled then. */
const triesWhenWaiting = async (workflowId: string, step: string): Promise<number> => {
  const lastEvent = async () => (await engine.workflow.getHandle(workflowId).fetchHistory()).events?.at(-1)
  await eventually('the run waits for its next timer', lastEvent, (last) => Boolean(last?.timerStartedEventAttributes))
  return triesOf(workflowId, step)
}
const isHeld = (workflowId: string) =>
  until(
    async () => (await engine.workflow.getHandle(workflowId).describe()).searchAttributes[SEARCH.sessionState.name]?.[0],
    (state) => state === 'blocked',
  )

/** A rejection that its worker disputed, and until when the arbitrator may decide. */
const disputedByWorker = async (): Promise<{ subject: Subject; deadline: string }> => {
  const subject = await claimedBy(world())
  await submit(subject, BAD_WORK)
  await becomes(subject, 'submitted', 'rejected')
  await openDispute(world(), subject.agent.account, subject.session)
  await becomes(subject, 'rejected', 'disputed')
  const { deadline } = await subject.agent.get(disputePath(subject.session))
  return { subject, deadline }
}

/** A session whose process is lost, rejected directly on chain. */
const rejectedOnChain = async () => {
  const subject = await stranded(world(), engine)
  await rejectPast(world(), subject)
  return subject
}

/** One more of these, whose window is over. */
let finalOnChain: Awaited<ReturnType<typeof rejectedOnChain>>

/** Final on chain by the worker's own call, and recorded by an operator. */
const closeFinal = async (subject: typeof finalOnChain, outcome: 'timed_out' | 'closed'): Promise<void> => {
  const found = await moves(subject, async () => {
    await escrowSend(world(), subject.agent.account, 'finalizeRejectedJob', [chainJobId(subject.session.jobId)])
    await closeAs(world(), subject, outcome)
  })
  expect(found).toEqual({ money: FINAL, retained: 0n })
  const session = await sessionOf(subject.agent, subject.session.sessionId)
  expect([session.status, session.statusHistory.at(-1).from]).toEqual([outcome, 'submitted'])
  await subject.free()
}

/** What everybody reads of a verdict that another holder of the verifier's role gave: result, summary and history tell the same. */
const chainSays = async ({ agent, session: { sessionId } }: Subject, outcome: 'approved' | 'rejected'): Promise<void> => {
  const shown = { outcome, reasonCode: 'CHAIN_VERDICT_OBSERVED', handler: 'chain' }
  expect(await agent.get(`/verifier/result?sessionId=${encode(sessionId)}`)).toMatchObject(shown)
  const { verificationSummary, statusHistory } = await sessionOf(agent, sessionId)
  const to = outcome === 'approved' ? 'resolved' : 'rejected'
  expect(verificationSummary).toMatchObject(shown)
  expect(statusHistory.filter((move: { to: string }) => move.to === to)).toEqual([expect.objectContaining({ reason: shown.reasonCode })])
}
const forPeople = async (): Promise<Subject> =>
  claimedBy(world(), await createJob(world(), { verifierMode: 'human_fallback', verifierTerms: undefined }))

/** The operator's next transaction would miss those that a fork took: transfers to itself take their numbers. */
const refillNonces = async (lostCount: number): Promise<void> => {
  const { operatorAccount, view } = world()
  for (let count = 0; count < lostCount; count += 1) await view.send(operatorAccount, { to: operatorAccount.address, data: '0x' })
}
const operatorNonce = (): Promise<number> => world().view.client.getTransactionCount({ address: world().operatorAccount.address })

/** Every verdict that was given about a submission, the call for people among them. */
const verdictsOf = ({ session: { sessionId } }: Subject) =>
  world().database.rows.selectFrom('verification').select('id').where('sessionId', '=', sessionId).execute()

/** Rejected by the machine. */
let rejected: Subject
/** People were to decide it when a fork took its submission. */
let lost: Subject

let pullRequest: OfferedWork
const ofPullRequest = async (): Promise<Subject> => ({
  agent: pullRequest.agent,
  session: await sessionOf(pullRequest.agent, pullRequest.sessionId),
})
const pullRequestIs = (status: string) =>
  until(
    () => statusOf(pullRequest),
    (found) => found === status,
  )

/** Edges and timers that this file proves with money, in the order in which time allows it: the far moves first. */
const RUNS: Record<string, () => Promise<void>> = {
  'timer: a verdict that the chain refuses waits fourteen days past its deadline, and then ends by the rule of the contract': async () => {
    const mayArbitrate = (may: boolean) =>
      policySend(world(), 'setArbitrator', [privateKeyToAccount(world().info.keys.arbitrator).address, may])
    const { subject, deadline } = await disputedByWorker()
    const lapsesAt = Date.parse(deadline) + 14 * 24 * HOUR * 1_000
    const workflowId = disputeWorkflowId(subject.session.sessionId)
    const tries = () => triesOf(workflowId, 'applyDecision')
    try {
      const before = await moves(subject, async () => {
        await mayArbitrate(false)
        const body = { verdict: 'dismissed', rationale: RATIONALE }
        const given = world().admin.call(`${disputePath(subject.session)}/verdict`, { body })
        const first = await until(tries, (begun) => begun > 0)
        await pass({ instant: lapsesAt - 5 * 60_000 }, subject.agent)
        await until(tries, (begun) => begun > first)
        await isHeld(workflowId)
        expect([200, 202]).toContain((await given).status)
      })
      expect(before).toEqual(NOTHING)
      await holdsAll(subject, 'disputed')
      expect((await sessionOf(subject.agent, subject.session.sessionId)).status).toBe('disputed')
      const found = await moves(subject, async () => {
        await pass({ plusSeconds: 4 * HOUR }, subject.agent)
        await becomes(subject, 'disputed', 'closed')
      })
      expect(found).toEqual({ money: { ...expected('timeout'), escrow: { all: -(REWARD + POSTER_FEE) } }, retained: 0n })
      expect(await subject.agent.get(disputePath(subject.session))).toMatchObject({ status: 'resolved', verdict: 'timeout' })
    } finally {
      await mayArbitrate(true)
    }
  },
  'submitted > timed_out': async () => {
    const subject = await rejectedOnChain()
    finalOnChain = await rejectedOnChain()
    await pass({ plusSeconds: 7 * 24 * HOUR + 60 }, subject.agent, finalOnChain.agent)
    await closeFinal(subject, 'timed_out')
  },
  'submitted > closed': () => closeFinal(finalOnChain, 'closed'),
  'timer: a pull request is looked at every half hour': async () => {
    pullRequest = await offered(world(), 'acme/edges', 1, { runs: [{ name: 'test', conclusion: 'failure' }] })
    await handIn(pullRequest)
    await looked(world(), pullRequest.sessionId)
    await catchUp(pullRequest.agent)
    // A webhook has it read now, so the half hour begins here.
    const caughtUp = (await seenOf(world(), pullRequest.sessionId)).readAt ?? 0
    await play(world(), 'acme/edges', 1, { runs: [{ name: 'lint', conclusion: 'failure' }] })
    await looked(world(), pullRequest.sessionId, caughtUp)
    const workflowId = verifierWorkflowId(pullRequest.sessionId)
    const looks = () => triesOf(workflowId, 'readPullRequest')
    const begun = await triesWhenWaiting(workflowId, 'readPullRequest')
    const before = (await seenOf(world(), pullRequest.sessionId)).readAt ?? 0
    const found = await moves(await ofPullRequest(), async () => {
      await pass({ plusSeconds: 28 * 60 }, pullRequest.agent)
      expect([await looks(), (await seenOf(world(), pullRequest.sessionId)).readAt]).toEqual([begun, before])
      await pass({ plusSeconds: 3 * 60 }, pullRequest.agent)
      await looked(world(), pullRequest.sessionId, before)
    })
    expect(found).toEqual(NOTHING)
    expect(await looks()).toBe(begun + 1)
    expect(await statusOf(pullRequest)).toBe('submitted')
  },
  'timer: what is undecided after 48 hours goes to people, a pull request and work whose verifier has no answer': async () => {
    const anchorEvidence = { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '1', normalization: 'whitespace' } as const
    await sourceFault('POST', { name: 'wikipedia', kind: '500', times: 1_000_000 })
    const unread = await claimedBeforeOutage(newJob({ verifierConfig: { anchorEvidence } }))
    await submit(unread)
    const works = [await ofPullRequest(), { ...unread, session: await sessionOf(unread.agent, unread.session.sessionId) }]
    const agents = works.map(({ agent }) => agent)
    const [ofFirst = 0, ofSecond = 0] = works.map(({ session }) => Date.parse(session.submittedAt) + 48 * HOUR * 1_000)
    const found = await moves(await ofPullRequest(), async () => {
      await pass({ instant: ofFirst - 120_000 }, ...agents)
      expect(await Promise.all(works.map(verdictsOf))).toEqual([[], []])
      await pass({ instant: ofFirst + 2_000 }, ...agents)
      await pullRequestIs('disputed')
      await pass({ instant: ofSecond - 120_000 }, ...agents)
      expect([(await sessionOf(unread.agent, unread.session.sessionId)).status, await verdictsOf(unread)]).toEqual(['submitted', []])
      await pass({ instant: ofSecond + 2_000 }, ...agents)
      await becomes(unread, 'submitted', 'disputed')
    })
    expect(found).toEqual(NOTHING)
    await holdsAll(unread, 'submitted')
    const called = await unread.agent.get(`/verifier/result?sessionId=${encode(unread.session.sessionId)}`)
    expect(called).toMatchObject({ outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED', escalatedFrom: 'benchmark' })
    await sourceFault('DELETE')
  },
  'timer: the watch of a pull request that people have is begun again after a day when it was lost, and still pays': async () => {
    const given = await verdictsOf(await ofPullRequest())
    await engine.workflow.getHandle(verifierWorkflowId(pullRequest.sessionId)).terminate('lost in this test')
    const before = (await seenOf(world(), pullRequest.sessionId)).readAt ?? 0
    const found = await moves(await ofPullRequest(), async () => {
      await pass({ plusSeconds: 24 * HOUR + 60 }, pullRequest.agent)
      await looked(world(), pullRequest.sessionId, before)
    })
    expect(found).toEqual(NOTHING)
    expect(await verdictsOf(await ofPullRequest())).toEqual(given)
    const paid = await moves(await ofPullRequest(), async () => {
      await play(world(), 'acme/edges', 1, { merged: true })
      await pullRequestIs('resolved')
    })
    expect(paid).toEqual(PAID)
  },
  'timer: a verification that was lost is started again after a day': async () => {
    const subject = await claimedBy(world())
    const free = await withoutVerifier(engine, subject)
    await submit(subject)
    await free()
    const found = await moves(subject, async () => {
      await pass({ plusSeconds: 24 * HOUR + 60 }, subject.agent)
      await becomes(subject, 'submitted', 'resolved')
    })
    expect(found).toEqual(PAID)
  },
  'timer: a dispute that was lost is begun again after a day, and ends the rejection after its seven': async () => {
    const subject = await claimedBy(world())
    await submit(subject, BAD_WORK)
    await becomes(subject, 'submitted', 'rejected')
    await engine.workflow.getHandle(disputeWorkflowId(subject.session.sessionId)).terminate('lost in this test')
    const found = await moves(subject, async () => {
      await pass({ plusSeconds: 8 * 24 * HOUR }, subject.agent)
      await until(
        () => sessionOf(subject.agent, subject.session.sessionId),
        ({ rejectionFinalizedAt }) => rejectionFinalizedAt !== undefined,
      )
    })
    expect(found).toEqual({ money: FINAL, retained: 0n })
  },
  'timer: a claim whose time-out the chain refuses keeps its bond for ten minutes more, and then costs it': async () => {
    const paused = (stands: boolean) => policySend(world(), 'setPaused', [stands])
    const subject = await claimedBy(world())
    const workflowId = claimWorkflowId(subject.session.jobId)
    const tries = () => triesOf(workflowId, 'timeoutClaim')
    await catchUp(subject.agent)
    const before = await moves(subject, async () => {
      await paused(true)
      try {
        await pass(afterClaim(subject), subject.agent)
        await isHeld(workflowId)
      } finally {
        await paused(false)
      }
      const refused = await tries()
      await pass({ plusSeconds: 8 * 60 }, subject.agent)
      expect([refused, await tries()]).toEqual([1, 1])
    })
    expect(before).toEqual(NOTHING)
    await holdsAll(subject, 'claimed')
    expect((await sessionOf(subject.agent, subject.session.sessionId)).statusHistory.at(-1).to).toBe('claimed')
    const found = await moves(subject, async () => {
      await pass({ plusSeconds: 3 * 60 }, subject.agent)
      await lastMoveIs(subject, 'expired')
    })
    expect(found).toEqual({ money: { ...LAPSED, operator: { tokens: STAKE / 2n } }, retained: 0n })
    expect(await tries()).toBe(2)
  },
  'claimed > timed_out': async () => {
    const subject = await claimedBy(world())
    await loseProcess(engine, subject)
    await pass(afterClaim(subject), subject.agent)
    const found = await moves(subject, async () => {
      await escrowSend(world(), subject.agent.account, 'handleClaimTimeout', [chainJobId(subject.session.jobId)])
      await closeAs(world(), subject, 'timed_out')
    })
    expect(found).toEqual({ money: { ...LAPSED, operator: { tokens: STAKE / 2n } }, retained: 0n })
    expect((await sessionOf(subject.agent, subject.session.sessionId)).status).toBe('timed_out')
  },
  'claimed > closed': async () => {
    const { poster, jobId } = await postedJob(world())
    const subject = await claimedBy(world(), jobId)
    const found = await moves(
      subject,
      async () => {
        // Timed out and cancelled by others, before the service's own clock says so.
        await chainAhead(world(), HOUR + 600)
        await escrowSend(world(), subject.agent.account, 'handleClaimTimeout', [chainJobId(jobId)])
        await escrowSend(world(), poster.account, 'cancelOpenJob', [chainJobId(jobId)])
        await pass({ plusSeconds: HOUR + 600 }, subject.agent)
        await lastMoveIs(subject, 'closed')
      },
      poster,
    )
    const back = REWARD + POSTER_FEE
    expect(found).toEqual({ money: { ...LAPSED, poster: { all: back + STAKE / 2n }, escrow: { all: -back } }, retained: 0n })
  },
  'claimed > chain_state_diverged': async () => {
    const subject = await claimedBy(world())
    const found = await moves(subject, async () => {
      await escrowSend(world(), subject.agent.account, 'submitWork', [chainJobId(subject.session.jobId), EVIDENCE])
      await pass(afterClaim(subject), subject.agent)
      await lastMoveIs(subject, 'chain_state_diverged')
    })
    expect(found).toEqual(NOTHING)
    expect(await world().view.escrowOf(subject.session.jobId)).toMatchObject({ state: 'submitted' })
    const body = { sessionId: subject.session.sessionId, outcome: 'closed', note: 'Moved on chain by hand.' }
    const refused = await world().admin.call('/admin/sessions/close', { body })
    expect([refused.status, refused.body.code]).toEqual([409, 'session_money_unsettled'])
    expect(refused.body.nextActions[0].description).toContain('resolveSinglePayout')
    const paid = await moves(subject, async () => {
      await approvePast(world(), subject)
      await closeAs(world(), subject, 'closed')
    })
    expect(paid).toEqual(PAID)
  },
  'new > claimed': async () => {
    const [agent, jobId] = [await fundedAgent(world()), await createJob(world())]
    const found = await moves({ agent, session: { jobId } }, () => agent.post('/jobs/claim', { jobId }))
    const funded = REWARD + POSTER_FEE
    const money = { worker: { liquid: -LOCK, locked: LOCK }, operator: { liquid: -funded }, escrow: { all: funded } }
    expect(found).toEqual({ money, retained: 0n })
    // Its bond stays where it is while later runs count the money of others.
    await engine.workflow.getHandle(claimWorkflowId(jobId)).terminate('not needed any more')
  },
  'claimed > submitted': async () => {
    const subject = await claimedBy(world())
    const free = await withoutVerifier(engine, subject)
    expect(await moves(subject, () => submit(subject))).toEqual(NOTHING)
    expect((await sessionOf(subject.agent, subject.session.sessionId)).status).toBe('submitted')
    expect(await world().view.escrowOf(subject.session.jobId)).toMatchObject({ state: 'submitted' })
    await loseProcess(engine, subject)
    await free()
  },
  'submitted > rejected': async () => {
    rejected = await claimedBy(world())
    const found = await moves(rejected, async () => {
      await submit(rejected, BAD_WORK)
      await becomes(rejected, 'submitted', 'rejected')
    })
    expect(found).toEqual(NOTHING)
    await holdsAll(rejected, 'rejected')
  },
  'rejected > disputed': async () => {
    const found = await moves(rejected, async () => {
      await openDispute(world(), rejected.agent.account, rejected.session)
      await becomes(rejected, 'rejected', 'disputed')
    })
    expect(found).toEqual(NOTHING)
  },
  'submitted > disputed': async () => {
    const { agent, session } = await claimedBy(world())
    const found = await moves({ agent, session }, () => submitUnderFault(world(), engine, { agent, sessionId: session.sessionId }))
    expect(found).toEqual(NOTHING)
    await holdsAll({ agent, session }, 'submitted')
    expect((await sessionOf(agent, session.sessionId)).status).toBe('disputed')
  },
  'an approval directly on chain is paid and badged here as soon as the chain says so': async () => {
    const subject = await claimedBy(world())
    const free = await withoutVerifier(engine, subject)
    await submit(subject)
    const found = await moves(subject, async () => {
      await approvePast(world(), subject)
      await becomes(subject, 'submitted', 'resolved')
    })
    expect(found).toEqual(PAID)
    expect((await subject.agent.call(`/badges/${encode(subject.session.sessionId)}`)).status).toBe(200)
    await chainSays(subject, 'approved')
    await free()
  },
  'what people were to decide is rejected, and may be disputed, when another verifier rejects it directly on chain': async () => {
    const subject = await forPeople()
    await submit(subject)
    await becomes(subject, 'submitted', 'disputed')
    const found = await moves(subject, async () => {
      await rejectPast(world(), subject)
      await becomes(subject, 'disputed', 'rejected')
    })
    expect(found).toEqual(NOTHING)
    await holdsAll(subject, 'rejected')
    await chainSays(subject, 'rejected')
    await openDispute(world(), subject.agent.account, subject.session)
    await becomes(subject, 'rejected', 'disputed')
  },
  'submitted > chain_state_diverged': async () => {
    const subject = await claimedBy(world())
    const free = await withoutVerifier(engine, subject)
    lost = await forPeople()
    const found = await moves(subject, async () => {
      let sent = 0
      await rollBack(world(), async () => {
        await submit(lost)
        await becomes(lost, 'submitted', 'disputed')
        await submit(subject)
        sent = await operatorNonce()
      })
      await refillNonces(sent - (await operatorNonce()))
      expect(await world().view.escrowOf(subject.session.jobId)).toMatchObject({ state: 'claimed' })
      await pass(afterClaim(subject), subject.agent)
      await verified(subject, free)
      await lastMoveIs(subject, 'chain_state_diverged')
    })
    expect(found).toEqual(NOTHING)
    const session = await sessionOf(subject.agent, subject.session.sessionId)
    expect(session.statusHistory.at(-1)).toMatchObject({ from: 'submitted', metadata: { expected: 'submitted', observed: 'claimed' } })
  },
  'a review whose submission a fork took is closed once its claim has lapsed, with its money where it was': async () => {
    const found = await moves(lost, async () => {
      await pass({ plusSeconds: 13 * HOUR }, lost.agent)
      await becomes(lost, 'disputed', 'closed')
    })
    expect(found).toEqual(NOTHING)
    await holdsAll(lost, 'claimed')
    const { statusHistory } = await sessionOf(lost.agent, lost.session.sessionId)
    expect(statusHistory.at(-1)).toMatchObject({ from: 'disputed', metadata: { expected: 'submitted', observed: 'claimed' } })
  },
}

/** Every state of a process that time alone ends, and the timer or wait above that proves it with money. */
const TIMEOUTS: Record<string, string> = {
  'claimSession blocked': 'timer: a claim whose time-out the chain refuses keeps its bond for ten minutes more, and then costs it',
  'claimSession resting': 'timer: a claim whose time-out the chain refuses keeps its bond for ten minutes more, and then costs it',
  'claimSession claimed': 'timer: the claim ends',
  'claimSession submitted': 'timer: a verification that was lost is started again after a day',
  'claimSession contested': 'timer: a dispute that was lost is begun again after a day, and ends the rejection after its seven',
  'dispute blocked':
    'timer: a verdict that the chain refuses waits fourteen days past its deadline, and then ends by the rule of the contract',
  'dispute window': 'timer: a rejection is final after seven days',
  'dispute review': 'timer: what the platform left undecided is halved',
  'dispute arbitration': 'timer: a dispute of the worker ends by the rule of the contract',
  'dispute prepared': 'timer: an unsigned verdict ends by the rule of the contract',
  'verifierRun unavailable': 'timer: what is undecided after 48 hours goes to people, a pull request and work whose verifier has no answer',
  'verifierRun watching': 'timer: a pull request is looked at every half hour',
}

/** Runs that go on with what the one before them left. */
const FOLLOWING: readonly string[] = [
  'submitted > closed',
  'timer: what is undecided after 48 hours goes to people, a pull request and work whose verifier has no answer',
  'timer: the watch of a pull request that people have is begun again after a day when it was lost, and still pays',
  'rejected > disputed',
  'a review whose submission a fork took is closed once its claim has lapsed, with its money where it was',
]
const SEQUENCES = Object.keys(RUNS).reduce<string[][]>((sequences, name) => {
  if (FOLLOWING.includes(name)) sequences.at(-1)?.push(name)
  else sequences.push([name])
  return sequences
}, [])

// The gate walks every fourth sequence; `npm run transitions` walks all.
describe('walked here', () => {
  test.each(oneIn(4, SEQUENCES).flat())('%s', (name) => RUNS[name]?.())
})

describe('the audit of everything walked here', () => {
  test('finds the transactions that a fork removed or the verifier sent directly, and no contradiction of the records', async () => {
    const failed = await auditStack(world())
    const known = [
      ['journal', 'failed'],
      ['signer_nonces', 'failed'],
    ]
    const found = failed.map(({ check, outcome }) => [check, outcome])
    if (PLAYS_ALL) expect(found).toEqual(known)
    else expect(known).toEqual(expect.arrayContaining(found))
  })
})

describe('the tables', () => {
  const walkedHere = Object.keys(RUNS).filter((name) => name.includes(' > '))

  test('name every edge of the graph once, and no other', () => {
    const edges = stateMachine().statuses.flatMap(({ status, allowedTransitions, reopensTo }) =>
      [...allowedTransitions, ...(reopensTo ?? [])].map((to) => `${status} > ${to}`),
    )
    expect([...Object.keys(OTHER_EDGES), ...walkedHere].sort()).toEqual(['new > claimed', ...edges].sort())
  })

  test('name only tests that exist', () => {
    const isThere = (proof: TestReference | string) => (typeof proof === 'string' ? proof in RUNS : hasTest(proof))
    expect(Object.values({ ...OTHER_EDGES, ...OTHER_TIMERS }).filter((proof) => !isThere(proof))).toEqual([])
  })

  test('name a timer for every state that time alone ends', () => {
    const tables = { claimSession: CLAIM_TIMEOUTS, dispute: DISPUTE_TIMEOUTS, verifierRun: VERIFIER_TIMEOUTS }
    const timed = Object.entries(tables).flatMap(([process, timeouts]) =>
      Object.entries(timeouts).flatMap(([state, timeout]) =>
        typeof timeout === 'object' && 'afterMs' in timeout ? [`${process} ${state}`] : [],
      ),
    )
    expect(Object.keys(TIMEOUTS).sort()).toEqual(timed.sort())
    const proofs = { ...RUNS, ...OTHER_TIMERS }
    expect(Object.values(TIMEOUTS).filter((timer) => !(timer in proofs))).toEqual([])
  })
})
