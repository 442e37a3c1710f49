import type { Client } from '@temporalio/client'
import { encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { chainJobId, disputeId } from '../../../domain/common/ids.ts'
import { moneySplit, moneyView } from '../../../domain/disputes/payout.ts'
import { verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import type { ArbitrationVerdict, RoundVerdict } from '../../../schemas/sessions/verdicts.ts'
import { escrowBalance } from '../../domain/builders/escrow-balance.ts'
import type { Agent, Reply } from './http.ts'
import { BAD_WORK, claim, createJob, leaves, sessionOf, submitUnderFault } from './jobs.ts'
import { type Moves, moved, readBalances } from './money.ts'
import type { World } from './world.ts'

type Session = Reply['body']

/** Reward of the jobs here, base units. */
export const REWARD = 1_000_000n

/** Escrow of such a job. */
const ESCROW = escrowBalance({ rewardRaw: REWARD, retainedRaw: 50_000n })

const handIn = async (agent: Agent, { sessionId }: Session, submission: unknown): Promise<Session> => {
  await agent.post('/jobs/submit', { sessionId, submission })
  return leaves(agent, sessionId, 'submitted')
}

/** Work that the verifier rejected. */
export const rejectedBy = async (
  world: Pick<World, 'admin'>,
  agent: Agent,
  changes: Parameters<typeof createJob>[1] = {},
): Promise<Session> => handIn(agent, await claim(agent, await createJob(world, changes)), BAD_WORK)

/** Work that people have to decide: a fault of the platform. */
export const reviewedBy = async (world: World, engine: Client, agent: Agent): Promise<Session> => {
  const { sessionId } = await claim(agent, await createJob(world))
  await submitUnderFault(world, engine, { agent, sessionId })
  return sessionOf(agent, sessionId)
}

const escrowCall = (world: Pick<World, 'chain'>, data: Hex) => ({ to: liveEscrow(world.chain), data })

/** Disputes a rejection with the worker's own key. */
export const openDispute = (world: Pick<World, 'chain' | 'view'>, account: PrivateKeyAccount, { jobId }: Session): Promise<Hex> =>
  world.view.send(
    account,
    escrowCall(world, encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDispute', args: [chainJobId(jobId)] })),
  )

/** Decides directly on chain, with the arbitrator's own key. */
export const decideOnChain = (
  world: World,
  account: PrivateKeyAccount,
  { jobId }: Session,
  verdict: ArbitrationVerdict,
  payoutRaw: bigint,
): Promise<Hex> => {
  const args = [chainJobId(jobId), payoutRaw, verdictCodeBytes(verdict), ''] as const
  return world.view.send(account, escrowCall(world, encodeFunctionData({ abi: escrowCoreAbi, functionName: 'resolveDispute', args })))
}

/** Address of the dispute of a session. */
export const disputePath = ({ sessionId }: Session): string => `/disputes/${disputeId(sessionId)}`

export const RATIONALE = 'The work was read against the whole task.'

/** Sends the arbitrator's decision of a session. */
export const decide = (agent: Agent, { session }: { session: Session }, body: object, status = 200): Promise<Reply['body']> =>
  agent.post(`${disputePath(session)}/verdict`, { rationale: RATIONALE, ...body }, status)

/** Changes of the balances that a preview states. */
export const foretold = ({ worker, poster, treasury, verifier }: Session): Moves => {
  const bond = BigInt(worker.bondReturned.raw) + BigInt(poster.slash.raw) + BigInt(treasury.slash.raw) + BigInt(verifier.feeShare.raw)
  const parts = {
    worker: { liquid: BigInt(worker.payout.raw) + BigInt(worker.bondReturned.raw), locked: -bond },
    operator: { liquid: BigInt(poster.refund.raw), tokens: BigInt(poster.slash.raw) },
    treasury: { liquid: BigInt(treasury.fee.raw) + BigInt(treasury.slash.raw) },
    verifier: { tokens: BigInt(verifier.feeShare.raw) },
  }
  const moved = Object.entries(parts).map(([who, members]) => [who, Object.entries(members).filter(([, raw]) => raw !== 0n)] as const)
  return Object.fromEntries(moved.filter(([, members]) => members.length > 0).map(([who, members]) => [who, Object.fromEntries(members)]))
}

/** Changes of the balances that the rules state for an end. */
export const expected = (verdict: RoundVerdict | 'final_rejection', payoutRaw = 0n): Moves =>
  foretold(moneyView(ESCROW, moneySplit(ESCROW, verdict, payoutRaw), { symbol: 'USDC', decimals: 6 }))

/** Changes of several ends together: those of each worker, and the sum of the others. */
export interface Together {
  workers: (Moves[string] | undefined)[]
  others: Moves
}

/** Adds the ends of several jobs, in the order of their workers. */
export const together = (parts: readonly Moves[]): Together => {
  const others: Moves = {}
  for (const { worker, ...rest } of parts)
    for (const [who, members] of Object.entries(rest))
      for (const [what, raw] of Object.entries(members)) others[who] = { ...others[who], [what]: (others[who]?.[what] ?? 0n) + raw }
  return { workers: parts.map(({ worker }) => worker), others }
}

/** Changes that an act makes for several workers and for the others. */
export const movedTogether = async (world: World, agents: readonly Agent[], act: () => Promise<unknown>): Promise<Together> => {
  const read = () => Promise.all(agents.map(({ account }) => readBalances(world, account.address)))
  const before = await read()
  await act()
  const after = await read()
  const parts = agents.map((_, index) => {
    const [from, to] = [before[index], after[index]]
    if (from === undefined || to === undefined) throw new Error('a balance was not read')
    return moved(from, to)
  })
  const { worker, ...others } = parts[0] ?? {}
  return { workers: parts.map((part) => part.worker), others }
}
