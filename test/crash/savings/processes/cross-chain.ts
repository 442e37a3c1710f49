import { sql } from 'kysely'
import type { Hex } from 'viem'
import { LEG_FEE } from '../../../../local/chain/remote-side.ts'
import {
  type CrossChainActivities,
  type CrossChainRecordActivities,
  crossChainWorkflowId,
  requestChanged,
} from '../../../../schemas/cross-chain/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { type Effect, event, type ProcessRow, type Scenario } from '../scenario.ts'
import { type Stage, waitFor } from '../stage.ts'

const AMOUNT = 5_000_000n
const ARRIVING = AMOUNT - LEG_FEE
const SUCCEEDED = 2
const CANCELLED = 4
/** Tries before an operator is needed. */
const TRIES = 5

/** A deposit to another chain, queued by its first act. */
const deposit = async (stage: Stage) => {
  const { account } = await stage.saver(0n)
  const { requestId, queue } = await stage.script((script) => script.prepareDeposit(account.address, AMOUNT))
  const { rows } = stage.database
  const watch = () => rows.selectFrom('cross_chain_watch').selectAll().where('requestId', '=', requestId).executeTakeFirst()
  const outcome = () => rows.selectFrom('cross_chain_outcome').selectAll().where('requestId', '=', requestId).executeTakeFirst()
  /** The process looks again now: one that waits for its turn or for its next try would take a quarter of a minute. */
  const wake = () => stage.engine.workflow.getHandle(crossChainWorkflowId(requestId)).signal(requestChanged)
  /** The follower has recorded the request and notified its process, which receives nothing of it later. */
  const isQueued = async () => {
    const found = await sql`select 1 from chain_event where event = 'RequestQueued' and args->>'requestId' = ${requestId}
      and notified_revision >= revision`.execute(rows)
    return found.rows.length > 0
  }
  return {
    key: requestId.toLowerCase(),
    requestId,
    wake,
    watch,
    outcome,
    queue: async () => {
      await stage.script(queue)
      await waitFor('the queued request', isQueued)
    },
    observe: (facts: object) => stage.operatorPost('/admin/xcm/observe', { requestId, ...facts }),
    settled: () => waitFor(`the settlement of ${requestId}`, async () => (await outcome())?.processedAt),
    /** Whether a watch began is a matter of turns, unless the scenario is about it. */
    readEnd:
      (isWatched: boolean): Scenario['readEnd'] =>
      async () => {
        const end = await readCommonEnd(stage, { workflowId: crossChainWorkflowId(requestId), wallet: account.address, key: requestId })
        const { 'xcm.balance_watch_started': started, ...events } = end.events as Record<string, number>
        const { status, settledAssets, settledShares } = await stage.script((script) => script.request(requestId))
        const instants = ['observedAt', 'recordedAt', 'processedAt', 'exhaustedAt', 'remoteRef']
        return {
          ...end,
          events: isWatched ? { ...events, started } : events,
          watch: isWatched && shapeOf((await watch()) ?? {}, ['startedAt', 'endsAt', 'endedAt', 'startRaw'], ['wrapper', 'requestId']),
          outcome: shapeOf((await outcome()) ?? {}, instants, ['wrapper', 'requestId', 'remoteBalanceRaw']),
          'on chain': [status, String(settledAssets), String(settledShares)],
        }
      },
  }
}

/** The balance at the destination is watched, and the amount arrives. */
const arrived = async (stage: Stage): Promise<Scenario> => {
  const { key, requestId, queue, wake, watch, settled, readEnd } = await deposit(stage)
  return {
    key,
    acts: {
      queue: async () => {
        await queue()
        await waitFor('the watch', async () => (await watch())?.startRaw != null || (await wake().then(() => false)))
      },
      arrive: async () => {
        await stage.script(async (script) => {
          await script.dispatchDeposit(requestId as Hex)
          await script.sharesArrive(ARRIVING)
        })
        await wake()
        await settled()
      },
    },
    readEnd: readEnd(true),
  }
}

/** An operator observes the outcome. */
const observed = async (stage: Stage): Promise<Scenario> => {
  const { key, queue, observe, settled, readEnd } = await deposit(stage)
  const cancel = async () => {
    await observe({ status: 'cancelled' })
    await settled()
  }
  return { key, acts: { queue, observe: cancel }, readEnd: readEnd(false) }
}

/** The contracts refuse the outcome until its tries are used up; a later observation is settled. */
const refused = async (stage: Stage): Promise<Scenario> => {
  const { key, requestId, queue, observe, outcome, wake, settled, readEnd } = await deposit(stage)
  const { rows } = stage.database
  const failures = async () => {
    const found = rows.selectFrom('event').select('id').where('correlationId', '=', requestId)
    return (await found.where('topic', '=', 'xcm.request_finalize_failed').execute()).length
  }
  const refusedAgain = async () => {
    const before = await failures()
    await wake()
    await waitFor('the next refusal', async () => (await failures()) > before)
  }
  return {
    key,
    acts: {
      queue,
      observe: async () => {
        await observe({ status: 'succeeded', settledAssets: '1', settledShares: '7' })
        await waitFor('the first refusal', async () => (await failures()) > 0)
      },
      retry: async () => {
        for (let tries = 2; tries < TRIES; tries += 1) await refusedAgain()
      },
      exhaust: async () => {
        await wake()
        await waitFor('the end of the tries', async () => (await outcome())?.exhaustedAt)
      },
      cancel: async () => {
        await observe({ status: 'cancelled' })
        await settled()
      },
    },
    readEnd: readEnd(false),
  }
}

/** Another party settles the request on chain. */
const settledElsewhere = async (stage: Stage): Promise<Scenario> => {
  const { key, requestId, queue, settled, readEnd } = await deposit(stage)
  const settle = async () => {
    await stage.script((script) => script.settleAsOwner(requestId as Hex, CANCELLED))
    await settled()
  }
  return { key, acts: { queue, settle }, readEnd: readEnd(false) }
}

const SETTLED = { process: 'COMPLETED', transactions: [['settleRequest', 'mined']] }
const IS_CANCELLED = { outcome: { status: 'cancelled', processedAt: true }, 'on chain': [CANCELLED, '0', '0'] }

const during = (scenario: string, act: string, topic: string, more: Partial<Effect> = {}): Effect => ({
  scenario,
  act,
  record: event(topic),
  ...more,
})

export const crossChainRequest: ProcessRow<CrossChainActivities & CrossChainRecordActivities> = {
  scenarios: {
    arrived: {
      create: arrived,
      leaves: {
        ...SETTLED,
        outcome: { status: 'succeeded', settledAssetsRaw: String(ARRIVING), processedAt: true },
        events: { 'xcm.balance_watch_succeeded': 1, 'xcm.outcome_observed': 1, 'xcm.request_auto_finalized': 1, started: 1 },
        'on chain': [SUCCEEDED, String(ARRIVING), String(ARRIVING)],
      },
    },
    observed: {
      create: observed,
      leaves: { ...SETTLED, ...IS_CANCELLED, events: { 'xcm.outcome_observed': 1, 'xcm.request_auto_finalized': 1 } },
    },
    refused: {
      create: refused,
      leaves: {
        ...SETTLED,
        ...IS_CANCELLED,
        events: {
          'xcm.outcome_observed': 2,
          'xcm.request_finalize_failed': TRIES,
          'xcm.request_finalize_exhausted': 1,
          'xcm.request_auto_finalized': 1,
        },
      },
    },
    settledElsewhere: {
      create: settledElsewhere,
      leaves: { ...SETTLED, ...IS_CANCELLED, transactions: [], events: { 'xcm.request_reconciled_terminal': 1 } },
    },
  },
  steps: {
    advanceWatch: [
      during('arrived', 'queue', 'xcm.balance_watch_started', { name: 'start', result: ['"watched"'] }),
      during('arrived', 'arrive', 'xcm.balance_watch_succeeded', { name: 'outcome', result: ['"observed"'] }),
      during('settledElsewhere', 'settle', 'xcm.request_reconciled_terminal', { name: 'end', result: ['"ended"'] }),
    ],
    settleCrossChainRequest: [
      during('observed', 'observe', 'xcm.request_auto_finalized', { transaction: [], result: ['"settled"'] }),
      during('refused', 'observe', 'xcm.request_finalize_failed', { name: 'refused', result: ['"refused"'] }),
    ],
    recordObservation: [during('observed', 'observe', 'xcm.outcome_observed')],
    parkCrossChainRequest: [during('refused', 'exhaust', 'xcm.request_finalize_exhausted')],
  },
}

/** Holds the only watch of the wrapper, so that no other request is watched until the answer is called. */
export const blockWatch = async (stage: Stage): Promise<() => Promise<void>> => {
  const { queue, wake, watch, observe, settled } = await deposit(stage)
  await queue()
  await waitFor('the watch that blocks', async () => (await watch())?.startRaw != null || (await wake().then(() => false)))
  return async () => {
    await observe({ status: 'cancelled' })
    await settled()
  }
}
