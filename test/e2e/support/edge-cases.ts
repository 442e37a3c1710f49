import type { Client } from '@temporalio/client'
import { type Abi, encodeFunctionData, type Hex, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { createRpc } from '../../../local/chain/rpc.ts'
import { setChainOffset } from '../../../local/chain/start.ts'
import { localKey } from '../../../local/keys.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { verifierWorkflowId } from '../../../schemas/verification/process.ts'
import type { Agent, Reply } from './http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves } from './jobs.ts'
import { serviceNow } from './time.ts'
import type { World } from './world.ts'

export interface Subject {
  agent: Agent
  session: Reply['body']
}

/** Calls the escrow directly on chain, with the key of `from`. */
export const escrowSend = (world: World, from: PrivateKeyAccount, functionName: string, args: readonly unknown[]): Promise<Hex> =>
  world.view.send(from, { to: liveEscrow(world.chain), data: encodeFunctionData({ abi: escrowCoreAbi as Abi, functionName, args }) })

/** Changes a rule of the protocol as its owner. */
export const policySend = async (world: World, functionName: string, args: readonly unknown[]): Promise<void> => {
  const data = encodeFunctionData({ abi: treasuryPolicyAbi as Abi, functionName, args })
  await world.view.send(privateKeyToAccount(localKey('deployer').privateKey), { to: world.chain.contracts.policy.address as Hex, data })
}

/** A claim with a bond. */
export const claimedBy = async (world: World, jobId?: string): Promise<Subject> => {
  const agent = await fundedAgent(world)
  return { agent, session: await claim(agent, jobId ?? (await createJob(world))) }
}

/** Occupies the workflow id of a session's verification, so that no verifier decides it. Returns a function that frees it. */
export const withoutVerifier = async (engine: Client, { session }: Subject): Promise<() => Promise<void>> => {
  const place = await engine.workflow.start('verifierRun', {
    workflowId: verifierWorkflowId(session.sessionId),
    taskQueue: 'no-worker',
    args: [],
  })
  return async () => void (await place.terminate('not needed any more'))
}

export const submit = ({ agent, session }: Subject, submission: unknown = GOOD_WORK): Promise<Reply['body']> =>
  agent.post('/jobs/submit', { sessionId: session.sessionId, submission })

/** Terminates the process of a claim: from then on only an operator ends its session. */
export const loseProcess = async (engine: Client, { session }: Subject): Promise<void> => {
  await engine.workflow.getHandle(claimWorkflowId(session.jobId)).terminate('lost in this test')
}

/**
 * A submitted claim whose process is terminated. The workflow id of its verification stays occupied until `free`: the claim may have started
 * a verifier just before it was lost, and a verdict without a claim goes to a dispute.
 */
export const stranded = async (world: World, engine: Client): Promise<Subject & { free(): Promise<void> }> => {
  const subject = await claimedBy(world)
  const free = await withoutVerifier(engine, subject)
  await submit(subject)
  await loseProcess(engine, subject)
  return { ...subject, free }
}

/** Decides directly on chain, with the verifier's key. */
const decidePast = async (world: World, { session }: Subject, approved: boolean): Promise<void> => {
  const zero = `0x${'0'.repeat(64)}`
  const code = stringToHex(approved ? 'POSTER_APPROVED' : 'POSTER_REJECTED', { size: 32 })
  await escrowSend(world, world.verifier.account, 'resolveSinglePayout', [chainJobId(session.jobId), approved, code, '', zero])
}
export const rejectPast = (world: World, subject: Subject): Promise<void> => decidePast(world, subject, false)
export const approvePast = (world: World, subject: Subject): Promise<void> => decidePast(world, subject, true)

/** Closes a session as an operator, with the outcome that the chain shows. */
export const closeAs = (world: World, { session }: Subject, outcome: 'timed_out' | 'closed'): Promise<Reply['body']> =>
  world.admin.post('/admin/sessions/close', { sessionId: session.sessionId, outcome, note: 'Its process is lost; the chain ended it.' })

/** A job that its poster funded itself with its own key, by the listed terms unless given others. */
export const postedJob = async (
  world: World,
  {
    rewardRaw = 1_000_000n,
    milestones,
    claimTtlSeconds = 3_600n,
  }: { rewardRaw?: bigint; milestones?: bigint[]; claimTtlSeconds?: bigint } = {},
): Promise<{ poster: Agent; jobId: string }> => {
  const [poster, jobId] = [await fundedAgent(world), await createJob(world)]
  const { specHash } = await world.database.rows.selectFrom('job').select('specHash').where('id', '=', jobId).executeTakeFirstOrThrow()
  const zero = `0x${'0'.repeat(64)}`
  const terms = [chainJobId(jobId), world.chain.asset.address, milestones ?? rewardRaw, 0n, 0n, claimTtlSeconds, zero, zero, specHash]
  await escrowSend(world, poster.account, milestones === undefined ? 'createSinglePayoutJob' : 'createMilestoneJob', terms)
  return { poster, jobId }
}

/** Sets only the chain's clock ahead by this time. */
export const chainAhead = async (world: { info: Pick<World['info'], 'rpcUrl' | 'clockOffsetFile'> }, seconds: number): Promise<void> => {
  const rpc = createRpc(world.info.rpcUrl)
  await setChainOffset(rpc, Math.round((serviceNow(world) - Date.now()) / 1000) + seconds)
  await rpc('evm_mine')
}

/** Removes the blocks of an act by a fork. Returns the time (s) of the last removed block. */
export const rollBack = async ({ view: { client } }: World, act: () => Promise<unknown>): Promise<number> => {
  const before = await client.getBlock()
  await act()
  const taken = await client.getBlock()
  await client.request({ method: 'anvil_reorg', params: [Number(taken.number - before.number), []] } as never)
  return Number(taken.timestamp)
}

/** Waits until a session leaves a status, and checks its next one. */
export const becomes = async ({ agent, session }: Subject, from: string, to: string): Promise<Reply['body']> => {
  const after = await leaves(agent, session.sessionId, from)
  if (after.status !== to) throw new Error(`${session.sessionId} went from ${from} to ${after.status}, not to ${to}`)
  return after
}
