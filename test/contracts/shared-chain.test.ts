import { expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Deployment } from '../../contracts/deploy.ts'
import { fund } from './support/jobs.ts'
import { rpcTo } from './support/rpc.ts'
import { sharedChain } from './support/shared-chain.ts'
import { startWorld, who } from './support/world.ts'

const SECONDS = 1_000_000

test('the shared chain begins each file as its deployment left it, at the present time', async () => {
  const left = await startWorld()
  const { rpc, at } = left
  const [blocks, balance] = [Number(await rpc('eth_blockNumber')), await left.read('token', 'balanceOf', at.accounts)]
  await fund(left, who.worker, 5n)
  await left.pass(SECONDS)
  await rpc('anvil_setChainId', 1)
  await rpc('evm_setAutomine', false)
  const data = encodeFunctionData({ abi: parseAbi(['function mint(address, uint256)']), args: [who.worker, 5n] })
  await rpc('eth_sendTransaction', { from: who.owner, to: at.token, data, gas: '0xb71b00', gasPrice: '0x0' })
  await rpc('evm_setNextBlockTimestamp', (await left.now()) + SECONDS)
  await rpc('anvil_setNextBlockBaseFeePerGas', '0x5')

  const world = await startWorld()
  expect(world.rpcUrl).toBe(left.rpcUrl)
  expect(Number(await rpc('eth_blockNumber'))).toBe(blocks)
  expect(Number(await rpc('eth_chainId'))).toBe(world.deployment.chainId)
  expect(await world.read('token', 'balanceOf', at.accounts)).toBe(balance)
  await fund(world, who.worker, 1n)
  expect(Math.abs((await world.now()) - Date.now() / 1_000)).toBeLessThan(SECONDS / 2)
  expect(await rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  const { baseFeePerGas } = (await rpc('eth_getBlockByNumber', 'latest', false)) as { baseFeePerGas: Hex }
  expect(baseFeePerGas).toBe('0x0')
})

test('the shared chain fails for the file after one that used its snapshot up', async () => {
  const open = () => sharedChain('without-contracts', async () => ({}) as Deployment)
  const { rpcUrl } = await open()
  await rpcTo(rpcUrl)('evm_revert', '0x0').catch(() => undefined)
  await rpcTo(rpcUrl)('evm_revert', '0x1')
  await expect(open()).rejects.toThrow('the chain did not go back to its snapshot')
})
