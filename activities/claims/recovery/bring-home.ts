import { getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { isServiceError } from '../../../schemas/errors.ts'
import { escrowCoreAbi } from '../../chain/abi/escrow-core.ts'
import type { ChainClients } from '../../chain/clients.ts'
import type { ChainReads } from '../../chain/reads.ts'
import type { Database } from '../../database/database.ts'
import type { EvaluationDeps } from '../../eligibility/evaluate.ts'
import { startAdoptedClaim } from '../self-paid/adopt.ts'
import type { StartClaim } from '../start.ts'
import { type LostClaim, listLostClaims } from './lost-claims.ts'

export interface ClaimRecoveryDeps extends EvaluationDeps {
  clients: Pick<ChainClients, 'reader'>
  reads: ChainReads
  startClaim: StartClaim
  pause: (milliseconds: number) => Promise<unknown>
}

/** What became of a lost claim. `named`: it stays without a session, for this reason. */
export type FoundClaim = LostClaim & ({ kind: 'recorded'; sessionId: string; status: string } | { kind: 'named'; reason: string })

const CLAIM_FOR = toFunctionSelector(getAbiItem({ abi: escrowCoreAbi, name: 'claimJobFor' }))

/** A claim is recorded within some seconds; after these tries it is named. */
const TRIES = 60
const PAUSE_MS = 1_000

const findSessionOf = async ({ rows }: Database, { chainJobId, txHash }: LostClaim) =>
  rows
    .selectFrom('session')
    .select(['sessionId', 'status'])
    .where('claimTxHash', '=', txHash)
    .where('chainJobId', '=', chainJobId)
    .executeTakeFirst()

const reasonOf = (error: unknown): string => {
  if (!isServiceError(error)) throw error
  return error.code
}

/** Whether the service locked the bond of a claim itself: the escrow lets only its operators claim for another wallet. */
const isByService = async (
  { clients: { reader }, reads: { escrowAddress } }: ClaimRecoveryDeps,
  { txHash }: LostClaim,
): Promise<boolean> => {
  const { to, input } = await reader.getTransaction({ hash: txHash as Hex })
  return to?.toLowerCase() === escrowAddress.toLowerCase() && input.startsWith(CLAIM_FOR)
}

/** Starts the process of a lost claim and waits for its session. */
const bringHome = async (deps: ClaimRecoveryDeps, claim: LostClaim & { jobId: string }): Promise<FoundClaim> => {
  const wasAdmitted = await isByService(deps, claim)
  let reason = 'another process of the job runs'
  for (let tried = 0; tried < TRIES; tried += 1) {
    const session = await findSessionOf(deps.database, claim)
    if (session !== undefined) return { ...claim, kind: 'recorded', ...session }
    const isStarted = await startAdoptedClaim(deps, { ...claim, wasAdmitted }).catch((error: unknown) => {
      reason = reasonOf(error)
      return false
    })
    if (isStarted) reason = 'its process has not recorded it yet'
    await deps.pause(PAUSE_MS)
  }
  return { ...claim, kind: 'named', reason }
}

/** Claims that are recorded at the same time, at most. */
const MOST_AT_ONCE = 50

/** Rounds of claims in the order of the chain. A round has one claim of a wallet, so those of one wallet are recorded one after another. */
const roundsOf = (claims: readonly LostClaim[]): LostClaim[][] => {
  const rounds: LostClaim[][] = []
  for (const claim of claims) {
    const last = rounds.at(-1)
    if (last === undefined || last.length === MOST_AT_ONCE || last.some(({ wallet }) => wallet === claim.wallet)) rounds.push([claim])
    else last.push(claim)
  }
  return rounds
}

const recoverOne = async (deps: ClaimRecoveryDeps, claim: LostClaim): Promise<FoundClaim> => {
  const { jobId, isFollowed } = claim
  if (jobId === null) return { ...claim, kind: 'named', reason: 'the records have no such job' }
  if (isFollowed) return { ...claim, kind: 'named', reason: 'a later claim of the job followed' }
  return bringHome(deps, { ...claim, jobId })
}

/** Records each claim that the chain has and the records lack, in the order of the chain, and names the rest. */
export async function* recoverClaims(deps: ClaimRecoveryDeps): AsyncGenerator<FoundClaim> {
  const lost = await listLostClaims(deps.database.rows, deps.chain.chainId)
  for (const round of roundsOf(lost)) yield* await Promise.all(round.map((claim) => recoverOne(deps, claim)))
}
