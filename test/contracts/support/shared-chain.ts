// One node for the files of a jest worker and a kind of deployment. Each file begins with the chain as its deployment left it.
// The node forgets states of old blocks, those of the deployment first: a file that reads them uses a kind of its own.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from '../../../contracts/deploy.ts'
import { sharedInWorker } from '../../support/shared.ts'
import { CHAIN_ID, startAnvilIn } from './anvil.ts'
import { type Rpc, rpcTo } from './rpc.ts'

/** Takes back everything since a snapshot, which is used up. The chain's clock goes back, too. */
export const revertTo = async (rpc: Rpc, snapshot: unknown): Promise<void> => {
  if ((await rpc('evm_revert', snapshot)) !== true) throw new Error('the chain did not go back to its snapshot')
}

/** What a file may have changed that a snapshot does not hold. */
const restoreNode = async (rpc: Rpc): Promise<void> => {
  await rpc('anvil_dropAllTransactions')
  await rpc('evm_setAutomine', true)
  await rpc('anvil_autoImpersonateAccount', true)
  await rpc('anvil_setChainId', CHAIN_ID)
  await rpc('anvil_setNextBlockBaseFeePerGas', '0x0')
}

/** A chain with what `deploy` puts on it. Its clock shows the present time, and so does its newest block. */
export const sharedChain = async (kind: string, deploy: (rpcUrl: string) => Promise<Deployment>) => {
  const { rpcUrl, deployment, note } = await sharedInWorker(`chain-${kind}`, async ({ directory, processes }) => {
    const rpcUrl = await startAnvilIn(processes)
    const deployment = await deploy(rpcUrl)
    const note = join(directory, 'snapshot')
    writeFileSync(note, String(await rpcTo(rpcUrl)('evm_snapshot')))
    return { rpcUrl, deployment, note }
  })
  const rpc = rpcTo(rpcUrl)
  await revertTo(rpc, readFileSync(note, 'utf8'))
  writeFileSync(note, String(await rpc('evm_snapshot')))
  await restoreNode(rpc)
  await rpc('evm_setTime', Math.floor(Date.now() / 1_000))
  await rpc('evm_mine')
  return { rpcUrl, deployment }
}
