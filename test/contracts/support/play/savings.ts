// Random moves on the two pools: each is a call of the contracts and the same call of the model.
import type { Address, Hex } from 'viem'
import type { Savings } from '../savings.ts'
import { who } from '../world.ts'
import { CreditModel, PoolModel, type Refusal, Tokens } from './savings-model.ts'

export const AGENTS = [who.worker, who.poster, who.stranger] as const
export const START = 10n ** 12n
/** More than the chain needs for the blocks between. */
const BLOCK_SECONDS = 60
const LTV_BPS = [9_000n, 8_000n, 3_333n]
/** At the highest loan two of these make it impaired from the start. */
const INTEREST_BPS = [2_000n, 1_000n, 7n]
const NO_LOAN: Hex = `0x${'0'.repeat(64)}`

export interface SavingsMove {
  readonly action: keyof typeof ACTIONS
  readonly agent: number
  /** Which record of a list. */
  readonly index: number
  /** Part of what is possible, in thousandths; above 1000 it is too much. */
  readonly part: number
  /** A number of units instead of a part. */
  readonly units: bigint | null
  readonly flag: boolean
}

export interface Table {
  readonly savings: Savings
  readonly tokens: Tokens
  readonly pool: PoolModel
  readonly credit: CreditModel
  /** Ids of the chain by the model's keys. */
  readonly loanIds: Map<string, Hex>
  readonly deployments: Hex[]
  readonly recalls: Hex[]
}

/** The model of a fresh deployment in which everybody has tokens. */
export function setTable(savings: Savings): Table {
  const { pool: poolAt, credit: creditAt, venue } = savings.at
  const tokens = new Tokens()
  for (const holder of [...AGENTS, who.operator, who.creditOperator, venue]) tokens.make(holder, START)
  const pool = new PoolModel(tokens, poolAt, 1_000_000_000n)
  return {
    savings,
    tokens,
    pool,
    credit: new CreditModel(tokens, creditAt, pool),
    loanIds: new Map(),
    deployments: [],
    recalls: [],
  }
}

interface Step {
  readonly call: readonly [from: Address, to: 'pool' | 'credit' | 'token' | 'venue', name: string, ...args: unknown[]]
  readonly model: () => Refusal
  /** What the venue answers before. */
  readonly venue?: readonly [requestId: Hex, changes: Readonly<Record<string, unknown>>, payout: bigint]
  readonly after?: () => Promise<void>
}

interface MoveContext extends Table {
  readonly move: SavingsMove
  readonly agent: Address
  /** Time of the call's block. */
  readonly now: number
  amountOf(most: bigint): bigint
}

type Action = (context: MoveContext) => Step | Promise<Step>

const most = (context: MoveContext): bigint => context.amountOf(60_000_000n)
const latest = async (context: MoveContext): Promise<Hex> => context.savings.lastRequest()
const loanAt = ({ credit, move }: MoveContext) => credit.loans[move.index % Math.max(credit.loans.length, 1)]

const depositing: Readonly<Record<string, Action>> = {
  deposit: (context) => {
    const assets = most(context)
    return { call: [context.agent, 'pool', 'deposit', assets, context.agent], model: () => context.pool.deposit(context.agent, assets) }
  },
  mint: (context) => {
    const shares = most(context)
    return { call: [context.agent, 'pool', 'mint', shares, context.agent], model: () => context.pool.mint(context.agent, shares) }
  },
  lend: (context) => {
    const assets = most(context)
    return { call: [context.agent, 'credit', 'deposit', assets, context.agent], model: () => context.credit.deposit(context.agent, assets) }
  },
  contribute: (context) => {
    const [key, from] = context.move.flag ? (['pool', who.operator] as const) : (['credit', who.creditOperator] as const)
    const assets = most(context)
    return { call: [from, key, 'contributeOperatorPrincipal', assets], model: () => context[key].contribute(from, assets) }
  },
  donate: (context) => {
    const [key, assets] = [context.move.flag ? 'pool' : 'credit', context.amountOf(900_000n)] as const
    return {
      call: [context.agent, 'token', 'transfer', context.savings.at[key], assets],
      model: () => {
        context.tokens.move(context.agent, context.savings.at[key], assets)
        return null
      },
    }
  },
}

const leaving: Readonly<Record<string, Action>> = {
  redeem: (context) => {
    const key = context.move.flag ? 'pool' : 'credit'
    const shares = context.amountOf(context[key].of(context.agent))
    return {
      call: [context.agent, key, 'redeem', shares, context.agent, context.agent],
      model: () => context[key].redeem(context.agent, shares),
    }
  },
  request: (context) => {
    const key = context.move.flag ? 'pool' : 'credit'
    const [shares, tier] = [context.amountOf(context[key].of(context.agent) / 2n), context.move.index % 2]
    return {
      call: [context.agent, key, 'requestRedeem', shares, context.agent, tier],
      model: () => context[key].notice(context.agent, shares, tier === 0 ? 7 : 30, context.now),
    }
  },
  fulfil: (context) => {
    const key = context.move.flag ? 'pool' : 'credit'
    const index = context.move.index % (context[key].notices.length + 1)
    return { call: [context.agent, key, 'fulfilRedeem', BigInt(index + 1)], model: () => context[key].fulfil(index, context.now) }
  },
}

const borrowing: Readonly<Record<string, Action>> = {
  pledge: async (context) => {
    const { agent, pool, credit, savings } = context
    const [shares, key, id] = [context.amountOf(pool.available(agent)), credit.next(agent), await savings.loanId(agent)]
    context.loanIds.set(key, id)
    return { call: [agent, 'pool', 'pledge', shares, id], model: () => pool.pledge(agent, key, shares) }
  },
  originate: async (context) => {
    const { agent, pool, credit, savings, move } = context
    const pledge = pool.pledges.find(({ loan }) => loan === credit.next(agent))
    const shares = pledge?.shares ?? 1n
    const vested = move.flag ? 10n ** 9n : pool.worth(shares)
    const amount = context.amountOf(credit.maximum(agent, vested))
    const args = await savings.loan(agent, shares, amount, vested)
    return { call: [agent, 'credit', 'originate', ...args], model: () => credit.originate(agent, shares, amount, vested) }
  },
  repay: (context) => {
    const loan = loanAt(context)
    const amount = context.amountOf(loan ? loan.principal + loan.interest : 1n)
    return {
      call: [context.agent, 'credit', 'repay', context.loanIds.get(loan?.id ?? '') ?? NO_LOAN, amount],
      model: () => context.credit.repay(context.agent, loan, amount),
    }
  },
  seize: (context) => {
    const { credit, move } = context
    const loan = (move.flag ? credit.open().find(credit.isImpaired) : undefined) ?? loanAt(context)
    return {
      call: [context.agent, 'credit', 'seize', context.loanIds.get(loan?.id ?? '') ?? NO_LOAN],
      model: () => credit.seize(loan),
    }
  },
  setTerms: (context) => {
    const { credit, move } = context
    const [name, bps] = move.flag ? ['setLtvBps', LTV_BPS[move.index % 3] ?? 1n] : ['setInterestBps', INTEREST_BPS[move.index % 3] ?? 1n]
    return {
      call: [who.creditOperator, 'credit', name, bps],
      model: () => {
        if (move.flag) credit.ltvBps = bps
        else credit.interestBps = bps
        return null
      },
    }
  },
}

const placing: Readonly<Record<string, Action>> = {
  deploy: (context) => {
    const { pool, savings, deployments, now } = context
    const room = pool.buffer() - pool.floor()
    const assets = context.amountOf(room > 0n ? room : 0n)
    return {
      call: [who.operator, 'pool', 'deployToVenue', assets, BigInt(now + 86_400)],
      model: () => pool.deploy(savings.at.venue, assets, now),
      after: async () => void deployments.push(await latest(context)),
    }
  },
  settle: (context) => {
    const { pool, savings, move, deployments } = context
    const id = Math.max(1, deployments.length)
    const request = deployments[id - 1]
    // A failure brings something back, a success nothing.
    const payout = move.flag ? context.amountOf(pool.deployments[id - 1]?.principal ?? 0n) : 0n
    const status = move.flag ? 3 : 2
    return {
      ...(request && { venue: [request, { status }, payout] as const }),
      call: [context.agent, 'pool', 'settleVenueDeployment', BigInt(id)],
      model: () => pool.settle(savings.at.venue, id, payout),
    }
  },
  recall: (context) => {
    const { pool, recalls } = context
    const assets = context.amountOf(pool.elsewhere())
    return {
      call: [who.operator, 'pool', 'recallVenueDeployment', BigInt(pool.active), assets],
      model: () => pool.recall(pool.active, assets),
      after: async () => void recalls.push(await latest(context)),
    }
  },
  settleRecall: (context) => {
    const { pool, savings, recalls } = context
    const id = Math.max(1, recalls.length)
    const request = recalls[id - 1]
    const payout = context.amountOf(pool.recalls[id - 1]?.assets ?? 0n) + 1n
    return {
      ...(request && { venue: [request, { status: 2, settledAssets: payout }, payout] as const }),
      call: [context.agent, 'pool', 'settleVenueRecall', BigInt(id)],
      model: () => pool.settleRecall(savings.at.venue, id, payout),
    }
  },
  giveBack: (context) => {
    const { pool, savings, deployments, move } = context
    const id = deployments.length === 0 ? 0 : (move.index % deployments.length) + 1
    const assets = context.amountOf(5_000_000n) + 1n
    return {
      call: [who.owner, 'venue', 'release', savings.at.pool, deployments[id - 1] ?? NO_LOAN, assets],
      model: () => pool.giveBack(savings.at.venue, id, assets),
    }
  },
  writeOff: (context) => {
    const { pool, deployments } = context
    const id = Math.max(1, deployments.length)
    const last = pool.deployments[id - 1]
    const assets = context.amountOf(last ? pool.outstanding(last) : 1n)
    return { call: [who.owner, 'pool', 'writeOffVenueLoss', BigInt(id), assets], model: () => pool.writeOff(id, assets) }
  },
}

export const ACTIONS = { ...depositing, ...leaving, ...borrowing, ...placing }

export interface Played {
  readonly error: string | null
  readonly expected: Refusal
  readonly events: readonly string[]
}

/** Plays one move on the chain and in the model; `wait` seconds pass before. */
export async function playSavings(table: Table, move: SavingsMove, wait: number): Promise<Played> {
  const { savings } = table
  const { world } = savings
  const agent = AGENTS[move.agent % AGENTS.length] ?? who.worker
  const amountOf = (limit: bigint) => move.units ?? (limit * BigInt(move.part)) / 1000n
  // The answer of the venue takes a block of its own.
  const now = (await world.now()) + BLOCK_SECONDS + wait
  const step = await ACTIONS[move.action]?.({ ...table, move, agent, now, amountOf })
  if (!step) throw new Error(`no action ${String(move.action)}`)
  if (step.venue) await savings.settle(...step.venue)
  await world.nextBlockAt(now)
  const outcome = await savings.attempt(...step.call)
  if (outcome.error === undefined) await step.after?.()
  return {
    error: outcome.error?.split('(')[0] ?? null,
    expected: step.model(),
    events: outcome.error === undefined ? outcome.events.map(({ name }) => name) : [],
  }
}
