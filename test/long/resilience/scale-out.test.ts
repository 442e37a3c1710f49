// A second API and a second worker beside a stack that runs, joined by the scripts and settings with which anybody would join them.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { createChainView } from '../../../local/demo/chain.ts'
import { ANY_PORTS, choosePorts } from '../../../local/ports.ts'
import { startStack } from '../../../local/stack.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { createContract, type OpenApiDocument } from '../../e2e/support/contract.ts'
import { demoFlow, flowsWhile, restart } from '../../e2e/support/demo-flow.ts'
import { createHttp } from '../../e2e/support/http.ts'
import { createNpmService } from '../../e2e/support/npm-service.ts'
import { useDirectory, useStateDirectory } from '../../local/support/directory.ts'
import { isLive } from '../../support/fleet/fleet.ts'
import { startLoadBalancer } from '../../support/fleet/load-balancer.ts'

const SLOW = 240_000
const RESTARTS = 2

const directory = useDirectory()
let opened: Awaited<ReturnType<typeof open>> | undefined
const state = useStateDirectory(async () => opened?.close())

const open = async () => {
  const servers: string[] = []
  const balancer = await startLoadBalancer(() => servers)
  const stack = await startStack({ dir: state, ports: ANY_PORTS, env: { PUBLIC_BASE_URL: balancer.base } })
  const { info } = stack
  const { ports, release } = await choosePorts({ api: 0, metrics: 0 })
  const joinedBase = `http://127.0.0.1:${ports.api}`
  servers.push(info.api ?? '', joinedBase)

  // A service needs no more than the stack's settings to join it.
  const shared = Object.fromEntries(
    Object.entries(parseEnv(readFileSync(info.serviceEnv, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )
  const shell = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const settings: Record<string, string> = { ...shell, ...shared, PORT: String(ports.api), WORKER_METRICS_PORT: String(ports.metrics) }
  const api = createNpmService({ script: 'api', directory, settings, isReady: () => isLive(joinedBase) })
  const worker = createNpmService({ script: 'worker', directory, settings, isReady: (log) => log.includes('worker ready') })
  await Promise.all([api.start(), worker.start()])

  const chainFile = readChainFile(info.chainFile)
  const contract = createContract((await (await fetch(`${joinedBase}/openapi.json`)).json()) as OpenApiDocument)
  const admin = await createHttp(balancer.base, contract).agent(privateKeyToAccount(info.keys.admin))
  const chain = createChainView(chainFile, info.rpcUrl)
  return {
    ...{ stack, balancer, settings, api, worker, joinedBase },
    place: { base: balancer.base, admin, chain, asset: chainFile.asset },
    close: async () => {
      await balancer.close()
      for (const service of [api, worker]) service.close()
      release()
      await stack.stop()
    },
  }
}

beforeAll(async () => {
  opened = await open()
}, SLOW)
afterAll(() => opened?.close(), 60_000)

const world = () => {
  if (opened === undefined) throw new Error('nothing was started')
  return opened
}

/** Lines that a joined service wrote of steps it did or requests it answered. */
const didWork = (service: 'api' | 'worker', word: string): boolean => readFileSync(`${directory}/${service}.log`, 'utf8').includes(word)

test(
  'the demo’s flow runs with two of each',
  async () => {
    const { settings, stack, place, balancer } = world()
    const { temporalAddress, databaseUrl, chainFile } = stack.info
    expect([settings.TEMPORAL_ADDRESS, settings.DATABASE_URL, settings.CHAIN_FILE]).toEqual([temporalAddress, databaseUrl, chainFile])
    while (!didWork('worker', '"step done"')) expect(await demoFlow(place)).toEqual([])
    expect(balancer.lost()).toEqual([])
  },
  SLOW,
)

test(
  'the demo’s flow loses no request while one of each is restarted after every flow',
  async () => {
    const { place, balancer, api, worker, stack, joinedBase } = world()
    const restartApi = () => balancer.without(joinedBase, () => restart('npm run api', api))
    const pair = () => Promise.all([restartApi(), restart('npm run worker', worker)])
    const { flows, restarts } = await flowsWhile(place, RESTARTS, pair)
    const inOrder = ['npm run api', 'npm run worker'].map((name) => ({ name, ended: 'in order and in time', isAnother: true }))
    expect(restarts).toEqual(Array.from({ length: RESTARTS }, () => inOrder).flat())
    expect(flows.length).toBeGreaterThan(RESTARTS)
    expect([balancer.lost(), flows.flat()]).toEqual([[], []])
    expect([api.isUp(), worker.isUp()]).toEqual([true, true])
    expect(await Promise.race([stack.died, Promise.resolve('the stack lives')])).toBe('the stack lives')
  },
  SLOW,
)
