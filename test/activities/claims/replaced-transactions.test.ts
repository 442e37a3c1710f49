// Transactions of workers that another one with the same nonce and a higher fee replaces before a block has them, on a real chain.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { openSelfPaid } from '../support/self-paid.ts'
import { BAD, codeOf, GOOD } from '../support/settlements.ts'

let world: FollowerWorld
const self = openSelfPaid(() => world)
beforeAll(async () => {
  world = await startFollowerWorld('replaced')
})
afterAll(() => world.stop())

const GAS = 1_000_000n
const claimCall = (jobId: Hex) => encodeFunctionData({ abi: escrowCoreAbi, functionName: 'claimJob', args: [jobId] })
const submitCall = (jobId: Hex, hash: string) =>
  encodeFunctionData({ abi: escrowCoreAbi, functionName: 'submitWork', args: [jobId, hash as Hex] })
/** A call that changes nothing. */
const nothing: Hex = '0x'

/** Sends both calls of a wallet under one nonce, the second for a higher fee, and mines a block. Returns their hashes. */
const replace = async (wallet: Hex, first: Hex, second: Hex): Promise<{ replaced: Hex; mined: Hex }> => {
  const { rpc, at } = world.world
  await rpc('anvil_setBalance', wallet, numberToHex(10n ** 18n))
  await rpc('anvil_impersonateAccount', wallet)
  const nonce = await rpc('eth_getTransactionCount', wallet, 'latest')
  const send = async (data: Hex, gwei: bigint): Promise<Hex> => {
    const fee = numberToHex(gwei * 10n ** 9n)
    const to = data === nothing ? wallet : at.escrow
    return (await rpc('eth_sendTransaction', {
      from: wallet,
      to,
      data,
      nonce,
      gas: numberToHex(GAS),
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    })) as Hex
  }
  await rpc('evm_setAutomine', false)
  try {
    const replaced = await send(first, 2n)
    const mined = await send(second, 4n)
    await world.mine(1)
    expect([await rpc('eth_getTransactionReceipt', replaced), await rpc('eth_getTransactionReceipt', mined)]).toMatchObject([
      null,
      { status: '0x1' },
    ])
    return { replaced, mined }
  } finally {
    await rpc('evm_setAutomine', true)
  }
}

describe('a claim that a worker replaced for a higher fee', () => {
  test('by the same claim has one session, with the transaction that was mined', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const { mined } = await replace(wallet, claimCall(jobId), claimCall(jobId))
    expect(await self.sessionOf(await self.adopt(jobId, wallet))).toMatchObject({ status: 'claimed', wallet, claimTxHash: mined })
    expect((await self.startOf(jobId, wallet)).claim).toBeNull()
  })

  test('by a call that claims nothing has no session, and the worker is asked to send the claim', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await replace(wallet, claimCall(jobId), nothing)
    const { claim } = await self.startOf(jobId, wallet)
    if (claim === null) throw new Error('no claim was started')
    expect(await codeOf(self.lock(claim))).toBe('external_self_paid_claim_required')
  })

  test('by the claim of another job has the session of that job', async () => {
    const [left, taken] = [await self.posted(), await self.posted()]
    const wallet = await self.worker()
    const { mined } = await replace(wallet, claimCall(left.jobId), claimCall(taken.jobId))
    expect(await self.sessionOf(await self.adopt(taken.jobId, wallet))).toMatchObject({ jobId: taken.jobId, claimTxHash: mined })
    expect(await world.eventsOf(left.jobId)).not.toContainEqual(expect.objectContaining({ event: 'JobClaimed' }))
  })
})

describe('a submission that a worker replaced for a higher fee', () => {
  test('by another work is the work whose hash is on chain', async () => {
    const claim = await self.claimed()
    const first = await self.offerWork(claim.sessionId, BAD)
    const second = await self.offerWork(claim.sessionId, GOOD)
    await replace(claim.wallet, submitCall(claim.jobId, first), submitCall(claim.jobId, second))
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'recorded' })
    expect(await self.sessionOf(claim)).toMatchObject({ status: 'submitted', evidenceHash: second })
  })

  test('by a call that submits nothing is awaited, and can be sent again', async () => {
    const claim = await self.claimed()
    const hash = await self.offerWork(claim.sessionId, GOOD)
    await replace(claim.wallet, submitCall(claim.jobId, hash), nothing)
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    await self.submitOnChain(claim.wallet, claim.jobId, hash)
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'recorded' })
    expect(await self.sessionOf(claim)).toMatchObject({ evidenceHash: hash })
  })
})
