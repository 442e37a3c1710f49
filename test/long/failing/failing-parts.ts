// One fleet of one API and one worker, with a gate before its node. A module that registers tests on it is imported by failing-parts.test.ts.
import { afterAll, afterEach } from '@jest/globals'
import { type NodeGate, startNodeGate } from '../../activities/support/node-gate.ts'
import { useFleet } from '../support/outages.ts'

let opened: NodeGate | undefined
const startGate = async (rpcUrl: string): Promise<string> => {
  opened = await startNodeGate(rpcUrl)
  return opened.url
}
export const { world, ask, transactionWaits, expectPaidOnce, prepareJobs } = useFleet(2, { front: startGate })
export const gate = (): NodeGate => {
  if (opened === undefined) throw new Error('no gate stands before the node')
  return opened
}
afterEach(() => opened?.suffer())
afterAll(() => opened?.stop())
