// One fleet of one API and one worker, with a gate before its node, beside a code host and an encyclopedia.
// A module that registers tests on it is imported by failing.test.ts.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach } from '@jest/globals'
import { codehostSettings, type LocalCodehost, startCodehost } from '../../../local/codehost/start.ts'
import { type NodeGate, startNodeGate } from '../../activities/support/node-gate.ts'
import { useFleet } from '../support/outages.ts'

/** After which a claim or a submission that still waits is answered with 202. */
export const WAIT_SECONDS = 2

let opened: NodeGate | undefined
const startGate = async (rpcUrl: string): Promise<string> => {
  opened = await startNodeGate(rpcUrl)
  return opened.url
}
export const gate = (): NodeGate => {
  if (opened === undefined) throw new Error('no gate stands before the node')
  return opened
}

let host: LocalCodehost | undefined
export const codehost = (): LocalCodehost => {
  if (host === undefined) throw new Error('the code host does not run')
  return host
}
/** Status of every answer of the encyclopedia; 0 closes the connection. */
export const encyclopedia = { status: 404 }
const encyclopediaServer = createServer((_request, response) =>
  encyclopedia.status === 0 ? response.destroy() : response.writeHead(encyclopedia.status).end(),
)

const startSources = async (): Promise<Record<string, string>> => {
  encyclopediaServer.listen(0, '127.0.0.1')
  await once(encyclopediaServer, 'listening')
  const encyclopediaHost = `127.0.0.1:${(encyclopediaServer.address() as AddressInfo).port}`
  host = await startCodehost()
  return {
    ...codehostSettings(host.url),
    WIKIPEDIA_API_URL: `http://${encyclopediaHost}/{language}`,
  }
}

export const { world, ask, waiting, transactionWaits, readBankAt, expectPaidOnce, prepareJobs } = useFleet(WAIT_SECONDS, {
  front: startGate,
  settings: startSources,
})
afterEach(() => opened?.suffer())
afterAll(async () => {
  await opened?.stop()
  await host?.stop()
  encyclopediaServer.close()
})
