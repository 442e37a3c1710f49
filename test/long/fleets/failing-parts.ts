// One fleet of one API and one worker, with a gate before its node. A module that registers tests on it is imported by failing-parts.test.ts.
import { afterAll, afterEach } from '@jest/globals'
import { type NodeGate, startNodeGate } from '../../activities/support/node-gate.ts'
import { useFleet } from '../support/outages.ts'

/** After which a claim or a submission that still waits is answered with 202. */
export const WAIT_SECONDS = 2

let opened: NodeGate | undefined
export const { world, ask, waiting, transactionWaits, readBankAt, expectPaidOnce, scene } = useFleet(WAIT_SECONDS, async (rpcUrl) => {
  opened = await startNodeGate(rpcUrl)
  return opened.url
})
export const gate = (): NodeGate => {
  if (opened === undefined) throw new Error('no gate stands before the node')
  return opened
}
afterEach(() => opened?.suffer())
afterAll(() => opened?.stop())
