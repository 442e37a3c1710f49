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

interface Scene extends Table {
  readonly move: SavingsMove
  readonly agent: Address
  /** Time of the call's block. */
  readonly now: number
  amountOf(most: bigint): bigint
}

type Action = (scene: Scene) => Step | Promise<Step>

const most = (scene: Scene): bigint => scene.amountOf(60_000_000n)
const latest = async (scene: Scene): Promise<Hex> => scene.savings.lastRequest()
const loanAt = ({ credit, move }: Scene) => credit.loans[move.index % Math.max(credit.loans.length, 1)]

const depositing: Readonly<Record<string, Action>> = {
  deposit: (scene) => {
    const assets = most(scene)
    return { call: [scene.agent, 'pool', 'deposit', assets, scene.agent], model: () => scene.pool.deposit(scene.agent, assets) }
  },
  mint: (scene) => {
    const shares = most(scene)
    return { call: [scene.agent, 'pool', 'mint', shares, scene.agent], model: () => scene.pool.mint(scene.agent, shares) }
  },
  lend: (scene) => {
    const assets = most(scene)
    return { call: [scene.agent, 'credit', 'deposit', assets, scene.agent], model: () => scene.credit.deposit(scene.agent, assets) }
  },
  contribute: (scene) => {
    const [key, from] = scene.move.flag ? (['pool', who.operator] as const) : (['credit', who.creditOperator] as const)
    const assets = most(scene)
    return { call: [from, key, 'contributeOperatorPrincipal', assets], model: () => scene[key].contribute(from, assets) }
  },
  donate: (scene) => {
    const [key, assets] = [scene.move.flag ? 'pool' : 'credit', scene.amountOf(900_000n)] as const
    return {
      call: [scene.agent, 'token', 'transfer', scene.savings.at[key], assets],
      model: () => {
        scene.tokens.move(scene.agent, scene.savings.at[key], assets)
        return null
      },
    }
  },
}

const leaving: Readonly<Record<string, Action>> = {
  redeem: (scene) => {
    const key = scene.move.flag ? 'pool' : 'credit'
    const shares = scene.amountOf(scene[key].of(scene.agent))
    return {
      call: [scene.agent, key, 'redeem', shares, scene.agent, scene.agent],
      model: () => scene[key].redeem(scene.agent, shares),
    }
  },
  request: (scene) => {
    const key = scene.move.flag ? 'pool' : 'credit'
    const [shares, tier] = [scene.amountOf(scene[key].of(scene.agent) / 2n), scene.move.index % 2]
    return {
      call: [scene.agent, key, 'requestRedeem', shares, scene.agent, tier],
      model: () => scene[key].notice(scene.agent, shares, tier === 0 ? 7 : 30, scene.now),
    }
  },
  fulfil: (scene) => {
    const key = scene.move.flag ? 'pool' : 'credit'
    const index = scene.move.index % (scene[key].notices.length + 1)
    return { call: [scene.agent, key, 'fulfilRedeem', BigInt(index + 1)], model: () => scene[key].fulfil(index, scene.now) }
  },
}

const borrowing: Readonly<Record<string, Action>> = {
  pledge: async (scene) => {
    const { agent, pool, credit, savings } = scene
    const [shares, key, id] = [scene.amountOf(pool.available(agent)), credit.next(agent), await savings.loanId(agent)]
    scene.loanIds.set(key, id)
    return { call: [agent, 'pool', 'pledge', shares, id], model: () => pool.pledge(agent, key, shares) }
  },
  originate: async (scene) => {
    const { agent, pool, credit, savings, move } = scene
    const pledge = pool.pledges.find(({ loan }) => loan === credit.next(agent))
    const shares = pledge?.shares ?? 1n
    const vested = move.flag ? 10n ** 9n : pool.worth(shares)
    const amount = scene.amountOf(credit.maximum(agent, vested))
    const args = await savings.loan(agent, shares, amount, vested)
    return { call: [agent, 'credit', 'originate', ...args], model: () => credit.originate(agent, shares, amount, vested) }
  },
  repay: (scene) => {
    const loan = loanAt(scene)
    const amount = scene.amountOf(loan ? loan.principal + loan.interest : 1n)
    return {
      call: [scene.agent, 'credit', 'repay', scene.loanIds.get(loan?.id ?? '') ?? NO_LOAN, amount],
      model: () => scene.credit.repay(scene.agent, loan, amount),
    }
  },
  seize: (scene) => {
    const { credit, move } = scene
    const loan = (move.flag ? credit.open().find(credit.isImpaired) : undefined) ?? loanAt(scene)
    return {
      call: [scene.agent, 'credit', 'seize', scene.loanIds.get(loan?.id ?? '') ?? NO_LOAN],
      model: () => credit.seize(loan),
    }
  },
  setTerms: (scene) => {
    const { credit, move } = scene
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
  deploy: (scene) => {
    const { pool, savings, deployments, now } = scene
    const room = pool.buffer() - pool.floor()
    const assets = scene.amountOf(room > 0n ? room : 0n)
    return {
      call: [who.operator, 'pool', 'deployToVenue', assets, BigInt(now + 86_400)],
      model: () => pool.deploy(savings.at.venue, assets, now),
      after: async () => void deployments.push(await latest(scene)),
    }
  },
  settle: (scene) => {
    const { pool, savings, move, deployments } = scene
    const id = Math.max(1, deployments.length)
    const request = deployments[id - 1]
    // A failure brings something back, a success nothing.
    const payout = move.flag ? scene.amountOf(pool.deployments[id - 1]?.principal ?? 0n) : 0n
    const status = move.flag ? 3 : 2
    return {
      ...(request && { venue: [request, { status }, payout] as const }),
      call: [scene.agent, 'pool', 'settleVenueDeployment', BigInt(id)],
      model: () => pool.settle(savings.at.venue, id, payout),
    }
  },
  recall: (scene) => {
    const { pool, recalls } = scene
    const assets = scene.amountOf(pool.elsewhere())
    return {
      call: [who.operator, 'pool', 'recallVenueDeployment', BigInt(pool.active), assets],
      model: () => pool.recall(pool.active, assets),
      after: async () => void recalls.push(await latest(scene)),
    }
  },
  settleRecall: (scene) => {
    const { pool, savings, recalls } = scene
    const id = Math.max(1, recalls.length)
    const request = recalls[id - 1]
    const payout = scene.amountOf(pool.recalls[id - 1]?.assets ?? 0n) + 1n
    return {
      ...(request && { venue: [request, { status: 2, settledAssets: payout }, payout] as const }),
      call: [scene.agent, 'pool', 'settleVenueRecall', BigInt(id)],
      model: () => pool.settleRecall(savings.at.venue, id, payout),
    }
  },
  giveBack: (scene) => {
    const { pool, savings, deployments, move } = scene
    const id = deployments.length === 0 ? 0 : (move.index % deployments.length) + 1
    const assets = scene.amountOf(5_000_000n) + 1n
    return {
      call: [who.owner, 'venue', 'release', savings.at.pool, deployments[id - 1] ?? NO_LOAN, assets],
      model: () => pool.giveBack(savings.at.venue, id, assets),
    }
  },
  writeOff: (scene) => {
    const { pool, deployments } = scene
    const id = Math.max(1, deployments.length)
    const last = pool.deployments[id - 1]
    const assets = scene.amountOf(last ? pool.outstanding(last) : 1n)
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
